"""Shortens tools whose descriptions or schemas are too long.

Texts of tools are in every prompt, and anyone may write them. So each tool is limited: 6,000 characters of
description, 2,500 in the note about a parameter or field, 300 values of an enumeration, 100 fields of an object, 600
parts in all, and 20,000 characters in all. A note says what is left out. Calls are checked against the whole schema.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from toolscript_signatures.types.json_values import array_at, is_array, is_object, names_at, object_at, source_or_text
from toolscript_signatures.types.spec import ToolSpec, content_of

_SHORT = 3_000
_LONGEST = 6_000
_LONGEST_NOTE = 2_500
_LONGEST_TEXT = 20_000
_MAX_VALUES = 300
_MAX_VALUE_CHARS = 400
_MAX_FIELDS = 100
_MAX_PLACES = 600
_DEEPEST = 12


def bounded(spec: ToolSpec) -> ToolSpec:
    """The spec without what exceeds the limits; the same object if nothing does."""
    if len(content_of((spec.description,), spec.parameters, spec.returns)) <= _SHORT:
        return spec
    cutter, description = _Cutter(), cut(spec.description, _LONGEST)
    try:
        parameters, returns = cutter.schema(spec.parameters), cutter.schema(spec.returns)
    except Exception:  # an unforeseen schema: the text as a whole is limited, too
        return replace(spec, description=description)
    return replace(spec, description=description, parameters=parameters, returns=returns)


def fits(text: str) -> bool:
    """Whether the text of one tool is short enough."""
    return len(text) <= _LONGEST_TEXT


def cut(text: Any, longest: int) -> Any:
    """The beginning of a text that is too long, marked as cut; other values are unchanged."""
    if not isinstance(text, str) or len(text) <= longest:
        return text
    return f'{text[:longest].rstrip()} [... cut after {longest:,} characters]'


@dataclass
class _Cutter:
    """Copies schemas up to the limits."""

    places: int = 0

    def schema(self, schema: Any, depth: int = 0) -> Any:
        """The schema within the limits."""
        if not is_object(schema):
            if not is_array(schema):
                return cut(schema, _LONGEST_NOTE)
            inner = schema[:_MAX_FIELDS] if depth <= _DEEPEST else []
            return [self.schema(item, depth + 1) for item in inner]
        self.places += 1
        if self.places > _MAX_PLACES or depth > _DEEPEST:
            return {'description': 'left out: the tool has too many parts'}
        copied = {key: self._part(key, value, depth) for key, value in schema.items()}
        return _values(schema, self._fields(schema, copied, depth))

    def _part(self, key: str, value: Any, depth: int) -> Any:
        if key in _NAMED:
            return value
        if key in _TABLES and is_object(value):
            return {name: self.schema(inner, depth + 1) for name, inner in value.items()}
        return self.schema(value, depth + 1)

    def _fields(self, schema: Mapping[str, Any], copied: dict[str, Any], depth: int) -> dict[str, Any]:
        properties = object_at(schema, 'properties')
        if not properties:
            return copied
        required = set(names_at(schema, 'required'))
        names = set(sorted(properties, key=lambda name: name not in required)[:_MAX_FIELDS])
        shown = {name: self.schema(inner, depth + 1) for name, inner in properties.items() if name in names}
        changed = {**copied, 'properties': shown}
        left_out = len(properties) - len(shown)
        if not left_out:
            return changed
        changed['required'] = [name for name in names_at(schema, 'required') if name in shown]
        return _noted({**changed, 'additionalProperties': True}, f'{left_out:,} more fields')


def _values(schema: Mapping[str, Any], copied: dict[str, Any]) -> dict[str, Any]:
    values = array_at(schema, 'enum')
    sources = [source_or_text(value) for value in values]
    if len(values) <= _MAX_VALUES and sum(map(len, sources)) <= _LONGEST_NOTE:
        return copied
    shown, room = list[str](), _MAX_VALUE_CHARS
    for source in sources:
        room -= len(source)
        if room < 0:
            break
        shown.append(source)
    rest = {key: value for key, value in copied.items() if key not in ('enum', 'type')}
    kind = {'type': 'string'} if all(isinstance(value, str) for value in values) else {}
    such = f', such as {", ".join(shown)}' if shown else ''
    return _noted({**rest, **kind}, f'one of {len(values):,} values{such}')


def _noted(schema: dict[str, Any], note: str) -> dict[str, Any]:
    described = schema.get('description')
    text = f'{described} [{note}]' if isinstance(described, str) and described else note
    return {**schema, 'description': text}


_NAMED = frozenset({'$ref', 'required', 'enum', 'properties'})
_TABLES = frozenset({'$defs', 'definitions', 'patternProperties', 'dependentSchemas'})
