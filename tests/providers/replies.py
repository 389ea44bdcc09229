"""What a simulated model answers, on any wire."""

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
    """Sent as they are, fitting or not: models err."""


@dataclass(frozen=True)
class Search:
    """A search with the provider's own tool search.

    Where the provider runs it, its result follows in the same reply; where the client does, the reply ends in the call.
    """

    query: str


@dataclass(frozen=True)
class Reply:
    """An answer of the model, part by part in order."""

    parts: tuple[Say | Call | Search, ...]


@dataclass(frozen=True)
class Failure:
    """An answer of the provider in place of the model: an HTTP error."""

    status: int
    message: str


def reply(*parts: str | Say | Call | Search) -> Reply:
    """An answer of these parts; a string says itself."""
    return Reply(tuple(Say(part) if isinstance(part, str) else part for part in parts))


class PlanError(Exception):
    """The simulated model answered what no model could on this request."""


def cannot(reason: str) -> NoReturn:
    """Refuse a simulated answer."""
    raise PlanError(reason)
