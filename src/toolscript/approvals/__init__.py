"""Calls that wait for a decision, and the decisions about them."""
