"""Execution of a script, from preparation to outcome."""
