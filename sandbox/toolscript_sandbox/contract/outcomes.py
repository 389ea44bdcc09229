"""What came of a snippet."""

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
    repairs: tuple[str, ...]
    """What was changed in the model's text, a sentence each."""
    printed: str
    calls: tuple[CallRecord, ...]
    value: Any
    """The final expression, as JSON-able objects."""
    name: str | None
    """Variable under which the session keeps the whole value for the next snippets."""
    ran: str = ''
    """The code as it ran: the text with its repairs, before Monty gets it in other words."""
    changes: tuple[str, ...] = ()
    """What of the value could not be kept as it was, a phrase each."""


@dataclass(frozen=True)
class Suspended:
    """Nothing can go on before some calls get their results from outside."""

    code: str
    repairs: tuple[str, ...]
    printed: str
    calls: tuple[CallRecord, ...]
    state: bytes
    """All that `Session.resume` needs. It is neither signed nor encrypted."""
    waiting: tuple[Waiting, ...]
    ran: str = ''


@dataclass(frozen=True)
class Failed:
    """The snippet stopped with an error."""

    code: str
    repairs: tuple[str, ...]
    printed: str
    calls: tuple[CallRecord, ...]
    error: SnippetError
    session_lost: bool
    """Whether the variables of earlier snippets are gone too."""
    ran: str = ''
    """The code as it ran or would have run; empty where it could not be made ready."""


Outcome: TypeAlias = Completed | Suspended | Failed
