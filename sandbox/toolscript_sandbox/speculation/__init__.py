"""Predicts the calls of a script from the part that has been written so far."""
