"""`key=value` from a command line as the arguments of a tool."""

import json
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

from toolscript.cli.exits import CommandError, Exit
from toolscript.guards import fields

_JSON_TYPES = frozenset({'integer', 'number', 'boolean', 'null', 'array', 'object'})


def read_arguments(words: Sequence[str], schema: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a tool, each of the type that its schema asks for.

    `key=value` is text where the tool takes text, and otherwise JSON; `key:=value` is JSON in any case, `key=@file`
    what a file holds. Of a key that stands there more than once, a list is made where the tool takes one.

    Args:
        words: As they stand on the command line.
        schema: The tool's JSON schema for its arguments.

    Raises:
        CommandError: Some of them cannot be read; all of those are told.
    """
    properties: dict[str, Any] = schema.get('properties') or {}
    arguments: dict[str, Any] = {}
    wrong: list[str] = []
    for word in words:
        key, equals, text = word.partition('=')
        is_json = key.endswith(':')
        key = key.removesuffix(':')
        if not equals or not key:
            wrong.append(f'{word!r} is no argument; write key=value.')
        elif key not in properties and properties and not schema.get('additionalProperties'):
            wrong.append(f'there is no argument {key!r}. {_closest(key, properties)}')
        else:
            try:
                value = _value(text, properties.get(key, {}), schema, is_json=is_json)
            except ValueError as error:
                wrong.append(f'{key}: {error}')
                value = None
            arguments[key] = [*_as_list(arguments[key]), *_as_list(value)] if key in arguments else value
    wrong += [f'{key} is missing.' for key in schema.get('required') or () if key not in arguments]
    if wrong:
        raise CommandError('\n  '.join(['the arguments cannot be used:', *wrong]), Exit.USAGE)
    return arguments


def _value(text: str, schema: object, root: Mapping[str, Any], *, is_json: bool) -> Any:
    if text.startswith('@') and not is_json:
        try:
            text = Path(text[1:]).read_text('utf-8')
        except OSError as error:
            raise ValueError(
                f'{text[1:]}: {error.strerror}. (For text that begins with @, write key:=\'"@…"\'.)'
            ) from error
    types = frozenset(_types(schema, root))
    if is_json or (types and 'string' not in types):
        return _json(text, types)
    if types & _JSON_TYPES and (value := _meant(text, types)) is not None:
        return value[0]
    return text if types else _json_or_text(text)


def _json(text: str, types: frozenset[str]) -> Any:
    try:
        value = json.loads(text)
    except ValueError as error:
        if 'array' in types:
            return [_json_or_text(text)]
        said = ' or '.join(sorted(types)) or 'JSON'
        raise ValueError(f'{text!r} is no {said}.') from error
    return _as_list(value) if types == frozenset({'array'}) else value


def _meant(text: str, types: frozenset[str]) -> list[Any] | None:
    """What is no text though text were right too: only what can hardly be meant as text."""
    try:
        value: object = json.loads(text)
    except ValueError:
        return None
    return [value] if _type_of(value) in types and not isinstance(value, str) else None


def _json_or_text(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _types(schema: object, root: Mapping[str, Any], depth: int = 0) -> Iterable[str]:
    """The JSON types that a schema allows; none where it does not say."""
    if not isinstance(schema, dict) or depth > 8:
        return
    keywords = cast(dict[str, Any], schema)
    said = keywords.get('type')
    yield from [said] if isinstance(said, str) else said or ()
    for key in ('anyOf', 'oneOf', 'allOf'):
        for option in keywords.get(key) or ():
            yield from _types(option, root, depth + 1)
    for value in [*(keywords.get('enum') or ()), *([keywords['const']] if 'const' in keywords else ())]:
        yield _type_of(value)
    if isinstance(reference := keywords.get('$ref'), str) and reference.startswith('#/'):
        target: Any = root
        for step in reference[2:].split('/'):
            target = fields(target).get(step)
        yield from _types(target, root, depth + 1)


def _type_of(value: object) -> str:
    match value:
        case None:
            return 'null'
        case bool():
            return 'boolean'
        case int():
            return 'integer'
        case float():
            return 'number'
        case str():
            return 'string'
        case list():
            return 'array'
        case _:
            return 'object'


def _as_list(value: object) -> list[Any]:
    return cast(list[Any], value) if isinstance(value, list) else [value]


def _closest(key: str, properties: Mapping[str, Any]) -> str:
    close = get_close_matches(key, properties, 1)
    return f'Is {close[0]!r} meant?' if close else f'It takes {", ".join(properties) or "none"}.'
