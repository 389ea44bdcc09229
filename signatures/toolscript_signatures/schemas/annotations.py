"""Python annotations as types of JSON values."""

import dataclasses
import datetime
import decimal
import enum
import pathlib
import types
import typing
import uuid
from collections import OrderedDict, abc, defaultdict, deque
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NotRequired, Required, get_args, get_origin, get_type_hints

from typing_extensions import is_typeddict

from toolscript_signatures.schemas.reader import Place, SchemaReader, read_constants
from toolscript_signatures.types.identifiers import distinct, type_name
from toolscript_signatures.types.pytypes import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    DictOf,
    Field,
    ListOf,
    Plain,
    PyType,
    Record,
    RecordRef,
    TupleOf,
    union,
)

_DICTS = (dict, abc.Mapping, abc.MutableMapping, OrderedDict, defaultdict)
_LISTS = (
    *(list, set, frozenset, deque, abc.Set, abc.MutableSet, abc.Collection, abc.Sequence, abc.MutableSequence),
    *(abc.Iterable, abc.Iterator, abc.Generator, abc.AsyncIterator),
)
_WORDS: Mapping[Any, PyType] = {
    str: STR,
    int: INT,
    float: FLOAT,
    bool: BOOL,
    **dict.fromkeys((None, types.NoneType), NONE),
    **dict.fromkeys((Any, object, complex), ANY),
    **dict.fromkeys(_DICTS, Plain('dict')),
    **dict.fromkeys((*_LISTS, tuple), Plain('list')),
    **dict.fromkeys((bytes, datetime.datetime, datetime.date, datetime.time, datetime.timedelta), STR),
    **dict.fromkeys((decimal.Decimal, uuid.UUID, pathlib.Path), STR),
}
_WRAPPERS = (typing.ClassVar, typing.Final, Required, NotRequired, typing.Required, typing.NotRequired)


class AnnotationReader:
    """Reads annotations; a `TypedDict`, dataclass or pydantic model becomes a record."""

    def __init__(self) -> None:
        self.records: dict[str, Record] = {}
        """The records found so far, inner ones first."""
        self._open: list[str] = []
        self._names: dict[str, str] = {}

    def name_of(self, at: str) -> str:
        """The name of a record, with a number if another record has the same name."""
        if at not in self._names:
            self._names[at] = distinct([type_name(self.records[at].hint)], taken=self._names.values())[0]
        return self._names[at]

    def read(self, annotation: Any) -> PyType:
        """The type of an annotation; `Any` if its JSON form is not known."""
        try:
            found = _WORDS.get(annotation)
        except TypeError:  # not hashable
            return ANY
        if found is not None:
            return found
        if isinstance(annotation, type) and not get_args(annotation):
            return self._read_class(annotation)
        return self._read_form(annotation, get_origin(annotation), get_args(annotation))

    def _read_form(self, annotation: Any, origin: Any, args: tuple[Any, ...]) -> PyType:
        if origin is typing.Annotated or origin in _WRAPPERS:
            return self.read(args[0])
        if origin in (typing.Union, types.UnionType):
            return union([self.read(arg) for arg in args])
        if origin is typing.Literal:
            return _choice(args)
        if origin is tuple and args[1:] == (Ellipsis,):
            return ListOf(self.read(args[0]))
        if origin is tuple and args:
            return TupleOf(tuple(self.read(arg) for arg in args))
        if origin in _DICTS and len(args) == 2:
            return DictOf(self.read(args[1]))
        if origin in _LISTS and args:
            return ListOf(self.read(args[0]))
        if origin is not None:
            return self.read(origin)
        # Aliases, type variables and new types are read as the type behind them.
        for attribute in ('__value__', '__bound__', '__supertype__'):
            if (inner := getattr(annotation, attribute, None)) is not None:
                return self.read(inner)
        return ANY

    def _read_class(self, cls: type[Any]) -> PyType:
        if is_typeddict(cls):
            return self._read_record(cls, getattr(cls, '__required_keys__', frozenset[str]()))
        if dataclasses.is_dataclass(cls):
            missing, fields = dataclasses.MISSING, dataclasses.fields(cls)
            required = {one.name for one in fields if one.default is missing and one.default_factory is missing}
            return self._read_record(cls, required)
        if issubclass(cls, enum.Enum):
            return _choice([member.value for member in cls])
        if callable(schema_of := getattr(cls, 'model_json_schema', None)):
            return self._read_model(cls, schema_of())
        return next((_WORDS[base] for base in (bool, int, float, str) if issubclass(cls, base)), ANY)

    def _read_record(self, cls: type, required: Collection[str]) -> PyType:
        at = f'{cls.__module__}.{cls.__qualname__}'
        if at not in self.records and at not in self._open:
            self._open.append(at)
            fields = [
                Field(name, self.read(annotation), name in required, described(annotation))
                for name, annotation in _hints(cls).items()
            ]
            self.records[at] = Record(cls.__name__, (cls.__name__,), tuple(fields))
            self._open.remove(at)
        return RecordRef(at)

    def _read_model(self, cls: type, schema: object) -> PyType:
        reader = SchemaReader(schema, f'{cls.__module__}.{cls.__qualname__}:')
        found = reader.read(schema, Place(f'{reader.base}#', cls.__name__, (cls.__name__,)))
        self.records |= reader.records
        return found.type


def _hints(cls: type) -> Mapping[str, Any]:
    try:
        return get_type_hints(cls, include_extras=True)
    except Exception:  # names that cannot be resolved here: annotations can raise any error
        return dict.fromkeys(getattr(cls, '__annotations__', {}), Any)


def described(annotation: Any) -> str:
    """The first description in the metadata of an `Annotated`: a string, a `Doc`, a pydantic `Field`."""
    inner = get_args(annotation)[0] if get_origin(annotation) in _WRAPPERS else annotation
    metadata = get_args(inner)[1:] if get_origin(inner) is typing.Annotated else ()
    for item in metadata:
        text = item if isinstance(item, str) else getattr(item, 'documentation', getattr(item, 'description', None))
        if isinstance(text, str):
            return ' '.join(text.split())
    return ''


def _choice(values: Sequence[Any]) -> PyType:
    plain = [value.value if isinstance(value, enum.Enum) else value for value in values]
    return read_constants(plain).type if all(isinstance(value, str | int | None) for value in plain) else ANY
