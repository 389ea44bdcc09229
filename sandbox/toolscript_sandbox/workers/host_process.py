"""Safe forks and shutdown of the host's own process.

Monty's client runs on threads, which a fork does not copy, and waits for its processes with a selector, which a fork
shares. A child that used it would wait forever. A child that only drops its objects, as the garbage collector may at
any time, kills the parent's processes and removes them from the parent's selector, and then the parent waits forever.
So a child keeps everything that it inherits until it ends, and cannot use a sandbox if its parent has used one.

After each operation those threads drop Python objects, for which they take the GIL; a thread that requests it while the
interpreter shuts down aborts the whole process. So the shutdown waits until these threads are idle.
"""

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
"""The id of the process that first used Monty's client."""


def keep_over_forks(thing: object) -> None:
    """Keep an object alive in forked children."""
    _LIVE.add(thing)
    if not _USED:
        _USED.append(os.getpid())


def client_is_inherited() -> bool:
    """Return whether Monty's client belongs to the process that this one was forked from."""
    return bool(_USED) and _USED[0] != os.getpid()


def check_not_inherited() -> None:
    """Raise `Unavailable` if Monty's client is inherited."""
    if client_is_inherited():
        raise Unavailable(
            'this process was forked from one that had used the sandbox, so it lacks its workers and threads; fork '
            "before a run that offers code begins, or start processes with 'spawn' or 'forkserver'"
        )


if sys.platform != 'win32':
    os.register_at_fork(before=lambda: _HELD.append(list(_LIVE)), after_in_parent=_HELD.pop)


_THREADS = Path('/proc/self/task')
_INTERVAL = 0.005
_RESTING = 3
"""This many consecutive samples without any activity count as idle."""
_AT_MOST = 2.0
_BLIND = 0.3
"""Seconds to wait if the system does not report the activity of threads."""


def wait_until_idle() -> None:
    """Sleep, which releases the GIL, until all other threads of the process are idle."""
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
    # A thread that sleeps or waits for a lock indefinitely is never switched; one that works, or is about to, is.
    return tuple(line for line in lines if line.startswith(('State', 'voluntary', 'nonvoluntary')))
