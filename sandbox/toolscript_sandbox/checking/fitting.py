"""Whether a value fits what a function takes.

Strict where JSON is, but for what validators commonly convert: numbers and booleans that are written as text. A value
of which only a part is known fits unless that part does not.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from .literal_values import Either, Entries, Items, Known, Some, Unknown, Value
from .stub_shapes import Anything, Choice, DictOf, ListOf, OneOf, Record, RecordOf, Scalar, Shape, TupleOf


@dataclass(frozen=True)
class Misfit:
    """What is wrong with a value, and where in it."""

    path: str
    """As it would be written after the parameter's name: `['items'][0]`."""
    message: str
    node: ast.expr | None = None
    """The part of the script that is wrong, where it is written out."""


@dataclass(frozen=True)
class Fitting:
    """Compares values with shapes; the work is bounded, and what lies beyond the bound fits."""

    records: Mapping[str, Record]
    steps: Iterator[int]
    """As many as may be taken."""
    converts: bool = False
    """Whether booleans may stand for numbers, and the other way round: Pydantic takes them so."""

    def misfit(self, value: Value, shape: Shape, path: str = '') -> Misfit | None:
        """The first thing that is wrong, or None."""
        if next(self.steps, None) is None or isinstance(value, Unknown) or isinstance(shape, Anything):
            return None
        if isinstance(value, Either):
            found = [self.misfit(one, shape, path) for one in value.values]
            return found[0] if all(found) else None
        match shape:
            case OneOf(members=members):
                return self._of_union(value, members, path)
            case ListOf() | TupleOf():
                return self._of_list(value, shape, path)
            case DictOf(value=inner):
                return self._of_dict(value, inner, path)
            case RecordOf(name=name):
                return self._of_record(value, name, path)
            case _:
                return None if self._scalar_fits(value, shape) else _mismatch(value, shape, path)

    def _of_union(self, value: Value, members: tuple[Shape, ...], path: str) -> Misfit | None:
        found = list[tuple[Shape, Misfit]]()
        for member in members:
            misfit = self.misfit(value, member, path)
            if misfit is None:
                return None
            found.append((member, misfit))
        # A dict was meant for a member that takes dicts: what is wrong inside is worth more than a list of types.
        deeper = [misfit for member, misfit in found if misfit.path != path or _is_container(value, member)]
        return deeper[0] if len(deeper) == 1 else _mismatch(value, OneOf(members), path)

    def _of_list(self, value: Value, shape: ListOf | TupleOf, path: str) -> Misfit | None:
        if not isinstance(value, Items):
            return _mismatch(value, shape, path)
        if isinstance(shape, TupleOf):
            if not value.whole:
                return None
            if len(value.items) != len(shape.items):
                return _mismatch(value, shape, path)
            pairs = zip(value.items, shape.items, strict=True)
        else:
            pairs = ((item, shape.item) for item in value.items)
        return _first(self.misfit(item, inner, f'{path}[{at}]') for at, (item, inner) in enumerate(pairs))

    def _of_dict(self, value: Value, inner: Shape, path: str) -> Misfit | None:
        if not isinstance(value, Entries):
            return _mismatch(value, DictOf(inner), path)
        return _first(self.misfit(item, inner, f'{path}[{key!r}]') for key, item in value.entries.items())

    def _of_record(self, value: Value, name: str, path: str) -> Misfit | None:
        if not isinstance(value, Entries):
            return _mismatch(value, RecordOf(name), path)
        record = self.records[name]
        missing = sorted(record.required - value.entries.keys()) if value.whole else []
        if missing:
            several = 's' if len(missing) > 1 else ''
            return Misfit(path, f'Missing required key{several} {_listed(missing)} of `{name}`', value.node)
        for key, item in value.entries.items():
            inner = record.fields.get(key, record.extra)
            if inner is None:
                return Misfit(path, f'Unknown key `{key}` of `{name}`. Keys: {_listed(record.fields)}', value.node)
            found = self.misfit(item, inner, f'{path}[{key!r}]')
            if found is not None:
                return found
        return None

    def _scalar_fits(self, value: Value, shape: Shape) -> bool:
        match value, shape:
            case Known(value=given), Choice(values=values):
                whole = isinstance(given, float) and given.is_integer()
                return (type(given), given) in values or (whole and (int, given) in values)
            case Some(kind=kind), Choice(values=values):
                return any(one.__name__ in (kind, 'int' if kind == 'float' else kind) for one, _ in values)
            case Known(value=given), Scalar(name=name):
                return self._plain_fits(given, name)
            case Some(kind=kind), Scalar(name=name):
                return kind == name or name in _FOR_SOME.get(kind, ()) or (self.converts and name in _CONVERTED)
            case _:
                return False

    def _plain_fits(self, given: str | float | bool | None, name: str) -> bool:
        if isinstance(given, str):
            return name == 'str' or (name in _WRITTEN and _WRITTEN[name].fullmatch(given.strip()) is not None)
        if isinstance(given, bool):
            return name == 'bool' or (self.converts and name in ('int', 'float'))
        if given is None:
            return name == 'None'
        if name == 'bool':
            return self.converts and given in (0, 1)
        return name == 'float' or (name == 'int' and (isinstance(given, int) or given.is_integer()))


