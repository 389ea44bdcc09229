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
    """As the model wrote it, without what stood around it."""
    fixes: tuple[str, ...]
    """What was changed in the model's text, a sentence each."""
    stdout: str
    calls: tuple[CallRecord, ...]
    value: Any
    """The final expression, as JSON-able objects."""
    name: str | None
    """Variable under which the session keeps the whole value for the next snippets."""
    executed_code: str = ''
    """The code as it ran: the text with its fixes, before Monty gets it in other words."""
    changes: tuple[str, ...] = ()
    """What changed when the value became JSON, a phrase each."""


@dataclass(frozen=True)
class Suspended:
    """Nothing can continue before some calls get their results from outside."""

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
    """The code as it ran or would have run; empty where it could not be made ready."""


Outcome: TypeAlias = Completed | Suspended | Failed


@dataclass(frozen=True)
class Variable:
    """A variable: its name, kind and length."""

    name: str
    kind: str
    """The name of its type."""
    length: int | None = None
    """Of a text or a container of Python's."""

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
