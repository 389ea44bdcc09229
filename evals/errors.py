"""The error that keeps the evals from starting."""


class CannotStart(Exception):
    """The request cannot be fulfilled. The message says what to change."""
