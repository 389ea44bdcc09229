"""One schema that says what several say together."""

from collections.abc import Callable, Iterable
from typing import Any

from toolscript_signatures.shapes.json_values import Schema, array_at, is_array, is_number, is_object, names_at, text_at

_LOWER = ('maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties')
_HIGHER = ('minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties')


def merge(schemas: Iterable[Schema]) -> dict[str, Any]:
    """The `allOf` of schemas as one schema: all properties, all requirements, the tighter limits.

    Where two schemas say what cannot be said at once in one, the first wins.
    """
    merged: dict[str, Any] = {}
    for schema in schemas:
        for key, value in schema.items():
            merged[key] = _join(key, merged[key], value) if key in merged else value
    return merged


def _join(key: str, first: Any, second: Any) -> Any:
    if first == second:
        return first
    if key in _LOWER or key in _HIGHER:
        return _tighter(first, second, min if key in _LOWER else max)
    joiner = _JOINERS.get(key)
    return joiner(first, second) if joiner else first


def _tighter(first: Any, second: Any, pick: Callable[[Any, Any], Any]) -> Any:
    return pick(first, second) if is_number(first) and is_number(second) else first


def _join_properties(first: Any, second: Any) -> Any:
    if not (is_object(first) and is_object(second)):
        return first if is_object(first) else second
    joined = dict(first)
    for name, schema in second.items():
        joined[name] = {'allOf': [joined[name], schema]} if name in joined and joined[name] != schema else schema
    return joined


def _join_required(first: Any, second: Any) -> Any:
    return list(dict.fromkeys([*names_at({'': first}, ''), *names_at({'': second}, '')]))


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
    one, two = text_at({'': first}, ''), text_at({'': second}, '')
    return one if two in one else two if one in two else f'{one} {two}'


def _join_schemas(first: Any, second: Any) -> Any:
    if first is False or second is False:
        return False
    return {'allOf': [first, second]}


def _join_extra(first: Any, second: Any) -> Any:
    if first is False or second is False:
        return False
    return second if first is True else first if second is True else {'allOf': [first, second]}


def _join_lists(first: Any, second: Any) -> Any:
    return [*array_at({'': first}, ''), *array_at({'': second}, '')]


_JOINERS: dict[str, Callable[[Any, Any], Any]] = {
    'properties': _join_properties,
    'patternProperties': _join_properties,
    'required': _join_required,
    'enum': _join_enum,
    'type': _join_types,
    'description': _join_words,
    'additionalProperties': _join_extra,
    'items': _join_schemas,
    'allOf': _join_lists,
    'examples': _join_lists,
}
