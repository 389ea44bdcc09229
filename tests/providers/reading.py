"""The content of a request, in terms common to all wires."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from .json_values import Mapping, compact

Role = Literal['system', 'user', 'assistant', 'call', 'result', 'found']


@dataclass(frozen=True)
class WireTool:
    """A tool that a request declares and the agent runs."""

    name: str
    description: str
    schema: Mapping
    deferred: bool
    """Whether its schema is withheld from the model until something reveals it."""
    entry: Mapping
    """The declaration as sent."""


@dataclass(frozen=True)
class Line:
    """One message part, in the order of the request."""

    role: Role
    text: str = ''
    """The text or the result of a tool. For found tools, their names, one per line."""
    name: str = ''
    """The name of the called tool."""
    call_id: str = ''
    """The id that links a result to its call."""
    arguments: Mapping = field(default_factory=dict[str, JsonValue])


@dataclass(frozen=True)
class Reading:
    """A parsed request."""

    system: str
    tools: tuple[WireTool, ...]
    lines: tuple[Line, ...]
    revealed: frozenset[str]
    """Names that the conversation made available, regardless of the tools."""
    search: Literal['bm25', 'regex', 'hosted', 'client'] | None
    """The provider's tool search that the request enables."""

    @property
    def callable_names(self) -> frozenset[str]:
        """The names of the tools that the model can call."""
        return self.revealed | {tool.name for tool in self.tools if not tool.deferred}

    def find(self, query: str) -> tuple[str, ...]:
        """Return the deferred tools that the provider's search finds: at most five, best first."""
        deferred = [tool for tool in self.tools if tool.deferred]
        score = _matches(query) if self.search == 'regex' else _overlap(query)
        found = [(score(tool), tool.name) for tool in deferred]
        return tuple(name for points, name in sorted(found, key=lambda scored: -scored[0])[:5] if points)


def _matches(pattern: str) -> Callable[[WireTool], int]:
    compiled = re.compile(pattern)
    return lambda tool: len(compiled.findall(_searched(tool)))


def _overlap(query: str) -> Callable[[WireTool], int]:
    wanted = _words(query)
    return lambda tool: len(wanted & _words(_searched(tool)))


def _searched(tool: WireTool) -> str:
    return f'{tool.name} {tool.description} {compact(tool.schema)}'


def _words(text: str) -> set[str]:
    return set(re.findall(r'[a-z0-9]+', text.lower()))
