"""How long a stage may compute."""

from __future__ import annotations

import time

from .checker import Unchecked


class ProcessorTime:
    """A bound on the processor time of this thread, from now on."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.thread_time() + seconds

    def check(self) -> None:
        """Raises `Unchecked` once the time is over."""
        if time.thread_time() > self._end:
            raise Unchecked(_STOPPED.format(seconds=self._seconds))


_STOPPED = """\
The check of this snippet was stopped after {seconds:g} s. Write it shorter, or in several steps.
Nothing was run."""
