"""Approvals given in advance."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ApproveCalls:
    """Approves a script's calls of one tool: those that wait, and those that the same script still makes.

    For loops: one decision instead of one for each turn. It ends with the script; the next snippet asks again.
    """

    tool_name: str
    at_most: int | None = None
    """How many calls it approves in all; the next one pauses the script again. `None`: all of them."""

    @property
    def used_up(self) -> bool:
        """Whether it approves nothing more."""
        return self.at_most is not None and self.at_most <= 0
