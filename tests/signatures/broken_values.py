"""Values that violate a JSON schema in one place, by the kind of violation."""

import copy
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from tests.signatures.schema_values import Refusal, validator_of
from toolscript_signatures.types.json_values import is_array, is_object, names_at

Place = Sequence[Any]
"""The keys and indices that lead to a value."""

_TYPES = frozenset(['type', 'required', 'enum', 'const', 'additionalProperties'])


def broken_values(schema: Any, value: dict[str, Any], random: Random, most: int = 8) -> Iterator[tuple[str, Any]]:
    """Up to `most` broken arguments objects, each with its kind; they break only what types can say.

    `None` for an optional parameter is not among them: that is how callers say "the default".
    """
    validator = validator_of(schema)
    required = names_at(schema, 'required') if is_object(schema) else []
    candidates = [
        (kind, broken)
        for kind, broken in _candidates(value, random)
        if kind != 'top: None' or all(broken[key] is not None or key in required for key in broken)
    ]
    random.shuffle(candidates)
    found = 0
    for kind, broken in candidates:
        if found == most:
            return
        try:
            keywords = {word for error in validator.iter_errors(broken) for word in _keywords(error)}
        except Exception:  # a malformed schema can make jsonschema raise anything
            return
        if keywords and keywords <= _TYPES:
            found += 1
            yield kind if 'enum' not in keywords and 'const' not in keywords else f'{kind}, of an enum', broken


def _candidates(value: dict[str, Any], random: Random) -> Iterator[tuple[str, Any]]:
    for place in _places(value):
        where = 'nested' if len(place) > 1 else 'top'
        if isinstance(place[-1], str):
            yield f'{where}: missing key', _without(value, place)
        found = _at(value, place)
        for kind, other in _others(found, random):
            yield f'{where}: {kind}', _with(value, place, other)
        if is_object(found):
            yield f'{where}: unknown key', _with(value, place, {**found, 'zz_unknown': 1})
    yield 'top: unknown key', {**value, 'zz_unknown': 1}


def _others(value: Any, random: Random) -> Iterator[tuple[str, Any]]:
    if value is not None:
        yield 'None', None
    match value:
        case bool():
            yield 'wrong scalar', random.choice(['zz', 5])
            yield 'container for scalar', random.choice([[True], {'a': 1}])
        case int() | float():
            yield 'wrong scalar', 'zz'
            yield 'bool for number', True
            yield 'container for scalar', random.choice([[1], {'a': 1}])
        case str():
            yield 'wrong scalar', random.choice([7, 2.5, True])
            yield 'container for scalar', random.choice([['a'], {'a': 1}, []])
            yield 'other text', 'zz other'
        case list():
            yield 'scalar for container', random.choice(['zz', 7])
            yield 'dict for list', random.choice([{'a': 1}, {}])
            yield 'wrong element', [*value, random.choice([7, 'zz', ['a'], {'k': ['a']}, None])]
        case dict():
            yield 'scalar for container', random.choice(['zz', 7, True])
            yield 'list for dict', random.choice([[1], [], ['a']])
            yield 'empty dict', {}
        case _:
            yield 'wrong scalar', 'zz'


def _places(value: Any, above: Place = ()) -> Iterator[Place]:
    if is_object(value) or is_array(value):
        keys: list[Any] = list(value) if is_object(value) else list(range(len(value)))
        for key in keys:
            yield (*above, key)
            yield from _places(value[key], (*above, key))


def _at(value: Any, place: Place) -> Any:
    for key in place:
        value = value[key]
    return value


def _with(value: Any, place: Place, other: Any) -> Any:
    changed = copy.deepcopy(value)
    _at(changed, place[:-1])[place[-1]] = other
    return changed


def _without(value: Any, place: Place) -> Any:
    changed = copy.deepcopy(value)
    del _at(changed, place[:-1])[place[-1]]
    return changed


def _keywords(error: Refusal) -> Iterator[str]:
    if error.context:
        for inner in error.context:
            yield from _keywords(inner)
    else:
        yield str(error.validator)
