"""Warnings about tools that will cause problems for a model, or costs for the user."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pydantic_ai.tools import ToolDefinition

from toolscript.guards import fields, items
from toolscript.routing.effects import read_only_of
from toolscript_signatures import identifier, without_invisible

Kind: TypeAlias = Literal['down', 'unreadable', 'clash', 'hidden', 'name', 'long', 'silent', 'returns', 'reads']

_MOST_NAME = 64
"""The limit of OpenAI and Anthropic."""
_MOST_DESCRIPTION = 1024
"""The limit of OpenAI; a model rarely needs more to choose and call a tool."""
_NAME = re.compile(r'[A-Za-z0-9_-]+')

HEADINGS: Mapping[Kind, str] = {
    'down': 'Servers that are down',
    'unreadable': 'Tools that the MCP client cannot read, so they are left out',
    'clash': 'Names that clash',
    'hidden': 'Tools with invisible characters',
    'name': 'Names that some providers refuse (use at most 64 letters, digits, _ and -)',
    'long': f'Descriptions of more than {_MOST_DESCRIPTION:,} characters',
    'silent': 'Tools without a description',
    'returns': 'Tools without a return schema, so that code gets Any',
    'reads': 'Tools without readOnlyHint',
}
"""Most important first."""


@dataclass(frozen=True)
class ToolWarning:
    """A problem of a tool or a server."""

    kind: Kind
    name: str
    text: str = ''
    """Details; empty if the kind says everything."""


def warnings_of(tool: ToolDefinition) -> Iterator[ToolWarning]:
    name, description = tool.name, tool.description or ''
    texts = (name, description, *_strings(tool.parameters_json_schema))
    if any(without_invisible(text) != text for text in texts):
        yield ToolWarning('hidden', name)
    if len(name) > _MOST_NAME or not _NAME.fullmatch(name):
        yield ToolWarning('name', name, f'{len(name)} characters' if len(name) > _MOST_NAME else '')
    if len(description) > _MOST_DESCRIPTION:
        yield ToolWarning('long', name, f'{len(description):,} characters')
    if not description.strip():
        yield ToolWarning('silent', name)
    if not tool.return_schema:
        yield ToolWarning('returns', name)
    if read_only_of(tool) is None:
        yield ToolWarning('reads', name)


def clashes(tools: Sequence[tuple[str, ToolDefinition]]) -> Iterator[ToolWarning]:
    """Yield warnings about names that several sources share, and names that are equal in Python."""
    sources = defaultdict[str, list[str]](list)
    names = defaultdict[str, set[str]](set)
    for source, tool in tools:
        sources[tool.name].append(source)
        names[identifier(tool.name)].add(tool.name)
    for name, having in sources.items():
        if len(having) > 1:
            yield ToolWarning('clash', name, f'is in {" and ".join(having)}; the first one is used, rename the others')
    for python, same in names.items():
        if len(same) > 1:
            text = f'is the name of {" and ".join(sorted(same))} in code; rename all but one'
            yield ToolWarning('clash', python, text)


def _strings(value: object) -> Iterator[str]:
    todo: list[object] = [value]
    while todo:
        match todo.pop():
            case str() as text:
                yield text
            case other:
                todo += [*fields(other), *fields(other).values(), *items(other)]
