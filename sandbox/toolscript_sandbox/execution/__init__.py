"""Execution of a snippet, from preparation to outcome."""
