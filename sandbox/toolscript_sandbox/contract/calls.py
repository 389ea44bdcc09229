"""Calls that leave the sandbox."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias


@dataclass(frozen=True)
class Call:
    """One call of a host function by the script."""

    id: int
    """1, 2, 3 and so on within the script, in the order of the calls; the same after dump and resume."""
    function: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    """Fresh JSON-able objects, as in `args`: the dispatcher may keep or change them."""
    line: int | None = field(default=None, compare=False)
    """The line of the model's text that makes the call."""
    stdout: str = field(default='', compare=False)
    """The output that the script has printed since its previous call."""
    sequential: bool = field(default=False, compare=False)
    """Whether the call runs alone: no other call runs at the same time."""


@dataclass(frozen=True)
class PlainValue:
    """The value of a call that `serialize` has already converted and that does not change.

    A dispatcher may return it instead of the value, which is then not converted again.
    """

    value: Any


Dispatch: TypeAlias = Callable[[Call], Awaitable[Any]]
"""Runs a call. Returns its value, or raises `ToolError`, `Deferred`, or anything else, which ends the script."""

Status: TypeAlias = Literal['finished', 'failed', 'running', 'waiting', 'not started']


@dataclass(frozen=True)
class CallRecord:
    """The outcome of a call."""

    call: Call
    status: Status
    """`running`: the call was running when the script ended, so its outcome is unknown."""
    error: str | None = None
    """For `failed`: the type and message of the error."""


@dataclass(frozen=True)
class Waiting:
    """A call whose result comes from outside."""

    call: Call
    payload: Any
    """The payload that the dispatcher passed to `Deferred`."""
