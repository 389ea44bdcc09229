"""A quiet end of the process.

Monty's client runs on threads that Python does not know of. After each operation they drop Python objects, for which
they take the interpreter's lock; one that asks for it while the interpreter shuts down aborts the whole process. So
the end waits until those threads have come to rest, which takes some milliseconds.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path

_THREADS = Path('/proc/self/task')
_INTERVAL = 0.005
_RESTING = 3
"""So many samples in a row without any activity count as rest."""
_AT_MOST = 2.0
_BLIND = 0.3
"""What to wait where the system does not tell what threads do."""


def wait_for_rest() -> None:
    """Sleep, which lets go of the interpreter's lock, until no other thread of the process has done anything."""
    if not _THREADS.is_dir():
        time.sleep(_BLIND)
        return
    deadline, rest, seen = time.monotonic() + _AT_MOST, 0, _activity()
    while rest < _RESTING and time.monotonic() < deadline:
        time.sleep(_INTERVAL)
        now = _activity()
        rest, seen = (rest + 1 if now == seen else 0), now


def _activity() -> dict[str, tuple[str, ...]]:
    own = str(threading.get_native_id())
    return {thread.name: _switches(thread) for thread in _THREADS.iterdir() if thread.name != own}


def _switches(thread: Path) -> tuple[str, ...]:
    try:
        lines = (thread / 'status').read_text().splitlines()
    except OSError:
        return ()
    # A thread that sleeps or waits for a lock without end is not switched; one that works, or is about to, is.
    return tuple(line for line in lines if line.startswith(('State', 'voluntary', 'nonvoluntary')))
