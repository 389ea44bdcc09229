"""The shape of results that were really seen."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .json_values import Schema, is_array, is_number, is_object, object_at

_MOST_KEYS = 40
_DEEPEST = 6
_SAMPLED_ITEMS = 50


@dataclass(frozen=True)
class ObservedShape:
    """What results of a tool looked like so far: kinds of values, keys and which of them were always there.

    Values themselves are never kept. Bounded: objects with more than 40 keys count as dictionaries, nothing is looked
    at deeper than six levels, and of a list the first 50 items.
    """

    samples: int = 0
    shape: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """As a JSON schema."""

    def seen(self, result: object) -> 'ObservedShape':
        """This shape, widened to hold one more result."""
        found = _shape(result, 0)
        return ObservedShape(self.samples + 1, found if self.samples == 0 else _merged(self.shape, found, 0))

    def merged(self, other: 'ObservedShape') -> 'ObservedShape':
        """The shape that holds all that either holds."""
        if not (self.samples and other.samples):
            return self if self.samples else other
        return ObservedShape(self.samples + other.samples, _merged(self.shape, other.shape, 0))

    def dumps(self) -> str:
        """JSON text for `loads`."""
        return json.dumps({'samples': self.samples, 'shape': self.shape}, separators=(',', ':'))

    @classmethod
    def loads(cls, text: str) -> 'ObservedShape':
        """The shape that `dumps` wrote. Raises `ValueError` for anything else."""
        data: object = json.loads(text)
        if not is_object(data) or not isinstance(data.get('samples'), int) or not is_object(data.get('shape')):
            raise ValueError('not an observed shape: expected {"samples": ..., "shape": {...}}')
        return cls(data['samples'], object_at(data, 'shape'))


def _shape(value: object, depth: int) -> dict[str, Any]:
    if value is None or isinstance(value, bool | str):
        return {'type': 'null' if value is None else 'boolean' if isinstance(value, bool) else 'string'}
    if is_number(value):
        return {'type': 'integer' if isinstance(value, int) else 'number'}
    if is_object(value):
        return _object_shape(value, depth)
    if is_array(value):
        return _array_shape(value, depth)
    return {}


def _array_shape(value: list[Any], depth: int) -> dict[str, Any]:
    if depth >= _DEEPEST or not value:
        return {'type': 'array'}
    items = _shape(value[0], depth + 1)
    for item in value[1:_SAMPLED_ITEMS]:
        items = _merged(items, _shape(item, depth + 1), depth + 1)
    return {'type': 'array', 'items': items}


def _object_shape(value: Schema, depth: int) -> dict[str, Any]:
    if depth >= _DEEPEST or not value:
        return {'type': 'object'}
    properties = {str(key): _shape(inner, depth + 1) for key, inner in value.items()}
    return _bounded({'type': 'object', 'properties': properties, 'required': list(properties)}, depth)


def _bounded(shape: dict[str, Any], depth: int) -> dict[str, Any]:
    """An object with too many keys as a dictionary with one type of values."""
    properties: dict[str, Any] = shape['properties']
    if len(properties) <= _MOST_KEYS:
        return shape
    values: dict[str, Any] | None = None
    for inner in properties.values():
        values = inner if values is None else _merged(values, inner, depth + 1)
    return {'type': 'object', 'additionalProperties': values or {}}


def _merged(first: Schema, second: Schema, depth: int) -> dict[str, Any]:
    if first == second:
        return dict(first)
    members = [*_members(first)]
    for member in _members(second):
        _add(members, member, depth)
    return dict(members[0]) if len(members) == 1 else {'anyOf': sorted(members, key=_kind)}


def _members(shape: Schema) -> list[Schema]:
    return list(shape['anyOf']) if 'anyOf' in shape else [shape]


def _kind(shape: Schema) -> str:
    return str(shape.get('type', ''))


def _add(members: list[Schema], member: Schema, depth: int) -> None:
    for index, present in enumerate(members):
        kinds = {_kind(present), _kind(member)}
        if len(kinds) == 1:
            members[index] = _same_kind(present, member, depth)
            return
        if kinds == {'integer', 'number'}:
            members[index] = {'type': 'number'}
            return
    members.append(member)


def _same_kind(first: Schema, second: Schema, depth: int) -> Schema:
    if 'items' in first and 'items' in second:
        return {'type': 'array', 'items': _merged(first['items'], second['items'], depth + 1)}
    if _kind(first) == 'array':
        return first if 'items' in first else second
    if _kind(first) == 'object':
        return _same_object(first, second, depth)
    return first


def _same_object(first: Schema, second: Schema, depth: int) -> Schema:
    if 'additionalProperties' in first or 'additionalProperties' in second:
        return _as_dictionary(first, second, depth)
    ones, twos = object_at(first, 'properties'), object_at(second, 'properties')
    properties = {
        key: _merged(ones[key], twos[key], depth + 1) if key in ones and key in twos else {**ones, **twos}[key]
        for key in {**ones, **twos}
    }
    always = [key for key in first.get('required', []) if key in second.get('required', [])]
    if not properties:
        return {'type': 'object'}
    return _bounded({'type': 'object', 'properties': properties, 'required': always}, depth)


def _as_dictionary(first: Schema, second: Schema, depth: int) -> Schema:
    values = [*object_at(first, 'properties').values(), *object_at(second, 'properties').values()]
    values += [shape['additionalProperties'] for shape in (first, second) if 'additionalProperties' in shape]
    joined = values[0]
    for value in values[1:]:
        joined = _merged(joined, value, depth + 1)
    return {'type': 'object', 'additionalProperties': joined}
