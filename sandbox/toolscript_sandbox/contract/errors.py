"""Errors of the sandbox.

SandboxError
├── ToolError       raised by a dispatcher: the call failed, and the script may catch it
├── Deferred        raised by a dispatcher: the call waits for the outside
├── StateError      `resume` got bytes that are no suspended snippet
│   ├── OtherVersion     another version of Monty wrote them; `Sandbox.replay` may help
│   └── ReplayDiffers    the snippet does not do what it did
└── Unavailable     no worker could be had
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

from .foreign_text import clean

Kind: TypeAlias = Literal['syntax', 'types', 'runtime', 'limit', 'crash']


class SandboxError(Exception):
    """Anything that this package raises on purpose."""


class ToolError(SandboxError):
    """A call failed in a way that the script may catch."""

    MAX_CHARS: ClassVar = 100_000
    """Of a message; what is longer is cut."""

    def __init__(self, type_name: str, message: str) -> None:
        # Texts of a subclass of `str`, as some libraries have them, cannot be recorded.
        type_name, message = str(type_name), str(message)
        if len(message) > self.MAX_CHARS:
            message = f'{message[: self.MAX_CHARS]}… ({len(message):,} characters)'
        type_name, message = clean(type_name), clean(message)
        super().__init__(f'{type_name}: {message}' if message else type_name)
        self.type_name = type_name
        """Name of the exception's type; the script sees that type where Monty has it, else a `RuntimeError`."""
        self.message = message


class Deferred(SandboxError):
    """A call's result comes from outside; once nothing else can continue, the outcome is `Suspended`."""

    def __init__(self, payload: Any = None) -> None:
        super().__init__('the call waits for the outside')
        self.payload = payload


class StateError(SandboxError):
    """The bytes are not the state of a suspended snippet."""


class OtherVersion(StateError):
    """Another version of Monty suspended the snippet. `Sandbox.replay` makes a state of this version."""


class ReplayDiffers(StateError):
    """A snippet that was replayed does not do what it did, or too little is known of that."""


class Unavailable(SandboxError):
    """No worker is available: the pool is exhausted or closed, or its server cannot be reached."""


@dataclass(frozen=True)
class SnippetError:
    """Why a snippet failed, for the model."""

    kind: Kind
    """`syntax` and `types`: nothing has run. `limit`: a bound was reached. `crash`: the worker is gone."""
    message: str
    """Text for the model: the failing line, what is wrong, and what to do."""
    type_name: str = ''
    """For `runtime`: the exception's type."""
    line: int | None = None
    """Line of the model's text."""
