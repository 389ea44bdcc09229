"""Errors that prevent the evals from starting."""


class CannotStart(Exception):
    """Something requested is unavailable; the message says what to change."""
