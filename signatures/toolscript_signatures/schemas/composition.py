"""Composed schemas: references and `allOf`, merged into one schema."""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from typing import Any
from urllib.parse import unquote

from toolscript_signatures.types.json_values import (
    Schema,
    array_at,
    is_array,
    is_number,
    is_object,
    names_at,
    object_at,
)

REFERENCES = ('$ref', '$dynamicRef', '$recursiveRef')
"""The keywords that refer to another schema. In a single document, the dynamic ones are like `$ref`."""

_COMPOSING = frozenset(('allOf', *REFERENCES))
_NOT_FLAT = _COMPOSING.union(('then', 'else', 'dependentSchemas', 'dependencies'))
_DEFINITIONS = ('$defs', 'definitions')


def reference_of(schema: Schema) -> str | None:
    """The reference of a schema, or `None`."""
    return next((schema[key] for key in REFERENCES if isinstance(schema.get(key), str)), None)


def resolve(root: object, reference: str) -> object | None:
    """The schema that a `$ref` in the document refers to, or `None`.

    Resolves JSON pointers, `$anchor`, `$dynamicAnchor` and `$id`. If a reference points to another document, it returns
    the definition of the document whose name is the last segment of the reference.
    """
    if not is_object(root):
        return None
    if reference in ('#', ''):
        return root
    if reference.startswith('#/'):
        found = _follow(root, reference[2:])
        return _definition(root, reference) if found is None else found
    return _named(root, reference.removeprefix('#')) or _definition(root, reference)


def last_segment(reference: str) -> str:
    """The name at the end of a reference: `Pet` of `#/$defs/Pet`."""
    return _unescape(reference.rstrip('/#').rpartition('/')[2].removeprefix('#')).removesuffix('.json')


def _follow(value: Any, pointer: str) -> object | None:
    for segment in map(_unescape, pointer.split('/')):
        if is_object(value) and segment in value:
            value = value[segment]
        elif is_array(value) and segment.isdecimal() and int(segment) < len(value):
            value = value[int(segment)]
        else:
            return None
    return value


def _unescape(segment: str) -> str:
    return unquote(segment).replace('~1', '/').replace('~0', '~')


def _definition(root: Schema, reference: str) -> object | None:
    name = last_segment(reference)
    return next((object_at(root, key)[name] for key in _DEFINITIONS if name in object_at(root, key)), None)


def _named(root: Schema, name: str) -> Schema | None:
    definitions = [schema for key in _DEFINITIONS for schema in object_at(root, key).values()]
    for schema in filter(is_object, [root, *definitions]):
        if name in (schema.get('$anchor'), schema.get('$dynamicAnchor'), schema.get('$id'), schema.get('id')):
            return schema
    return None


def merge(schemas: Iterable[Schema]) -> dict[str, Any]:
    """The `allOf` of schemas as one schema: all properties, all requirements, the tighter limits.

    If two schemas conflict, the first one wins.
    """
    merged: dict[str, Any] = {}
    for schema in schemas:
        for key, value in schema.items():
            if key not in merged:
                merged[key] = value
            elif key in _JOINERS and merged[key] != value:
                merged[key] = _JOINERS[key](merged[key], value)
    return merged


def _tighter(pick: Callable[[Any, Any], Any], first: Any, second: Any) -> Any:
    return pick(first, second) if is_number(first) and is_number(second) else first


def _join_properties(first: Any, second: Any) -> Any:
    if not (is_object(first) and is_object(second)):
        return first if is_object(first) else second
    joined = dict(first)
    for name, schema in second.items():
        joined[name] = {'allOf': [joined[name], schema]} if name in joined and joined[name] != schema else schema
    return joined


def _join_required(first: Any, second: Any) -> Any:
    return names_at({'both': _join_lists(first, second)}, 'both')


def _join_enum(first: Any, second: Any) -> Any:
    if not (is_array(first) and is_array(second)):
        return first if is_array(first) else second
    return [value for value in first if value in second] or first


def _join_types(first: Any, second: Any) -> Any:
    firsts, seconds = _types(first), _types(second)
    both = [name for name in firsts if name in seconds or (name == 'integer' and 'number' in seconds)]
    both += [name for name in seconds if name == 'integer' and 'number' in firsts and name not in both]
    return (both[0] if len(both) == 1 else both) if both else first


