"""Compares JSON values with the types of parameters.

The comparison is strict, except that it accepts numbers and booleans that are written as text, which validators
commonly convert. The tool itself checks what a type does not express: patterns, ranges, formats.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from toolscript_signatures.render.writing import NameOf, write
from toolscript_signatures.types.json_values import Schema, is_array, is_object
from toolscript_signatures.types.pytypes import (
    ANY,
    Choice,
    DictOf,
    ListOf,
    OneOf,
    Plain,
    PyType,
    Record,
    RecordRef,
    TupleOf,
)


class Mismatch(NamedTuple):
    """What is wrong with a value, and where."""

    path: tuple[str | int, ...]
    """The keys and indices of the place in the value."""
    message: str


class ComparisonTooLong(Exception):
    """The comparison exceeded its number of steps."""


@dataclass
class Validation:
    """Compares values with types. Recursive types make some comparisons exponential, so the steps are counted."""

    records: Mapping[str, Record]
    name_of: NameOf
    steps: int = 30_000

    def mismatch(self, value: object, type_: PyType, path: tuple[str | int, ...] = ()) -> Mismatch | None:
        """The first mismatch, or None. Raises `ComparisonTooLong`."""
        self.steps -= 1
        if self.steps < 0:
            raise ComparisonTooLong
        match type_:
            case OneOf(members):
                return self._of_union(value, members, path)
            case TupleOf(types) if is_array(value) and len(value) == len(types):
                return self._first((one, types[at], (*path, at)) for at, one in enumerate(value))
            case ListOf(item) if is_array(value):
                return self._first((one, item, (*path, at)) for at, one in enumerate(value))
            case DictOf(inner) if is_object(value):
                return self._first((one, inner, (*path, key)) for key, one in value.items())
            case RecordRef(at) if is_object(value):
                return self._of_record(value, at, path)
            case _:
                return None if _is_plainly(value, type_) else self._expected(value, type_, path)

    def _first(self, parts: Iterable[tuple[object, PyType, tuple[str | int, ...]]]) -> Mismatch | None:
        return next((found for part in parts if (found := self.mismatch(*part)) is not None), None)

    def _of_union(self, value: object, members: Iterable[PyType], path: tuple[str | int, ...]) -> Mismatch | None:
        found = list[Mismatch]()
        for member in members:
            mismatch = self.mismatch(value, member, path)
            if mismatch is None:
                return None
            # A dict is meant for the member that accepts dicts: its inner mismatch helps more than a list of types.
            found += [mismatch] if mismatch.path != path or _is_meant(value, member) else []
        return found[0] if len(found) == 1 else self._expected(value, OneOf(tuple(members)), path)

    def _of_record(self, value: Schema, at: str, path: tuple[str | int, ...]) -> Mismatch | None:
        record = self.records[at]
        fields = {field.key: field.type for field in record.fields}
        missing = sorted(field.key for field in record.fields if field.required and field.key not in value)
        if missing:
            several = 's' if len(missing) > 1 else ''
            return Mismatch(path, f'Missing required key{several} {_listed(missing)} of `{self.name_of(at)}`')
        for key, one in value.items():
            type_ = fields.get(key, record.extra)
            if type_ is None:
                return Mismatch(path, f'Unknown key `{key}` of `{self.name_of(at)}`. Keys: {_listed(fields)}')
            if found := self.mismatch(one, type_, (*path, key)):
                return found
        return None

    def _expected(self, value: object, type_: PyType, path: tuple[str | int, ...]) -> Mismatch:
        text = '' if is_array(value) or is_object(value) else repr(value)
        text = text if len(text) <= _LONGEST else f'{text[:_LONGEST]}...'
        found = 'a list' if is_array(value) else 'a dict' if is_object(value) else f'`{text}`'
        shown = Choice(type_.values[:_CONSTANTS]) if isinstance(type_, Choice) else type_
        return Mismatch(path, f'Expected `{write(shown, self.name_of)}`, found {found}')


def _is_meant(value: object, type_: PyType) -> bool:
    if is_object(value):
        return isinstance(type_, RecordRef | DictOf)
    return is_array(value) and isinstance(type_, ListOf | TupleOf)


def _is_plainly(value: object, type_: PyType) -> bool:
    match type_:
        case Choice(values):
            whole = int(value) if isinstance(value, float) and value.is_integer() else value
            return any(type(whole) is kind and whole == one for kind, one in values)
        case Plain('str'):
            return isinstance(value, str)
        case Plain('None'):
            return value is None
        case Plain('bool'):
            return isinstance(value, bool) or _is_written(value, _BOOLEAN)
        case Plain('int'):
            whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
            return (whole and not isinstance(value, bool)) or _is_written(value, _INTEGER)
        case Plain('float'):
            number = isinstance(value, int | float) and not isinstance(value, bool)
            return number or _is_written(value, _NUMBER)
        case _:
            return type_ == ANY


def _is_written(value: object, pattern: re.Pattern[str]) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value.strip()) is not None


def _listed(keys: Iterable[str]) -> str:
    named = list(keys)
    return ', '.join(named[:_CONSTANTS]) + (', ...' if len(named) > _CONSTANTS else '')


_CONSTANTS = 12
_LONGEST = 60
_INTEGER = re.compile(r'[+-]?\d+(?:_\d+)*(?:\.0*)?')
_NUMBER = re.compile(r'[+-]?(?:(?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf|infinity|nan)', re.IGNORECASE)
_BOOLEAN = re.compile('true|false|yes|no|on|off|t|f|y|n|1|0', re.IGNORECASE)
