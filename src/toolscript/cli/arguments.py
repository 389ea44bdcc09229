"""Converts `key=value` on a command line to the arguments of a tool."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from toolscript.guards import fields, items, strings
from toolscript.mcp.mistakes import closest

from .terminal import CommandError, Exit

_JSON_TYPES: dict[type[Any], str] = {
    bool: 'boolean',
    int: 'integer',
    float: 'number',
    list: 'array',
    dict: 'object',
    type(None): 'null',
}


def read_arguments(words: Sequence[str], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a tool, each with the type that its JSON `schema` requires.

    `key=value` is text if the tool accepts text, and otherwise JSON; `key:=value` is always JSON; `key=@file` is the
    content of a file. A repeated key makes a list.

    Raises:
        CommandError: Some arguments are invalid; the message lists all of them.
    """
    properties = fields(schema.get('properties'))
    arguments: dict[str, Any] = {}
    wrong: list[str] = []
    for word in words:
        key, equals, text = word.partition('=')
        is_json = key.endswith(':')
        key = key.removesuffix(':')
        if not equals or not key:
            wrong.append(f'{word!r} is not an argument; write key=value.')
        elif key not in properties and properties and not schema.get('additionalProperties'):
            wrong.append(f'there is no argument {key!r}. {_meant(key, properties)}')
        else:
            types = _types(properties.get(key), schema)
            try:
                value = _json(text, types) if is_json else _value(text, types)
            except ValueError as error:
                wrong.append(f'{key}: {error}')
                value = None
            if key in arguments:
                arguments[key] = [*_as_list(arguments[key]), *_as_list(value)]
            else:
                arguments[key] = _as_list(value) if [*types] == ['array'] else value
    wrong += [f'{key} is missing.' for key in strings(schema.get('required')) if key not in arguments]
    if wrong:
        raise CommandError('\n  '.join(['the arguments cannot be used:', *wrong]), Exit.USAGE)
    return arguments


def _value(text: str, types: frozenset[str]) -> Any:
    if text.startswith('@'):
        try:
            text = Path(text[1:]).read_text('utf-8')
        except OSError as error:
            advice = '(For text that begins with @, write key:=\'"@…"\'.)'
            raise ValueError(f'{text[1:]}: {error.strerror}. {advice}') from error
    if types and 'string' not in types:
        return _json(text, types)
    try:
        value = json.loads(text)
    except ValueError:
        return text
    # The text is also JSON: use the value only if the tool accepts its type, because then text is unlikely to be meant.
    return value if not types or _type_of(value) in types else text


def _json(text: str, types: frozenset[str]) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        if 'array' in types:
            return text
        raise ValueError(f'{text!r} is no {" or ".join(sorted(types)) or "JSON"}.') from error


def _types(schema: object, root: Mapping[str, Any], depth: int = 0) -> frozenset[str]:
    """Return the JSON types that a schema allows; empty if it does not say."""
    keywords = fields(schema)
    declared = keywords.get('type')
    found = {declared} if isinstance(declared, str) else {each for each in items(declared) if isinstance(each, str)}
    inner = [option for key in ('anyOf', 'oneOf', 'allOf') for option in items(keywords.get(key))]
    if isinstance(reference := keywords.get('$ref'), str) and reference.startswith('#/'):
        target: object = root
        for step in reference[2:].split('/'):
            target = fields(target).get(step)
        inner.append(target)
    choices = [*items(keywords.get('enum')), *([keywords['const']] if 'const' in keywords else [])]
    found |= {_type_of(value) for value in choices}
    return frozenset(found).union(*(_types(each, root, depth + 1) for each in inner if depth < 8))


def _type_of(value: object) -> str:
    return _JSON_TYPES.get(type(value), 'string')


def _as_list(value: object) -> list[Any]:
    return cast(list[Any], value) if isinstance(value, list) else [value]


def _meant(key: str, properties: Mapping[str, object]) -> str:
    close = closest(key, properties)
    return f'Is {close!r} meant?' if close else f'It takes {", ".join(properties) or "none"}.'
