"""How much is measured: everything, or a sample that shows whether everything still works."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Effort:
    """The numbers that determine the duration."""

    rounds: int
    """Rounds of the interleaved rows."""
    fresh: int
    """Fresh processes of each side, for each measurement that needs them."""
    at_once: int
    """Concurrent runs in the crowd, over all its processes."""
    crowds: int
    """The number of times that the crowd is measured."""
    processes: tuple[int, ...]
    """The numbers of processes that the crowd is spread over."""


WHOLE = Effort(rounds=40, fresh=5, at_once=200, crowds=1, processes=(1, 4))
QUICK = Effort(rounds=10, fresh=3, at_once=20, crowds=1, processes=(1,))
