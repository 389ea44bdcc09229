"""Python types as source text."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from toolscript_signatures.render.template import note_hole
from toolscript_signatures.types.identifiers import TYPING, is_identifier
from toolscript_signatures.types.json_values import atom
from toolscript_signatures.types.pytypes import (
    ANY,
    Choice,
    DictOf,
    Field,
    ListOf,
    OneOf,
    Plain,
    PyType,
    Record,
    RecordRef,
    TupleOf,
    union,
)

NameOf = Callable[[str], str]
"""Returns the name of a `TypedDict`, by the place in the schema that defines it."""


def write(type_: PyType, name_of: NameOf, *, bare: bool = False) -> str:
    """A type as an annotation. With `bare`, `dict[str, Any]` and `list[Any]` are `dict` and `list`."""
    if isinstance(type_, Plain):  # most are
        return type_.name
    match type_:
        case Choice(values):
            return f'Literal[{("," if bare else ", ").join([atom(value) for _, value in values])}]'
        case ListOf(item):
            return 'list' if bare and item == ANY else f'list[{write(item, name_of, bare=bare)}]'
        case DictOf(value):
            return 'dict' if bare and value == ANY else f'dict[str, {write(value, name_of, bare=bare)}]'
        case TupleOf(items):
            return f'tuple[{", ".join(write(item, name_of, bare=bare) for item in items)}]'
        case OneOf(members):
            return ' | '.join(write(member, name_of, bare=bare) for member in members)
        case RecordRef(at):
            return name_of(at)


def accepted(type_: PyType) -> PyType:
    """The type that callers may use: for a tuple, also a list of its items."""
    match type_:
        case ListOf(item):
            return ListOf(accepted(item))
        case DictOf(value):
            return DictOf(accepted(value))
        case TupleOf(items):
            inner = tuple(map(accepted, items))
            return union([TupleOf(inner), ListOf(union(list(inner)))])
        case OneOf(members):
            return union([accepted(member) for member in members])
        case _:
            return type_


def references(type_: PyType) -> Iterator[str]:
    """The places of the `TypedDict`s that a type refers to."""
    match type_:
        case RecordRef(at):
            yield at
        case ListOf(item) | DictOf(item):
            yield from references(item)
        case TupleOf(items) | OneOf(items):
            for item in items:
                yield from references(item)
        case _:
            pass


def record_references(record: Record) -> list[str]:
    """The places of the `TypedDict`s that a record refers to, without duplicates."""
    types = [field.type for field in record.fields if not isinstance(field.type, Plain)]
    types += [record.extra] if record.extra else []
    return list(dict.fromkeys(at for type_ in types for at in references(type_)))


@dataclass(frozen=True)
class Style:
    """The layout of definitions."""

    indent: str
    comment: Callable[[str, str], str] = lambda key, note: ''
    """Returns the comment with a note about a key; it may be empty."""
    mark: str = ''
    """The beginning of a comment; empty if there are no comments."""
    totals: bool = True
    """Whether definitions may use `total=False`."""
    checker: bool = False
    """Whether it is for type checkers only."""
    bare: bool = False
    """Whether `dict[str, Any]` and `list[Any]` are `dict` and `list`."""


TERSE = Style(' ', note_hole, ' # ', bare=True)
"""For models: indented by one space, because more would cost a token in each line."""
BARE = Style(' ', bare=True)
CHECKED = Style(' ', checker=True)
CLASSIC = Style('    ', lambda key, note: f'  # {note}' if note else '', '  # ', totals=False)


class Definition(NamedTuple):
    """The source of one `TypedDict`."""

    record: Record
    name_of: NameOf
    style: Style
    later: Collection[str] = ()
    """The places of records that are defined later: annotations quote them."""

    def source(self, name: str) -> str:
        """The definition with this name."""
        fields, style = self.record.fields, self.style
        total = not style.totals or sum(field.required for field in fields) * 2 >= len(fields)
        extra = self.record.extra if style.checker else None
        keywords = ('' if total else ', total=False') + (f', extra_items={write(extra, self.name_of)}' if extra else '')
        as_call = any(_needs_quotes(field.key) for field in fields)
        comma = ',' if as_call else ''
        lines = [
            f'{style.indent}{atom(field.key) if as_call else field.key}: {self._type(field, total)}{comma}'
            + style.comment(field.key, field.note)
            for field in fields
        ]
        if as_call:
            return '\n'.join([f"{name} = TypedDict('{name}', {{{self._comment()}", *lines, f'}}{keywords})'])
        lines = lines or [f'{style.indent}pass']
        return '\n'.join([f'class {name}(TypedDict{keywords}):{self._comment()}', *lines])

    def _type(self, field: Field, total: bool) -> str:
        type_ = accepted(field.type) if self.style.checker else field.type
        source = write(type_, self.name_of, bare=self.style.bare)
        if self.later and any(at in self.later for at in references(field.type)):
            source = _quoted(source)
        if field.required == total:
            return source
        return f'{"Required" if field.required else "NotRequired"}[{source}]'

    def _comment(self) -> str:
        record, mark = self.record, self.style.mark
        comment = self.style.comment(record.hint, record.note)
        if record.extra is None or not mark:
            return comment
        values = write(record.extra, self.name_of, bare=self.style.bare)
        return f'{comment}{";" if comment else mark.rstrip()} other keys: {values}'


def _quoted(source: str) -> str:
    if "'" not in source:
        return f"'{source}'"
    escaped = source.replace('\\', '\\\\').replace('"', '\\"')
    return f'"{escaped}"'


_SHADOWING = TYPING | {'str', 'int', 'float', 'bool', 'list', 'dict', 'tuple'}


@lru_cache(maxsize=8192)
def _needs_quotes(key: str) -> bool:
    """Whether a class body cannot declare a key: it is no identifier, would be mangled, or hides a type."""
    if not is_identifier(key) or key.startswith('__') or key in _SHADOWING:
        return True
    return key[0].isupper() and '_' not in key and not key.isupper()  # like the names of types
