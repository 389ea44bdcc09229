"""The answers of a simulated model, on any wire."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NoReturn

from pydantic import JsonValue


@dataclass(frozen=True)
class Say:
    """Text for the user."""

    text: str


@dataclass(frozen=True)
class Call:
    """A call of a tool that the agent runs."""

    name: str
    arguments: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """The arguments are sent unchanged, valid or not, because models make mistakes."""


@dataclass(frozen=True)
class Search:
    """A search with the provider's own tool search.

    If the provider runs it, its result follows in the same reply; if the client does, the reply ends with the call.
    """

    query: str


@dataclass(frozen=True)
class Reply:
    """An answer of the model, part by part in order."""

    parts: tuple[Say | Call | Search, ...]


@dataclass(frozen=True)
class Failure:
    """An answer of the provider instead of the model: an HTTP error."""

    status: int
    message: str


def reply(*parts: str | Say | Call | Search) -> Reply:
    """Return an answer of these parts; strings become `Say` parts."""
    return Reply(tuple(Say(part) if isinstance(part, str) else part for part in parts))


class PlanError(Exception):
    """The simulated model gave an answer that no model could give to this request."""


def cannot(reason: str) -> NoReturn:
    """Reject a simulated answer."""
    raise PlanError(reason)
