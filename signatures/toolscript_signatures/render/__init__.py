"""Types and functions as Python text."""
