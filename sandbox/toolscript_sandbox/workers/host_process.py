"""What the host's own process must respect: how it forks, and how it ends.

Monty's client runs on threads, which a fork does not copy, and waits for its processes with a selector, which a fork
shares. A child that used it would wait for ever; one that only drops its objects, as the garbage collector does at any
time, kills the parent's processes and takes them out of the parent's selector, and then the parent waits for ever. So a
child keeps all that it inherits until it ends, and is refused a sandbox once its parent has used one.

After each operation those threads drop Python objects, for which they take the interpreter's lock; one that asks for it
while the interpreter shuts down aborts the whole process. So the end waits until they have come to rest.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path
from weakref import WeakSet

from toolscript_sandbox.contract.errors import Unavailable

_LIVE = WeakSet[object]()
_HELD = list[list[object]]()
_USED = list[int]()
"""The process that used Monty's client first."""


def held_over_forks(thing: object) -> None:
    """Never drop it in a child."""
    _LIVE.add(thing)
    if not _USED:
        _USED.append(os.getpid())


def is_inherited() -> bool:
    """Whether Monty's client belongs to the process that this one was forked from."""
    return bool(_USED) and _USED[0] != os.getpid()


def refuse_what_is_inherited() -> None:
    """Raises `Unavailable` where it is."""
    if is_inherited():
        raise Unavailable(
            'this process was forked from one that had used the sandbox, so it lacks its workers and threads; fork '
            "before a run that offers code begins, or start processes with 'spawn' or 'forkserver'"
        )


def _hold() -> None:
    _HELD.append(list(_LIVE))


def _release() -> None:
    _HELD.pop()


if sys.platform != 'win32':
    os.register_at_fork(before=_hold, after_in_parent=_release)


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
