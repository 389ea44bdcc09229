"""What about a tool will trouble a model, or the user who pays for it."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pydantic_ai.tools import ToolDefinition

from toolscript.guards import fields, is_array, is_object, items
from toolscript.routing.effects import read_only_of
from toolscript_signatures import identifier, without_invisible

Kind: TypeAlias = Literal[
    'down', 'unreadable', 'clash', 'schema', 'hidden', 'name', 'long', 'silent', 'returns', 'reads'
]

_MOST_NAME = 64
"""What OpenAI and Anthropic take."""
_MOST_DESCRIPTION = 1024
"""What OpenAI takes; more than this a model rarely needs to choose and call a tool."""
_NAME = re.compile(r'[A-Za-z0-9_-]+')
_MOST_FAULTS = 3
_TYPES = frozenset({'string', 'integer', 'number', 'boolean', 'null', 'array', 'object'})
_DEEPEST = 20

HEADINGS: Mapping[Kind, str] = {
    'down': 'Servers that are down',
    'unreadable': 'Tools that the MCP client cannot read, so they are left out',
    'clash': 'Names that clash',
    'schema': 'Schemas that cannot be read (their types become Any)',
    'hidden': 'Tools with invisible characters',
    'name': 'Names that some providers refuse (use at most 64 letters, digits, _ and -)',
    'long': f'Descriptions of more than {_MOST_DESCRIPTION:,} characters',
    'silent': 'Tools without a description',
    'returns': 'Tools without a return schema, so that code gets Any',
    'reads': 'Tools without readOnlyHint',
}
"""The most important first."""


@dataclass(frozen=True)
class ToolWarning:
    """Something to do about a tool, or a server."""

    kind: Kind
    name: str
    """The tool, or the server."""
    text: str = ''
    """What it is; empty where the kind says all."""


def warnings_of(tool: ToolDefinition) -> Iterator[ToolWarning]:
    """The warnings about one tool alone."""
    name, description = tool.name, tool.description or ''
    if faults := schema_faults(tool.parameters_json_schema):
        over = f'; and {len(faults) - _MOST_FAULTS} more' if len(faults) > _MOST_FAULTS else ''
        yield ToolWarning('schema', name, '; '.join(faults[:_MOST_FAULTS]) + over)
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
            yield ToolWarning('clash', name, f'is in {" and ".join(having)}; the first one is used, rename the others')
    for python, same in names.items():
        if len(same) > 1:
            text = f'is the name of {" and ".join(sorted(same))} in code; rename all but one'
            yield ToolWarning('clash', python, text)


def schema_faults(schema: object) -> list[str]:
    """The faults of a tool's schema for its arguments, each with its place, for which a signature says `Any`."""
    if not is_object(schema):
        return ['the schema is not an object']
    said = schema.get('type', 'object')
    top = [] if said == 'object' or _are_types(said) else [f'its type is {said!r} and not "object"']
    return [*top, *_faults(schema, schema, 'arguments', 0)]


def _faults(node: object, root: Mapping[str, object], place: str, depth: int) -> Iterator[str]:
    if not is_object(node):
        if not isinstance(node, bool):
            yield f'{place}: its schema is not an object'
        return
    if depth > _DEEPEST:
        return
    if 'type' in node and not _are_types(node['type']) and depth:
        yield f'{place}: {node["type"]!r} is not a type'
    if isinstance(reference := node.get('$ref'), str) and not _leads_somewhere(reference, root):
        yield f'{place}: $ref {reference!r} does not exist'
    properties = node.get('properties')
    if properties is not None and not is_object(properties):
        yield f'{place}: "properties" is not an object'
    if is_object(properties) and properties and node.get('additionalProperties') is False:
        unknown = [name for name in items(node.get('required')) if name not in properties]
        yield from (f'{place}: requires {name!r}, which is not a property' for name in unknown)
    for name, inner in fields(properties).items():
        yield from _faults(inner, root, f'{place}.{name}', depth + 1)
    if 'items' in node and not is_array(node['items']):
        yield from _faults(node['items'], root, f'{place}[]', depth + 1)
    for key in ('anyOf', 'oneOf', 'allOf', 'prefixItems'):
        for inner in items(node.get(key)):
            yield from _faults(inner, root, place, depth + 1)


def _are_types(said: object) -> bool:
    return all(isinstance(each, str) and each in _TYPES for each in (items(said) if is_array(said) else [said]))


def _leads_somewhere(reference: str, root: Mapping[str, object]) -> bool:
    at: object = root
    for step in reference.removeprefix('#').split('/')[1:]:
        name = step.replace('~1', '/').replace('~0', '~')
        if name not in fields(at):
            return False
        at = fields(at)[name]
    return reference == '#' or reference.startswith('#/')


def _strings(value: object) -> Iterator[str]:
    todo: list[object] = [value]
    while todo:
        match todo.pop():
            case str() as text:
                yield text
            case other:
                todo += [*fields(other), *fields(other).values(), *items(other)]
