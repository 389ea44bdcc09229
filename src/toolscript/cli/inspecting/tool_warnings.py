"""What about a tool will trouble a model, or whoever pays for it."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pydantic_ai.tools import ToolDefinition

from toolscript.cli.inspecting.schema_faults import schema_faults
from toolscript.guards import fields, items
from toolscript.routing.effects import read_only_of
from toolscript_signatures import identifier, without_invisible

Kind: TypeAlias = Literal['down', 'clash', 'schema', 'hidden', 'name', 'long', 'silent', 'returns', 'reads']

MOST_NAME = 64
"""What OpenAI and Anthropic take."""
MOST_DESCRIPTION = 1024
"""What OpenAI takes; more than this a model rarely needs to choose and call a tool."""
_NAME = re.compile(r'[A-Za-z0-9_-]+')
_SHOWN_FAULTS = 3

HEADINGS: Mapping[Kind, str] = {
    'down': 'Servers that are down',
    'clash': 'Names that clash',
    'schema': 'Schemas that cannot be read, and say Any there',
    'hidden': 'Tools with characters that nobody sees',
    'name': 'Names that not all providers take (64 letters, digits, _ and -)',
    'long': f'Descriptions of more than {MOST_DESCRIPTION:,} characters',
    'silent': 'Tools without a description',
    'returns': 'Tools without a return schema, so that code gets Any',
    'reads': 'Tools that do not say whether they only read (readOnlyHint)',
}
"""In the order of how much they matter."""


@dataclass(frozen=True)
class Warned:
    """Something to do about a tool, or a server."""

    kind: Kind
    name: str
    """The tool, or the server."""
    text: str
    """What it is; empty where the kind says all."""


def kind_of(warned: Warned) -> Kind:
    """What warnings are told together by."""
    return warned.kind


def warnings_of(tool: ToolDefinition) -> Iterator[Warned]:
    """What is to be said of one tool alone."""
    name, description = tool.name, tool.description or ''
    if faults := schema_faults(tool.parameters_json_schema):
        over = f'; and {len(faults) - _SHOWN_FAULTS} more' if len(faults) > _SHOWN_FAULTS else ''
        yield Warned('schema', name, '; '.join(faults[:_SHOWN_FAULTS]) + over)
    texts = (name, description, *_strings(tool.parameters_json_schema))
    if any(without_invisible(text) != text for text in texts):
        yield Warned('hidden', name, '')
    if len(name) > MOST_NAME or not _NAME.fullmatch(name):
        yield Warned('name', name, f'{len(name)} characters' if len(name) > MOST_NAME else '')
    if len(description) > MOST_DESCRIPTION:
        yield Warned('long', name, f'{len(description):,} characters')
    if not description.strip():
        yield Warned('silent', name, '')
    if not tool.return_schema:
        yield Warned('returns', name, '')
    if read_only_of(tool) is None:
        yield Warned('reads', name, '')


def clashes(tools: Sequence[tuple[str, ToolDefinition]]) -> Iterator[Warned]:
    """Names that several sources have, and names that are the same in Python.

    Args:
        tools: Each with its source.
    """
    sources = defaultdict[str, list[str]](list)
    names = defaultdict[str, set[str]](set)
    for source, tool in tools:
        sources[tool.name].append(source)
        names[identifier(tool.name)].add(tool.name)
    for name, having in sources.items():
        if len(having) > 1:
            yield Warned('clash', name, f'is in {" and ".join(having)}; the first one is used, rename the others')
    for python, same in names.items():
        if len(same) > 1:
            yield Warned('clash', python, f'is what {" and ".join(sorted(same))} become in code; rename all but one')


def _strings(value: object) -> Iterator[str]:
    todo: list[object] = [value]
    while todo:
        match todo.pop():
            case str() as text:
                yield text
            case other:
                todo += [*fields(other), *fields(other).values(), *items(other)]
