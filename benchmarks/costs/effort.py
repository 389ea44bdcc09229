"""How much is measured: all of it, or a sample that tells whether everything still works."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Effort:
    """The numbers that decide how long it takes."""

    rounds: int
    """Of the rows that take turns."""
    fresh: int
    """Fresh processes of each side, for each thing that is measured in such."""
    at_once: int
    """Runs in the crowd, in all its processes together."""
    crowds: int
    """How often the crowd comes."""
    processes: tuple[int, ...]
    """In how many the crowd is."""


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
