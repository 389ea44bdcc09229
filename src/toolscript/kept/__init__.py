"""Functions that stay."""
