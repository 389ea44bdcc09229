"""Calls that wait for a decision, and what was decided."""
