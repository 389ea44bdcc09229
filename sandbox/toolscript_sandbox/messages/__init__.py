"""Errors and values in words for the model."""
