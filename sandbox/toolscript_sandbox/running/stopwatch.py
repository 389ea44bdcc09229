"""The time that a script takes, on either side of the border.

Monty stops a script that computes too long, but its clock stands still while the host answers. A script may keep the
host busy for minutes with calls that do nothing, such as a hundred thousand sleeps of no length; that is the script's
time as well. What a tool, a sleep or a store takes is not.
"""

from __future__ import annotations

import time


class Stopwatch:
    """Seconds since it was made, but for those in which it stood still."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self.stopped: Stopped = Stopped()
        """`with watch.stopped:` for as long as others do their work, one at a time."""

    @property
    def seconds(self) -> float:
        """What the script has taken so far."""
        return time.monotonic() - self._since - self.stopped.seconds


class Stopped:
    """The time in which a watch stands still."""

    __slots__ = ('_since', 'seconds')

    def __init__(self) -> None:
        self.seconds: float = 0.0
        """In all."""
        self._since = 0.0

    def __enter__(self) -> None:
        self._since = time.monotonic()

    def __exit__(self, *_: object) -> None:
        self.seconds += time.monotonic() - self._since
