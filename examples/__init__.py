"""Whole programs that use toolscript."""
