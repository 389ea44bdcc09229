"""Measures the cost of a run, and whether it was right."""
