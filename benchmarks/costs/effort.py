"""How much to measure: everything, or a sample that shows whether everything still works."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Effort:
    """The numbers that determine the duration."""

    rounds: int
    """The number of rounds of the rows in turns."""
    fresh: int
    """The number of fresh processes of each side, for each figure that needs them."""
    at_once: int
    """The number of runs in the crowd, in all processes together."""
    crowds: int
    """The number of crowds."""
    processes: tuple[int, ...]
    """The numbers of processes over which the crowd is distributed."""


WHOLE = Effort(
    rounds=40,
    fresh=5,
    at_once=200,
    crowds=1,
    processes=(1, 4),
)
QUICK = Effort(
    rounds=10,
    fresh=3,
    at_once=20,
    crowds=1,
    processes=(1,),
)
