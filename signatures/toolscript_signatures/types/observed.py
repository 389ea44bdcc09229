"""The shape of results that a tool has returned.

A key may be the name of a field, or data itself: a user's address, an order's number, a sentence that an attacker
wants a model to read. Only names of fields are stored (`names_a_field`); the values of all other keys become one type.
If keys look like field names, several results decide: fields repeat and data does not, so objects without common keys
are dictionaries.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from toolscript_signatures.types.identifiers import is_identifier
from toolscript_signatures.types.json_values import Schema, is_array, is_object, object_at

_MAX_KEYS = 40
_DEEPEST = 6
_SAMPLED_ITEMS = 50
_SAMPLED_KEYS = 200
_MAX_MEMBERS = 300
_ALIKE = 3


@dataclass(frozen=True)
class ObservedShape:
    """The shape of a tool's results so far: kinds of values, keys, and which keys were always present.

    Neither values nor keys that are data are stored. Objects with more than 40 keys count as dictionaries. Only six
    levels and the first 50 items of a list are read, and a whole shape has at most 300 keys.
    """

    samples: int = 0
    shape: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """As a JSON schema."""

    def seen(self, result: object) -> 'ObservedShape':
        """This shape, extended by one more result."""
        return self.merged(ObservedShape(1, _shape(result, 0)))

    def merged(self, other: 'ObservedShape') -> 'ObservedShape':
        """The union of both shapes."""
        shapes = [one.shape for one in (self, other) if one.samples]
        return ObservedShape(self.samples + other.samples, _fitting(dict(_joined(shapes, -1))) if shapes else {})

    @property
    def has_objects(self) -> bool:
        """Whether it contains an object. Other shapes are obvious from the result."""
        return _has_object(self.shape)

    def cut(self, depth: int) -> 'ObservedShape':
        """This shape down to a depth; 0 leaves only the kind of the result."""
        return ObservedShape(self.samples, _cut(self.shape, depth))

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
    if is_object(value):
        return _object_shape(value, depth)
    if is_array(value):
        return _array_shape(value, depth)
    kind = _SCALARS.get(type(value)) or next((kind for one, kind in _SCALARS.items() if isinstance(value, one)), '')
    return {'type': kind} if kind else {}


# The first match counts, because `True` is an integer in Python.
_SCALARS: dict[type[Any], str] = {type(None): 'null', bool: 'boolean', str: 'string', int: 'integer', float: 'number'}


def _array_shape(value: list[Any], depth: int) -> dict[str, Any]:
    if depth >= _DEEPEST or not value:
        return {'type': 'array'}
    items = _shape(value[0], depth + 1)
    forms = {_form(value[0])}
    for item in value[1:_SAMPLED_ITEMS]:
        form = _form(item)
        if form is None or form not in forms:
            items = _merged(items, _shape(item, depth + 1), depth + 1)
            forms.add(form)
    return {'type': 'array', 'items': items}


def _form(value: object) -> object:
    """A cheap key that is equal only for values of the same shape, of which most lists have many; else None."""
    if not is_object(value):
        kind = type(value)
        return kind if kind in _SCALARS else None
    kinds = tuple(map(type, value.values()))
    return (tuple(value), kinds) if _SCALARS.keys() >= set(kinds) else None


def _object_shape(value: Schema, depth: int) -> dict[str, Any]:
    if depth >= _DEEPEST or not value:
        return {'type': 'object'}
    seen = [(str(key), _shape(inner, depth + 1)) for key, inner in islice(value.items(), _SAMPLED_KEYS)]
    properties = {key: shape for key, shape in seen if names_a_field(key)}
    others = [shape for key, shape in seen if key not in properties]
    one_kind = len({_kind(shape) for _, shape in seen} - {'null'}) <= 1
    if (others and one_kind) or len(others) > len(properties) or len(value) > _MAX_KEYS or _are_entries(properties):
        return _dictionary([shape for _, shape in seen], depth)
    rest = {'additionalProperties': _joined(others, depth)} if others else {}
    return {'type': 'object', 'properties': properties, 'required': list(properties), **rest}


def _are_entries(properties: Schema) -> bool:
    """Whether the values are records with the same fields, so the keys identify the records."""
    shapes = list(properties.values())
    fields = [frozenset(object_at(shape, 'properties')) for shape in shapes]
    return len(shapes) >= _ALIKE and bool(fields[0]) and len(set(fields)) == 1


def _dictionary(values: Sequence[Schema], depth: int) -> dict[str, Any]:
    return {'type': 'object', 'additionalProperties': _joined(values, depth)}


def _joined(shapes: Sequence[Schema], depth: int) -> Schema:
    joined = shapes[0]
    for shape in shapes[1:]:
        joined = _merged(joined, shape, depth + 1)
    return joined


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
    if _kind(first) == 'object':
        return _same_object(first, second, depth)
    if 'items' in first and 'items' in second:
        return {'type': 'array', 'items': _merged(first['items'], second['items'], depth + 1)}
    return second if 'items' in second else first


def _same_object(first: Schema, second: Schema, depth: int) -> Schema:
    ones, twos = object_at(first, 'properties'), object_at(second, 'properties')
    others = [shape['additionalProperties'] for shape in (first, second) if 'additionalProperties' in shape]
    properties = {
        key: _merged(ones[key], twos[key], depth + 1) if key in ones and key in twos else {**ones, **twos}[key]
        for key in {**ones, **twos}
    }
    if not properties:
        return _dictionary(others, depth) if others else {'type': 'object'}
    always = [key for key in first.get('required', []) if key in second.get('required', [])]
    if _is_dictionary(first) or _is_dictionary(second) or _differ(ones, twos) or len(properties) > _MAX_KEYS:
        return _dictionary([*properties.values(), *others], depth)
    rest = {'additionalProperties': _joined(others, depth)} if others else {}
    return {'type': 'object', 'properties': properties, 'required': always, **rest}


def _is_dictionary(shape: Schema) -> bool:
    return 'additionalProperties' in shape and 'properties' not in shape


def _differ(ones: Schema, twos: Schema) -> bool:
    """Whether the keys change between results: none are common, or few, and all values are of one kind."""
    if not ones or not twos:
        return False
    common = len(ones.keys() & twos.keys())
    kinds = {_kind(shape) for shape in (*ones.values(), *twos.values())} - {'null'}
    return not common or (len(kinds) <= 1 and common * 2 <= min(len(ones), len(twos)))


def _has_object(shape: Schema) -> bool:
    inner = [shape.get('items'), *shape.get('anyOf', [])]
    return shape.get('type') == 'object' or any(is_object(part) and _has_object(part) for part in inner)


def _fitting(shape: dict[str, Any]) -> dict[str, Any]:
    """The shape, with as many levels as its maximum size allows."""
    for depth in range(_DEEPEST, -1, -1):
        cut = shape if depth == _DEEPEST else _cut(shape, depth)
        if _members_in(cut) <= _MAX_MEMBERS:
            return cut
    return {}


def _members_in(shape: Schema) -> int:
    inner = [*object_at(shape, 'properties').values(), *shape.get('anyOf', [])]
    inner += [shape[key] for key in ('items', 'additionalProperties') if key in shape]
    return sum(1 + _members_in(part) for part in inner)


def _cut(shape: Schema, depth: int) -> dict[str, Any]:
    if depth <= 0:
        return {'type': shape['type']} if 'type' in shape else {}
    cut = dict(shape)
    if 'properties' in shape:
        cut['properties'] = {key: _cut(inner, depth - 1) for key, inner in shape['properties'].items()}
    if 'anyOf' in shape:
        cut['anyOf'] = [_cut(inner, depth) for inner in shape['anyOf']]
    return cut | {key: _cut(shape[key], depth - 1) for key in ('items', 'additionalProperties') if key in shape}


_LONGEST = 40
_MAX_WORDS = 6
_MAX_DIGITS = 4
_WORD = re.compile(r'[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+')
_DIGIT = re.compile(r'\d')


def names_a_field(key: str) -> bool:
    """Whether a key looks like the name of a field."""
    return (
        0 < len(key) <= _LONGEST
        and (is_identifier(key) or is_identifier(f'{key}_'))
        and len(_WORD.findall(key)) <= _MAX_WORDS
        and len(_DIGIT.findall(key)) < _MAX_DIGITS
    )
