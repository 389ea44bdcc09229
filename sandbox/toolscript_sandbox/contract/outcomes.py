"""What came of a snippet, and what a session leaves to the next one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from .calls import CallRecord, Waiting
from .errors import SnippetError


@dataclass(frozen=True)
class Completed:
    """The snippet ran to its end."""

    code: str
    """The model's text, without the prose around it."""
    fixes: tuple[str, ...]
    """Changes of the model's text, one sentence each."""
    stdout: str
    calls: tuple[CallRecord, ...]
    value: Any
    """The final expression, as JSON-able objects."""
    name: str | None
    """The variable that has the whole value in the next snippets."""
    executed_code: str = ''
    """The code that ran: the text with its fixes, before the changes for Monty."""
    changes: tuple[str, ...] = ()
    """Parts of the value that were changed, one phrase each."""


@dataclass(frozen=True)
class Suspended:
    """The script cannot continue before some calls get their results from outside."""

    code: str
    fixes: tuple[str, ...]
    stdout: str
    calls: tuple[CallRecord, ...]
    state: bytes
    """All that `Session.resume` needs. It is neither signed nor encrypted."""
    waiting: tuple[Waiting, ...]
    executed_code: str = ''


@dataclass(frozen=True)
class Failed:
    """The snippet stopped with an error."""

    code: str
    fixes: tuple[str, ...]
    stdout: str
    calls: tuple[CallRecord, ...]
    error: SnippetError
    session_lost: bool
    """Whether the variables of earlier snippets are gone too."""
    executed_code: str = ''
    """The code that ran or would have run; empty if it could not be prepared."""


Outcome: TypeAlias = Completed | Suspended | Failed


@dataclass(frozen=True)
class Variable:
    """A short description of a variable."""

    name: str
    kind: str
    """The name of its type."""
    length: int | None = None
    """The length of a text or a builtin container."""

    def __str__(self) -> str:
        return f'{self.name}: {self.kind}' if self.length is None else f'{self.name}: {self.kind} of {self.length:,}'


@dataclass(frozen=True)
class SavedSession:
    """A session between two of its snippets."""

    state: bytes
    """All that `Session.load` needs. It is neither signed nor encrypted."""
    variables: tuple[Variable, ...]
    """What is in it, by name."""
    too_large: tuple[Variable, ...] = ()
    """What had to be left out of it."""