def _types(value: Any) -> list[Any]:
    return list(value) if is_array(value) else [value]


def _join_words(first: Any, second: Any) -> Any:
    one, two = (text.strip() if isinstance(text, str) else '' for text in (first, second))
    return one if two in one else two if one in two else f'{one} {two}'


def _join_schemas(first: Any, second: Any) -> Any:
    if first is False or second is False:
        return False
    return second if first is True else first if second is True else {'allOf': [first, second]}


def _join_lists(first: Any, second: Any) -> Any:
    return [value for values in (first, second) if is_array(values) for value in values]


_JOINERS: dict[str, Callable[[Any, Any], Any]] = {
    'properties': _join_properties,
    'patternProperties': _join_properties,
    'required': _join_required,
    'enum': _join_enum,
    'type': _join_types,
    'description': _join_words,
    'additionalProperties': _join_schemas,
    'items': _join_schemas,
    'allOf': _join_lists,
    'examples': _join_lists,
    **dict.fromkeys(('maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'), partial(_tighter, min)),
    **dict.fromkeys(('minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'), partial(_tighter, max)),
}


_DEEPEST = 60


def is_flat(schema: Schema) -> bool:
    """Whether a schema has neither references nor `allOf`, nor conditions."""
    return _NOT_FLAT.isdisjoint(schema)


def flat(schema: Schema, root: object) -> Schema:
    """A schema merged with its `allOf` and with the target of its own reference.

    Descriptions of the schema take precedence over those of the target. Keys that only conditions name are optional.
    """
    if is_flat(schema):
        return schema
    parts = list(_parts(schema, root, set(), _DEEPEST))
    aside = ('description',) if any('description' in part for part, here in parts if here) else ()
    merged = merge(part if here else without(part, aside) for part, here in parts)
    if properties := object_at(merged, 'properties'):
        conditional = any_properties(branch for part, _ in parts for branch in _conditional(part))
        merged['properties'] = {**properties, **without(conditional, properties)}
    return merged


def any_properties(branches: Iterable[Schema]) -> dict[str, Any]:
    """The properties of several schemas, of which a value matches any."""
    found: dict[str, list[Any]] = {}
    for branch in branches:
        for name, schema in object_at(branch, 'properties').items():
            if schema not in found.setdefault(name, []):
                found[name].append(schema)
    return {name: schemas[0] if len(schemas) == 1 else {'anyOf': schemas} for name, schemas in found.items()}


def _conditional(schema: Schema) -> Iterator[Schema]:
    """The schemas that values match only under a condition."""
    tables = [object_at(schema, key) for key in ('dependentSchemas', 'dependencies')]
    by_key = [inner for table in tables for inner in table.values()]
    return filter(is_object, [schema.get('then'), schema.get('else'), *by_key])


def without(schema: Schema, keys: Collection[str]) -> dict[str, Any]:
    """A schema without some keywords."""
    return {key: value for key, value in schema.items() if key not in keys}


def unwrapped(schema: Schema) -> Schema:
    """A schema whose `allOf` has one reference, as that reference with the other keywords beside it."""
    parts = [without(schema, ('allOf',)), *filter(is_object, array_at(schema, 'allOf'))]
    pointing = sum(reference_of(part) is not None for part in parts)
    return merge(parts) if pointing == 1 and not any('allOf' in part for part in parts) else schema


def _parts(
    schema: Schema, root: object, seen: set[str], deepest: int, here: bool = True
) -> Iterator[tuple[Schema, bool]]:
    """The schema and its components, each with whether it is written here and not behind a reference."""
    yield without(schema, _COMPOSING), here
    if deepest == 0:
        return
    for part in filter(is_object, array_at(schema, 'allOf')):
        yield from _parts(part, root, seen, deepest - 1, here)
    reference = reference_of(schema)
    if reference is not None and reference not in seen:
        seen.add(reference)
        target = resolve(root, reference)
        if is_object(target):
            yield from _parts(target, root, seen, deepest - 1, False)
