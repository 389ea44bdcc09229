"""Made-up results of calls that were not made: plain JSON whose parts are recognised in later calls.

Texts are tokens with a secret and numbers are unique, so that no real value is mistaken for one of them. Placeholder
objects in the script do not work: Monty calls neither `__bool__` nor `__len__` nor `__lt__` of a class.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from secrets import randbelow, token_hex
from typing import Any

from pydantic_core import to_json

from toolscript.approvals.pending import Hole, Path, Ref
from toolscript.guards import fields, is_array, is_object, items

from .clues import Clues, Keys


@dataclass
class Placeholders:
    """The made-up values of one preview."""

    clues: Clues
    _secret: str = field(default_factory=lambda: f'zq{token_hex(5)}x')
    _next: int = field(default_factory=lambda: 7_000_000_000 + randbelow(900_000_000))
    _texts: list[Ref] = field(default_factory=list[Ref])
    _numbers: dict[str, Ref] = field(default_factory=dict[str, Ref])
    _objects: dict[bytes, Ref] = field(default_factory=dict[bytes, Ref])
    _seen: re.Pattern[str] = field(init=False)

    def __post_init__(self) -> None:
        self._seen = re.compile(self._secret + r'(\d{4,}?)z|\d{10}(?:\.25)?')

    def result(self, row: int, schema: Mapping[str, Any] | None, args: Mapping[str, Any], keys: Keys | None) -> Any:
        """Return the result of a row's call by its JSON `schema`, or with the `keys` that the script uses.

        A field with the name of an argument repeats its value.
        """
        return _Maker(self, row, args, schema or {}).value((), schema, keys or {})

    def text(self, ref: Ref) -> str:
        self._texts.append(ref)
        return f'{self._secret}{len(self._texts) - 1:04d}z'

    def number(self, ref: Ref, *, whole: bool) -> int | float:
        """Return a number for that part of a result, larger than all previous ones."""
        self._next += 1
        value = self._next if whole else self._next + 0.25
        self._numbers[str(value)] = ref
        return value

    def object(self, ref: Ref, value: dict[str, Any]) -> dict[str, Any]:
        """Register an object as that part of a result, and return it."""
        if self.holes(value):
            self._objects[_canonical(value)] = ref
        return value

    def holes(self, value: Any, path: Path = ()) -> list[Hole]:
        """Return the places of made-up values within a value."""
        if isinstance(value, str):
            parts = self._split(value)
            return [Hole(path, parts)] if parts else []
        if isinstance(value, int | float):
            ref = self._numbers.get(str(value))
            return [] if ref is None else [Hole(path, (ref,))]
        if is_object(value):
            whole = self._objects.get(_canonical(value)) if path and self._objects else None
            if whole is not None:
                return [Hole(path, (whole,))]
            return [hole for key, inner in value.items() for hole in self.holes(inner, (*path, str(key)))]
        inner_holes = (self.holes(inner, (*path, index)) for index, inner in enumerate(items(value)))
        return [hole for holes in inner_holes for hole in holes]

    def _split(self, text: str) -> tuple[str | Ref, ...]:
        parts, end = list[str | Ref](), 0
        for found in self._seen.finditer(text):
            index = found[1]
            if index is not None:
                ref = self._texts[int(index)] if int(index) < len(self._texts) else None
            else:
                ref = self._numbers.get(found[0])
            if ref is not None:
                # A text that consists of a number remains a text.
                before = text[end : found.start()]
                parts += [before, ref] if before or (index is None and not parts) else [ref]
                end = found.end()
        return tuple([*parts, text[end:]] if text[end:] else parts) if parts else ()


@dataclass
class _Maker:
    """Makes up the result of one call."""

    made: Placeholders
    row: int
    args: Mapping[str, Any]
    root: Mapping[str, Any]

    def value(self, path: Path, given: object, keys: Keys, depth: int = 0) -> Any:
        schema, key = self._resolved(fields(given)), str(path[-1]) if path else ''
        if 'const' in schema:
            return schema['const']
        options, literal = items(schema.get('enum')), self.made.clues.literals.get(key)
        if options:
            return literal if literal in options else options[0]
        kind = _kind(schema) or self._guess(key, keys)
        if kind == 'null' or (key in _NONES and _may_be_null(schema)) or depth > _DEEPEST:
            return None
        if path and key in self.args and _fits(self.args[key], kind):
            return self.args[key]
        if literal is not None and _fits(literal, kind):
            return literal
        match kind:
            case 'object':
                properties, required = fields(schema.get('properties')), items(schema.get('required'))
                names = [*(name for name in properties if name in required or name not in _NONES)]
                names += [] if properties else keys
                made = {
                    name: self.value((*path, name), properties.get(name), keys.get(name, {}), depth + 1)
                    for name in names
                }
                return self.made.object(Ref(self.row, path), made)
            case 'array':
                return []
            case 'boolean':
                return True
            case 'integer' | 'number':
                return self.made.number(Ref(self.row, path), whole=kind == 'integer')
            case _:
                return self.made.text(Ref(self.row, path))

    def _guess(self, key: str, keys: Keys) -> str:
        if keys:
            return 'object'
        literal = self.made.clues.literals.get(key)
        if literal is not None:
            return next(name for name, kind in _TYPES.items() if _fits(literal, name) and isinstance(literal, kind))
        if key in self.args:
            return ''
        if key in _TRUE or key.startswith('is_'):
            return 'boolean'
        return 'integer' if key in self.made.clues.numbers or key in _COUNTS else 'string'

    def _resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        for _ in range(_DEEPEST):
            reference = schema.get('$ref')
            if isinstance(reference, str) and reference.startswith('#/'):
                found: object = self.root
                for name in reference[2:].split('/'):
                    found = fields(found).get(name)
                schema = fields(found)
            elif (options := _alternatives(schema)) and 'type' not in schema:
                good = [one for one in options if fields(one).get('type') != 'null']
                schema = fields((good or options)[0])
            else:
                break
        return schema


def _kind(schema: Mapping[str, Any]) -> str:
    """Return the type that a schema allows; '' if it names none."""
    kind = schema.get('type')
    if is_array(kind):
        kind = next((one for one in kind if one != 'null'), 'null')
    return kind if isinstance(kind, str) else 'object' if 'properties' in schema else ''


def _alternatives(schema: Mapping[str, Any]) -> Sequence[Any]:
    return next((found for name in ('anyOf', 'oneOf', 'allOf') if (found := items(schema.get(name)))), ())


def _may_be_null(schema: Mapping[str, Any]) -> bool:
    """Return whether a schema with alternatives describes the value itself or null."""
    kind = schema.get('type')
    return not isinstance(kind, str) or kind == 'null'


def _fits(value: object, kind: str) -> bool:
    return isinstance(value, _TYPES.get(kind, object)) and not (isinstance(value, bool) and kind not in ('boolean', ''))


def _canonical(value: Mapping[str, Any]) -> bytes:
    return to_json(dict(sorted(value.items(), key=lambda item: str(item[0]))), fallback=str)


_DEEPEST = 8
_TYPES: dict[str, Any] = {
    'string': str,
    'integer': int,
    'number': (int, float),
    'boolean': bool,
    'array': list,
    'object': dict,
}
_NONES = frozenset(
    ['cursor', 'err', 'error', 'errors', 'failure', 'next', 'next_cursor', 'next_page', 'reason', 'warning']
)
_TRUE = frozenset(['active', 'created', 'deleted', 'done', 'found', 'ok', 'sent', 'success', 'updated', 'valid'])
_COUNTS = frozenset(
    ['amount', 'balance', 'count', 'left', 'number', 'price', 'quantity', 'remaining', 'size', 'total', 'version']
)
