"""Errors of the sandbox.

SandboxError
├── ToolError       raised by a dispatcher: the call failed, and the script may catch it
├── Deferred        raised by a dispatcher: the result comes later
├── StateError      `resume` got bytes that are not a suspended script
│   ├── OtherVersion     another version of Monty wrote them; `Sandbox.replay` may help
│   └── ReplayDiffers    the replayed script differs from its recording
└── Unavailable     no worker is available
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

from .foreign_text import clean

Kind: TypeAlias = Literal['syntax', 'types', 'runtime', 'limit', 'crash']


class SandboxError(Exception):
    """Base class of the errors that this package raises on purpose."""


class ToolError(SandboxError):
    """A call failed, and the script may catch the error."""

    MAX_CHARS: ClassVar = 100_000
    """The maximum length of a message; longer ones are cut."""

    def __init__(self, type_name: str, message: str) -> None:
        # Some libraries use subclasses of `str`, which cannot be recorded.
        type_name, message = str(type_name), str(message)
        if len(message) > self.MAX_CHARS:
            message = f'{message[: self.MAX_CHARS]}… ({len(message):,} characters)'
        type_name, message = clean(type_name), clean(message)
        super().__init__(f'{type_name}: {message}' if message else type_name)
        self.type_name = type_name
        """Name of the exception's type; the script sees that type if Monty has it, else a `RuntimeError`."""
        self.message = message


class Deferred(SandboxError):
    """A call's result comes later: once nothing else can continue, the outcome is `Suspended`."""

    def __init__(self, payload: Any = None) -> None:
        super().__init__('the call waits for the outside')
        self.payload = payload


class StateError(SandboxError):
    """The bytes are not the state of a suspended script."""


class OtherVersion(StateError):
    """Another version of Monty suspended the script. `Sandbox.replay` converts the state to this version."""


class ReplayDiffers(StateError):
    """A replayed script differs from its recording, or the recording is incomplete."""


class Unavailable(SandboxError):
    """No worker is available: the pool is exhausted or closed, or its server cannot be reached."""


@dataclass(frozen=True)
class SnippetError:
    """The error of a failed script, written for the model."""

    kind: Kind
    """`syntax` and `types`: nothing has run. `limit`: a limit was exceeded. `crash`: the worker died."""
    message: str
    """The failing line, what is wrong, and what to do."""
    type_name: str = ''
    """For `runtime`: the name of the exception's type."""
    line: int | None = None
    """The failing line of the model's text."""
