"""What a forked child must leave alone.

Monty's client runs on threads, which a fork does not copy, and waits for its processes with a selector, which a fork
shares. A child that used it would wait for ever; one that only drops its objects, as the garbage collector does at any
time, kills the parent's processes and takes them out of the parent's selector, and then the parent waits for ever. So a
child keeps all that it inherits until it ends, and is refused a sandbox once its parent has used one.
"""

from __future__ import annotations

import os
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
            'this process was forked from one that had used the sandbox, whose workers and threads it lacks; '
            "fork before a run that offers code begins, or start processes with 'spawn' or 'forkserver'"
        )


def _hold() -> None:
    _HELD.append(list(_LIVE))


def _let_go() -> None:
    _HELD.pop()


os.register_at_fork(before=_hold, after_in_parent=_let_go)
