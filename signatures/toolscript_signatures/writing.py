"""Python types as source text."""

from collections.abc import Callable, Collection

from .identifiers import BUILTINS, TYPING, is_identifier
from .pytypes import Choice, DictOf, Field, ListOf, OneOf, Plain, PyType, Record, RecordRef, TupleOf, union

NameOf = Callable[[str], str]
"""The name of a `TypedDict`, by the place in the schema where it is defined."""


def write(type_: PyType, name_of: NameOf) -> str:
    """A type as an annotation."""
    match type_:
        case Plain(name):
            return name
        case Choice(values):
            return f'Literal[{", ".join(repr(value) for _, value in values)}]'
        case ListOf(item):
            return f'list[{write(item, name_of)}]'
        case DictOf(value):
            return f'dict[str, {write(value, name_of)}]'
        case TupleOf(items):
            return f'tuple[{", ".join(write(item, name_of) for item in items)}]'
        case OneOf(members):
            return ' | '.join(write(member, name_of) for member in members)
        case RecordRef(at):
            return name_of(at)


def accepted(type_: PyType) -> PyType:
    """The type as a caller may write it: where a fixed list is wanted, Python's tuple or a list of the same items."""
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


def references(type_: PyType) -> list[str]:
    """The places of the `TypedDict`s that a type names."""
    match type_:
        case RecordRef(at):
            return [at]
        case ListOf(item) | DictOf(item):
            return references(item)
        case TupleOf(items) | OneOf(items):
            return [at for item in items for at in references(item)]
        case _:
            return []


def record_references(record: Record) -> list[str]:
    """The places of the `TypedDict`s that a record's fields name."""
    types = [field.type for field in record.fields] + ([record.extra] if record.extra else [])
    return list(dict.fromkeys(at for type_ in types for at in references(type_)))


class Definition:
    """Source of one `TypedDict`."""

    def __init__(
        self, record: Record, name_of: NameOf, *, notes: bool, checker: bool, later: Collection[str] = ()
    ) -> None:
        """With `notes` comments are shown; with `checker` what only a type checker reads is written.

        `later` are the places whose definition does not come before this one.
        """
        self._record = record
        self._name_of = name_of
        self._notes = notes
        self._checker = checker
        self._later = later

    def source(self, name: str) -> str:
        """The definition under a name."""
        required = sum(field.required for field in self._record.fields)
        total = required * 2 >= len(self._record.fields)
        if any(_needs_quotes(field.key) for field in self._record.fields):
            return self._call(name, total)
        return self._class(name, total)

    def _class(self, name: str, total: bool) -> str:
        head = f'class {name}(TypedDict{"" if total else ", total=False"}{self._extra()}):{self._comment(self._told())}'
        fields = [
            f'    {field.key}: {self._type(field, total)}{self._comment(field.note)}' for field in self._record.fields
        ]
        return '\n'.join([head, *(fields or ['    pass'])])

    def _call(self, name: str, total: bool) -> str:
        head = f'{name} = TypedDict({name!r}, {{{self._comment(self._told())}'
        fields = [
            f'    {field.key!r}: {self._type(field, total)},{self._comment(field.note)}'
            for field in self._record.fields
        ]
        return '\n'.join([head, *fields, f'}}{"" if total else ", total=False"}{self._extra()})'])

    def _type(self, field: Field, total: bool) -> str:
        source = write(accepted(field.type) if self._checker else field.type, self._name_of)
        if any(at in self._later for at in references(field.type)):
            source = repr(source)
        if field.required == total:
            return source
        return f'{"Required" if field.required else "NotRequired"}[{source}]'

    def _told(self) -> str:
        record = self._record
        if record.extra is None or self._checker:
            return record.note
        return f'{record.note}; ' * bool(record.note) + f'other keys: {write(record.extra, self._name_of)}'

    def _comment(self, text: str) -> str:
        return f'  # {text}' if text and self._notes else ''

    def _extra(self) -> str:
        if self._record.extra is None or not self._checker:
            return ''
        return f', extra_items={write(self._record.extra, self._name_of)}'


_SHADOWING = BUILTINS | TYPING


def _needs_quotes(key: str) -> bool:
    """Whether a key cannot be declared in a class body: no identifier, mangled there, or hiding the names of types."""
    return not is_identifier(key) or key.startswith('__') or key in _SHADOWING
