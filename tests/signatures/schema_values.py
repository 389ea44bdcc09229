"""Values drawn from JSON schemas."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Protocol

from jsonschema import Draft202012Validator

from toolscript_signatures.types.json_values import array_at, is_array, is_number, is_object, names_at, object_at


class Refusal(Protocol):
    """The relevant part of a validation error."""

    @property
    def validator(self) -> Any: ...
    @property
    def context(self) -> Any: ...


class Validator(Protocol):
    """The used part of a jsonschema validator, whose own types are partly unknown."""

    def is_valid(self, instance: Any) -> bool: ...
    def iter_errors(self, instance: Any) -> Iterator[Refusal]: ...


def validator_of(schema: Any) -> Validator:
    """Return a validator for a schema of the newest draft."""
    return Draft202012Validator(schema)


class SchemaValues:
    """Draws values from one schema. They may be invalid if the schema requires more than types; check with `valid`."""

    def __init__(self, schema: Any, random: Random) -> None:
        self._root = schema
        self._random = random
        self._validator = validator_of(schema)

    def valid(self, value: Any) -> bool | None:
        """Return whether a value is valid; `None` if the schema is too malformed to tell."""
        try:
            return self._validator.is_valid(value)
        except Exception:  # jsonschema raises any exception for a malformed schema
            return None

    def draw(self, full: bool) -> Any:
        """Return a value, with all optional keys if `full`, otherwise with some."""
        return self._draw(self._root, 0, full)

    def _draw(self, schema: Any, depth: int, full: bool) -> Any:
        if not is_object(schema) or depth > 9:
            return self._random.choice(['anything', 1, None])
        if isinstance(reference := schema.get('$ref'), str):
            return self._draw(_resolved(self._root, reference), depth + 1, full)
        if 'const' in schema:
            return schema['const']
        if array_at(schema, 'enum'):
            return self._random.choice(schema['enum'])
        for key in ('anyOf', 'oneOf'):
            if array_at(schema, key):
                branch = self._random.choice(schema[key])
                rest = {name: inner for name, inner in schema.items() if name != key}
                return self._joined([branch, rest] if 'properties' in rest else [branch], depth, full)
        if is_array(schema.get('allOf')):
            rest = {name: inner for name, inner in schema.items() if name != 'allOf'}
            return self._joined([*schema['allOf'], rest], depth, full)
        return self._typed(schema, depth, full)

    def _joined(self, schemas: Sequence[Any], depth: int, full: bool) -> Any:
        drawn = [self._draw(schema, depth + 1, full) for schema in schemas if schema]
        if all(map(is_object, drawn)):
            return {key: inner for value in drawn for key, inner in value.items()}
        return drawn[0] if drawn else {}

    def _typed(self, schema: Mapping[str, Any], depth: int, full: bool) -> Any:
        kind = schema.get('type', 'object' if 'properties' in schema else None)
        if is_array(kind) and kind:
            kind = self._random.choice(kind)
        match kind:
            case 'object':
                return self._object(schema, depth, full)
            case 'array':
                return self._array(schema, depth, full)
            case 'integer':
                return int(self._number(schema))
            case 'number':
                return self._random.choice([self._number(schema), float(self._number(schema))])
            case 'boolean':
                return self._random.choice([True, False])
            case 'null':
                return None
            case 'string':
                return self._string(schema)
            case _:
                return self._random.choice(['anything', 1, 2.5, True, None, [1], {'a': 1}])

    def _object(self, schema: Mapping[str, Any], depth: int, full: bool) -> Any:
        properties = object_at(schema, 'properties')
        required = names_at(schema, 'required')
        wanted = [name for name in properties if name in required or self._wanted(depth, full)]
        drawn = {
            name: self._draw(properties[name], depth + 1, full) for name in wanted if properties[name] is not False
        }
        drawn |= {name: 'anything' for name in required if name not in properties}
        further = schema.get('additionalProperties')
        if is_object(further) or (further is True and not properties):
            drawn |= {
                f'key {number}': self._draw(further, depth + 1, full) for number in range(self._random.randint(0, 2))
            }
        return drawn

    def _wanted(self, depth: int, full: bool) -> bool:
        return depth < 7 and (full or self._random.random() < 0.5)

    def _array(self, schema: Mapping[str, Any], depth: int, full: bool) -> Any:
        low = schema.get('minItems')
        count = max(low if isinstance(low, int) else 0, self._random.randint(0, 2) if depth < 7 else 0)
        drawn = [self._draw(first, depth + 1, full) for first in array_at(schema, 'prefixItems')]
        while len(drawn) < min(count, 20):
            drawn.append(self._draw(schema.get('items', True), depth + 1, full))
        return drawn

    def _number(self, schema: Mapping[str, Any]) -> int | float:
        low = next((schema[key] for key in ('minimum', 'exclusiveMinimum') if is_number(schema.get(key))), None)
        high = next((schema[key] for key in ('maximum', 'exclusiveMaximum') if is_number(schema.get(key))), None)
        if low is None:
            return 3 if high is None else high - 1
        return low + 1 if high is None else (low + high) / 2

    def _string(self, schema: Mapping[str, Any]) -> str:
        given = names_at(schema, 'examples')
        low = schema.get('minLength')
        text = self._random.choice([*given, 'it\'s "text"\n', 'x', 'café ✓'])
        return text.ljust(low, 'x') if isinstance(low, int) else text


def _resolved(root: Any, reference: str) -> Any:
    found = root
    for segment in reference.removeprefix('#').strip('/').split('/'):
        if not is_object(found):
            return True
        found = found.get(segment.replace('~1', '/').replace('~0', '~'), True)
    return found
