"""What cannot be read in a JSON schema, so that a signature says `Any` there."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from toolscript.guards import fields

_TYPES = frozenset({'string', 'integer', 'number', 'boolean', 'null', 'array', 'object'})
_DEEPEST = 20
_MANY = ('anyOf', 'oneOf', 'allOf', 'prefixItems')


def schema_faults(schema: object) -> list[str]:
    """What is wrong in a tool's schema for its arguments, each with its place."""
    if not isinstance(schema, dict):
        return ['the schema is no object']
    root = cast(dict[str, Any], schema)
    said = root.get('type', 'object')
    top = [] if said == 'object' or _listed(said) else [f'its type is {said!r} and not "object"']
    return [*top, *_faults(root, root, 'arguments', 0)]


def _faults(node: dict[str, Any], root: dict[str, Any], place: str, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        return
    if 'type' in node and not _listed(node['type']) and depth:
        yield f'{place}: {node["type"]!r} is no type'
    if isinstance(reference := node.get('$ref'), str) and not _found(reference, root):
        yield f'{place}: $ref {reference!r} leads nowhere'
    properties = node.get('properties')
    if properties is not None and not isinstance(properties, dict):
        yield f'{place}: "properties" is no object'
    named = cast(dict[str, Any], properties) if isinstance(properties, dict) else {}
    required = node.get('required')
    if isinstance(required, list) and named and node.get('additionalProperties') is False:
        unknown = [name for name in cast(list[object], required) if name not in named]
        yield from (f'{place}: requires {name!r}, which is no property' for name in unknown)
    for name, inner in named.items():
        yield from _inner(inner, root, f'{place}.{name}', depth)
    if 'items' in node and not isinstance(node['items'], list):
        yield from _inner(node['items'], root, f'{place}[]', depth)
    for key in _MANY:
        for inner in cast(list[Any], node.get(key)) if isinstance(node.get(key), list) else ():
            yield from _inner(inner, root, place, depth)


def _inner(node: object, root: dict[str, Any], place: str, depth: int) -> Iterator[str]:
    if isinstance(node, dict):
        yield from _faults(cast(dict[str, Any], node), root, place, depth + 1)
    elif not isinstance(node, bool):
        yield f'{place}: its schema is no object'


def _listed(said: object) -> bool:
    types = cast(list[object], said) if isinstance(said, list) else [said]
    return all(isinstance(each, str) and each in _TYPES for each in types)


def _found(reference: str, root: Mapping[str, Any]) -> bool:
    if reference == '#':
        return True
    if not reference.startswith('#/'):
        return False
    at: object = root
    for step in reference[2:].split('/'):
        name = step.replace('~1', '/').replace('~0', '~')
        if name not in fields(at):
            return False
        at = fields(at)[name]
    return True