def _listed(keys: Iterable[str]) -> str:
    named = list(islice(keys, _CONSTANTS + 1))
    return ', '.join(named[:_CONSTANTS]) + (', ...' if len(named) > _CONSTANTS else '')


def _first(found: Iterator[Misfit | None]) -> Misfit | None:
    return next((misfit for misfit in found if misfit is not None), None)


def _is_container(value: Value, shape: Shape) -> bool:
    if isinstance(value, Entries):
        return isinstance(shape, (RecordOf, DictOf))
    return isinstance(value, Items) and isinstance(shape, (ListOf, TupleOf))


def _mismatch(value: Value, shape: Shape, path: str) -> Misfit:
    node = value.node if isinstance(value, (Known, Items, Entries)) else None
    return Misfit(path, f'Expected `{words(shape)}`, found {_found(value)}', node)


def _found(value: Value) -> str:
    match value:
        case Known(value=given):
            text = repr(given)
            return f'`{text if len(text) <= _SHOWN else text[:_SHOWN] + "..."}`'
        case Items():
            return 'a list'
        case Entries():
            return 'a dict'
        case Some(kind=kind):
            return f'`{kind}`'
        case _:
            return 'something else'


def words(shape: Shape) -> str:
    """The shape as an annotation; of many constants the first."""
    match shape:
        case Scalar(name=name) | RecordOf(name=name):
            return name
        case Choice(shown=shown):
            listed = ', '.join(map(repr, shown[:_CONSTANTS]))
            return f'Literal[{listed}{", ..." if len(shown) > _CONSTANTS else ""}]'
        case ListOf(item=item):
            return 'list' if isinstance(item, Anything) else f'list[{words(item)}]'
        case TupleOf(items=items):
            return f'tuple[{", ".join(map(words, items))}]'
        case DictOf(value=inner):
            return 'dict' if isinstance(inner, Anything) else f'dict[str, {words(inner)}]'
        case OneOf(members=members):
            return ' | '.join(map(words, members))
        case _:
            return 'Any'


_SHOWN = 60
_CONSTANTS = 12
_CONVERTED = frozenset(['int', 'float', 'bool'])
_FOR_SOME = {'str': _CONVERTED, 'int': ('float',), 'float': ('int',)}
_INTEGER = r'[+-]?\d+(?:_\d+)*'
_WRITTEN = {
    'int': re.compile(rf'{_INTEGER}(?:\.0*)?'),
    'float': re.compile(r'[+-]?(?:(?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf|infinity|nan)', re.IGNORECASE),
    'bool': re.compile('true|false|yes|no|on|off|t|f|y|n|1|0', re.IGNORECASE),
}
