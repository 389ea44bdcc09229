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
    shortest: float
    """The part of the sizes of a curve that are measured, from the smallest on."""
    seconds: float
    """For one size of a curve, once it was measured."""
    apart: bool
    """Whether each curve has a process of its own, so that none finds what another left."""


WHOLE = Effort(
    rounds=40,
    fresh=5,
    at_once=200,
    crowds=1,
    processes=(1, 4),
    shortest=1.0,
    seconds=1.0,
    apart=True,
)
QUICK = Effort(
    rounds=10,
    fresh=3,
    at_once=20,
    crowds=1,
    processes=(1,),
    shortest=0.5,
    seconds=0.0,
    apart=False,
)
