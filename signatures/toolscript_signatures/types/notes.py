"""What a schema says that a Python type cannot, in few words."""

import json
from collections.abc import Callable, Sequence
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
_PASSED_ON = (
    'if',
    'then',
    'else',
    'dependentSchemas',
    'dependencies',
    'propertyNames',
    'contains',
    'unevaluatedProperties',
)
_EXAMPLE_ROOM = 300


def words(schema: Schema) -> tuple[str, ...]:
    """Ranges, lengths, formats, patterns, flags, examples and rules of one schema, each as a short phrase."""
    if SPEAKING.isdisjoint(schema):
        return ()
    places = sorted({_PLACES[key] for key in schema if key in _PLACES})
    return tuple(phrase for place in places for phrase in _SAYINGS[place][1](schema))


def one_line(text: str) -> str:
    """Text with every run of white space as one space, and nothing in it that Python source cannot hold."""
    joined = ' '.join(text.split())
    return joined if joined.isascii() and joined.isprintable() else ' '.join(without_invisible(joined).split())


def note(description: str, phrases: Sequence[str]) -> str:
    """A description with phrases after it in brackets; those that the description contains already are left out."""
    described = one_line(description) if description else ''
    if not phrases:
        return described
    rest = ', '.join(
        dict.fromkeys(phrase for phrase in map(one_line, phrases) if phrase and not _says(described, phrase))
    )
    return f'{described} ({rest})' if described and rest else described or rest


def _says(description: str, phrase: str) -> bool:
    return len(phrase) > 3 and phrase.isalpha() and phrase.lower() in description.lower().split()


def _texts(schema: Schema) -> list[str]:
    return [text for key in _TEXTS if (text := text_at(schema, key))]


def _values(schema: Schema) -> list[str]:
    return _range(_bound(schema, 'minimum', 'exclusiveMinimum'), _bound(schema, 'maximum', 'exclusiveMaximum'), '')


def _steps(schema: Schema) -> list[str]:
    step = schema.get('multipleOf')
    return [f'multiple of {_number(step)}'] if is_number(step) else []


def _chars(schema: Schema) -> list[str]:
    return _range(_bound(schema, 'minLength'), _bound(schema, 'maxLength'), ' chars')


def _items(schema: Schema) -> list[str]:
    return _range(_bound(schema, 'minItems'), _bound(schema, 'maxItems'), ' items')


def _keys(schema: Schema) -> list[str]:
    return _range(_bound(schema, 'minProperties'), _bound(schema, 'maxProperties'), ' keys')


def _pattern(schema: Schema) -> list[str]:
    pattern = text_at(schema, 'pattern')
    return [f'/{pattern}/'] if pattern else []


def _flags(schema: Schema) -> list[str]:
    return [word for key, word in _FLAGS.items() if schema.get(key) is True]


def _bound(schema: Schema, key: str, exclusive: str = '') -> tuple[str, bool] | None:
    """A limit as text, with whether the limit itself is out. Draft 4 says that with a boolean beside the limit."""
    if is_number(beyond := schema.get(exclusive)):
        return _number(beyond), True
    if is_number(value := schema.get(key)):
        return _number(value), beyond is True
    return None


def _number(value: float) -> str:
    return source_or_text(
        int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else value
    )


def _range(low: tuple[str, bool] | None, high: tuple[str, bool] | None, unit: str) -> list[str]:
    if low and high and not low[1] and not high[1]:
        return [f'{low[0]}{unit}' if low[0] == high[0] and unit else f'{low[0]}..{high[0]}{unit}']
    if unit and low and low[0] == '0' and not high:
        return []
    return [
        *([f'>{"" if low[1] else "="}{low[0]}{unit}'] if low else []),
        *([f'<{"" if high[1] else "="}{high[0]}{unit}'] if high else []),
    ]


def _examples(schema: Schema) -> list[str]:
    """Examples that tell more than type, default and description do, as many as fit."""
    described = text_at(schema, 'description')
    known = [schema.get('default'), *array_at(schema, 'enum')]
    fresh = (value for value in _given(schema) if not isinstance(value, bool) and value not in known)
    shown: list[str] = []
    room = _EXAMPLE_ROOM
    for source in dict.fromkeys(source_or_text(value) for value in fresh if not _quoted(value, described)):
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


def _quoted(value: object, text: str) -> bool:
    return isinstance(value, str) and len(value) > 2 and value in text


def _dependencies(schema: Schema) -> list[str]:
    needs = object_at(schema, 'dependentRequired')
    return [f'{key} needs {", ".join(map(str, array_at(needs, key)))}' for key in needs if array_at(needs, key)]


def _rules(schema: Schema) -> list[str]:
    rules = [f'{key}: {compact(schema[key])}' for key in _PASSED_ON if key in schema and schema[key] not in (True, {})]
    refused = schema.get('not')
    return [*rules, *([f'not: {compact(refused)}'] if is_object(refused) and refused else [])]


def compact(value: Any) -> str:
    """A JSON value in as few characters as it takes."""
    try:
        return json.dumps(value, separators=(',', ':'), ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):
        return '...'


_SAYINGS: tuple[tuple[Sequence[str], Callable[[Schema], list[str]]], ...] = (
    (_TEXTS, _texts),
    (('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'), _values),
    (('multipleOf',), _steps),
    (('minLength', 'maxLength'), _chars),
    (('minItems', 'maxItems'), _items),
    (('minProperties', 'maxProperties'), _keys),
    (('pattern',), _pattern),
    (tuple(_FLAGS), _flags),
    (('dependentRequired',), _dependencies),
    ((*_PASSED_ON, 'not'), _rules),
    (('examples', 'example'), _examples),
)
"""The function for each group of keywords, in the order of their phrases."""
_PLACES = {key: place for place, (keys, _) in enumerate(_SAYINGS) for key in keys}
SPEAKING = frozenset(_PLACES)
"""The keywords that come to a phrase, and leave the type what it is."""
