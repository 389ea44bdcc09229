"""What keeps the evals from starting."""


class CannotStart(Exception):
    """What was asked for cannot be had; the message says what to change."""
