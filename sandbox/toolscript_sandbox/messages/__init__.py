"""Errors and values as text for the model."""
