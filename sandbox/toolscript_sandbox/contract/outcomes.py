"""The outcomes of a script, and the saved state of a session."""

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from .calls import CallRecord, Waiting
from .errors import SnippetError


@dataclass(frozen=True)
class _Ended:
    code: str
    """The code as the model wrote it, without the text around it."""
    fixes: tuple[str, ...]
    """The changes to the model's text, a sentence each."""
    stdout: str
    calls: tuple[CallRecord, ...]
    executed_code: str = field(default='', kw_only=True)
    """The code that ran, with its fixes and transformed for Monty. Empty if the text could not be prepared."""


@dataclass(frozen=True)
class Completed(_Ended):
    """The script ran to its end."""

    value: Any
    """The value of the final expression, as JSON-able objects."""
    name: str | None
    """The variable in which the session keeps the whole value for later scripts."""
    changes: tuple[str, ...] = ()
    """The changes made when the value was converted to JSON, a phrase each."""


@dataclass(frozen=True)
class Suspended(_Ended):
    """The script cannot continue until some calls get their results from outside."""

    state: bytes
    """The input of `Session.resume`. It is neither signed nor encrypted."""
    waiting: tuple[Waiting, ...]


@dataclass(frozen=True)
class Failed(_Ended):
    """The script stopped with an error."""

    error: SnippetError
    session_lost: bool
    """Whether the variables of earlier scripts are lost too."""


Outcome: TypeAlias = Completed | Suspended | Failed


@dataclass(frozen=True)
class Variable:
    """The name, type and length of a variable."""

    name: str
    kind: str
    """The name of its type."""
    length: int | None = None
    """The length of a string or built-in container; None for other types."""

    def __str__(self) -> str:
        return f'{self.name}: {self.kind}' if self.length is None else f'{self.name}: {self.kind} of {self.length:,}'


@dataclass(frozen=True)
class SavedSession:
    """The saved state of a session between two scripts."""

    state: bytes
    """The input of `Session.load`. It is neither signed nor encrypted."""
    variables: tuple[Variable, ...]
    """The saved variables, sorted by name."""
    too_large: tuple[Variable, ...] = ()
    """The variables that were left out."""
