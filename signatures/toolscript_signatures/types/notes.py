"""Notes: what a schema says and a Python type cannot express, in few words."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from toolscript_signatures.types.json_values import (
    Schema,
    array_at,
    is_number,
    is_object,
    object_at,
    source_or_text,
    text_at,
)
from toolscript_signatures.types.visible import without_invisible

_FLAGS = {'deprecated': 'deprecated', 'readOnly': 'read-only', 'writeOnly': 'write-only', 'uniqueItems': 'unique'}
_TEXTS = ('format', 'contentEncoding', 'contentMediaType')
_RANGES = {
    ('minLength', 'maxLength'): ' chars',
    ('minItems', 'maxItems'): ' items',
    ('minProperties', 'maxProperties'): ' keys',
}
_EXCLUSIVE = {'minimum': 'exclusiveMinimum', 'maximum': 'exclusiveMaximum'}
_SHOWN_AS_JSON = (
    *('if', 'then', 'else', 'dependentSchemas', 'dependencies'),
    *('propertyNames', 'contains', 'unevaluatedProperties'),
)
_MAX_EXAMPLE_CHARS = 300
_OTHERS = ('multipleOf', 'pattern', 'dependentRequired', 'not', 'examples', 'example')
NOTED_KEYWORDS = frozenset(_OTHERS).union(_TEXTS, _FLAGS, _SHOWN_AS_JSON, *_RANGES, _EXCLUSIVE, _EXCLUSIVE.values())
"""The keywords that become a phrase and do not change the type."""


def words(schema: Schema) -> tuple[str, ...]:
    """The ranges, lengths, formats, patterns, flags, examples and rules of one schema, each as a short phrase."""
    return () if NOTED_KEYWORDS.isdisjoint(schema) else tuple(_phrases(schema))


def _phrases(schema: Schema) -> Iterator[str]:
    yield from (text for key in _TEXTS if (text := text_at(schema, key)))
    yield from _range(schema, 'minimum', 'maximum', '')
    if is_number(step := schema.get('multipleOf')):
        yield f'multiple of {_number(step)}'
    for (low, high), unit in _RANGES.items():
        yield from _range(schema, low, high, unit)
    if pattern := text_at(schema, 'pattern'):
        yield f'/{pattern}/'
    yield from (word for key, word in _FLAGS.items() if schema.get(key) is True)
    needs = object_at(schema, 'dependentRequired')
    yield from (f'{key} needs {", ".join(map(str, names))}' for key in needs if (names := array_at(needs, key)))
    for key in _SHOWN_AS_JSON:
        if key in schema and schema[key] not in (True, {}):
            yield f'{key}: {compact(schema[key])}'
    if is_object(refused := schema.get('not')) and refused:
        yield f'not: {compact(refused)}'
    yield from _examples(schema)


def one_line(text: str) -> str:
    """The text on one line, with single spaces and without invisible characters."""
    joined = ' '.join(text.split())
    return joined if joined.isascii() and joined.isprintable() else ' '.join(without_invisible(joined).split())


def note(description: str, phrases: Sequence[str]) -> str:
    """The description, then the phrases in brackets, except words that the description contains."""
    described = one_line(description) if description else ''
    if not phrases:
        return described
    known = {word for word in described.lower().split() if len(word) > 3 and word.isalpha()}
    fresh = (phrase for phrase in map(one_line, phrases) if phrase and phrase.lower() not in known)
    rest = ', '.join(dict.fromkeys(fresh))
    return f'{described} ({rest})' if described and rest else described or rest


def _range(schema: Schema, least: str, most: str, unit: str) -> list[str]:
    low, high = _bound(schema, least), _bound(schema, most)
    if low and high and not low[1] and not high[1]:
        return [f'{low[0]}{unit}' if low[0] == high[0] and unit else f'{low[0]}..{high[0]}{unit}']
    if unit and low and low[0] == '0' and not high:
        return []
    return [
        *([f'>{"" if low[1] else "="}{low[0]}{unit}'] if low else []),
        *([f'<{"" if high[1] else "="}{high[0]}{unit}'] if high else []),
    ]


def _bound(schema: Schema, key: str) -> tuple[str, bool] | None:
    """A limit as text, and whether it is exclusive. Draft 4 has a boolean beside the limit for that."""
    if is_number(beyond := schema.get(_EXCLUSIVE.get(key, ''))):
        return _number(beyond), True
    if is_number(value := schema.get(key)):
        return _number(value), beyond is True
    return None


def _number(value: float) -> str:
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
    return source_or_text(int(value) if whole else value)


def _examples(schema: Schema) -> list[str]:
    """As many examples as fit, except those in the default, the choices or the description."""
    described = text_at(schema, 'description')
    known = [schema.get('default'), *array_at(schema, 'enum')]
    fresh = [value for value in _given(schema) if not isinstance(value, bool) and value not in known]
    repeated = [value for value in fresh if isinstance(value, str) and len(value) > 2 and value in described]
    shown: list[str] = []
    room = _MAX_EXAMPLE_CHARS
    for source in dict.fromkeys(source_or_text(value) for value in fresh if value not in repeated):
        if len(source) <= room:
            shown.append(source)
            room -= len(source)
    return [f'like {", ".join(shown)}'] if shown else []


def _given(schema: Schema) -> list[Any]:
    listed = schema.get('examples')
    given = list(listed.values()) if is_object(listed) else array_at(schema, 'examples')
    if isinstance(listed, str | int | float):
        given = [listed]
    return [*given, schema['example']] if 'example' in schema else given


def compact(value: Any) -> str:
    """A JSON value as compact JSON."""
    try:
        return json.dumps(value, separators=(',', ':'), ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):
        return '...'
