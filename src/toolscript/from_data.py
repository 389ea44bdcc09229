"""Code mode's settings from plain data: an agent's spec in YAML or JSON, or `toolscript.toml`.

The format is derived from the classes of the settings: it has every field that plain data can express, under the same
name. A store is the path of an SQLite file; a time span is a number of seconds, or a text such as `P7D`.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from datetime import timedelta
from functools import cache, partial
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Required, TypeVar, Union, get_args, get_origin, get_type_hints

import pydantic
from pydantic import AfterValidator, ConfigDict, TypeAdapter, ValidationError, with_config
from pydantic_ai import UserError
from typing_extensions import TypedDict, is_typeddict

from toolscript_sandbox import FileLimits, Folder, Limits, Sandbox

from .catalog.result_shapes import ResultShapes
from .discovery.search_options import ToolSearchOptions
from .durability.snapshots import Snapshots
from .flows.rules import FlowRule, Flows
from .mistakes import listed, mistakes_in
from .observability.script_calls import ScriptCall
from .routing.inverses import Undo
from .routing.rules import ToolMatch, ToolRule
from .sessions.files import Files, Scratch
from .sessions.saved_functions import SavedFunctions
from .sessions.sessions import Sessions
from .stores.sqlite import SqliteStore
from .stores.store import FunctionStore, SnapshotStore

T = TypeVar('T')

_DESCRIBED = {
    FileLimits,
    Files,
    FlowRule,
    Flows,
    Folder,
    SavedFunctions,
    Limits,
    Scratch,
    Sessions,
    ToolMatch,
    ToolRule,
    ToolSearchOptions,
}
"""The classes whose objects plain data can describe."""
_LATE = {
    kind.__name__: kind
    for kind in (Files, Flows, ResultShapes, SavedFunctions, Sandbox, ScriptCall, Sessions, Snapshots)
}
"""Types that the settings name without importing them."""


@cache
def spec_of(kind: type[Any]) -> Any:
    """Return the `TypedDict` of the data that describes a `kind`. Validation returns the values of its fields."""
    hints = get_type_hints(kind, localns=_LATE)
    keys = {item.name: _key(item, hints[item.name]) for item in fields(kind) if item.init}
    keys = {name: data for name, data in keys.items() if data is not None}
    return with_config(ConfigDict(extra='forbid'))(_typed_dict(f'{kind.__name__}Spec', keys, total=False))


_typed_dict: Callable[..., Any] = TypedDict


def _key(item: Field[Any], hint: Any) -> Any:
    data = _data(hint)
    is_required = item.default is MISSING and item.default_factory is MISSING
    return Required[data] if is_required and data is not None else data


def _data(hint: Any) -> Any:
    """Return the type of the data for a Python type; `None` if only Python code can provide it."""
    origin, inner = get_origin(hint), get_args(hint)
    match origin or hint:
        case kind if kind in _DESCRIBED:
            return Annotated[spec_of(kind), AfterValidator(partial(_made, kind))]
        case kind if kind is Undo:
            return Annotated[_UndoSpec, AfterValidator(_undo)]
        case kind if kind in (SnapshotStore, FunctionStore):
            return Annotated[str, AfterValidator(SqliteStore)]
        case kind if kind is timedelta:
            return Annotated[timedelta, pydantic.Field(strict=False)]
        case kind if kind in (str, int, float, bool, NoneType) or kind is Literal:
            return hint
        case kind if kind is Sequence:
            return None if (item := _data(inner[0])) is None else list[item]
        case kind if kind is Mapping:
            return None if (value := _data(inner[1])) is None else dict[str, value]
        case kind if kind in (Union, UnionType):
            return _union(inner)
        case _:
            return None


@with_config(ConfigDict(extra='allow'))
class _UndoSpec(TypedDict):
    """The data of an `Undo`: the tool, and its arguments next to it."""

    tool: str


def _undo(data: Mapping[str, Any]) -> Undo:
    return Undo(data['tool'], **{name: value for name, value in data.items() if name != 'tool'})


def _made(kind: Callable[..., T], data: Mapping[str, Any]) -> T:
    try:
        return kind(**data)
    except UserError as error:
        # pydantic reports the location in the data only for a `ValueError`.
        raise ValueError(error.message.rstrip('.')) from error


def _union(members: Sequence[Any]) -> Any:
    known = [data for member in members if (data := _data(member)) is not None]
    if all(data is NoneType for data in known):
        return None
    if Flows in members:
        known.append(Annotated[bool, AfterValidator(lambda value: Flows() if value else None)])
    if Sessions in members:
        # All of its settings have defaults, so `true` is enough.
        known.append(Annotated[bool, AfterValidator(lambda value: Sessions() if value else None)])
    return Union[tuple(known)]  # noqa: UP007


def values(kind: type[Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a `kind` that data describes. Raises `UserError` for an unknown or invalid setting."""
    try:
        return TypeAdapter[dict[str, Any]](spec_of(kind)).validate_python(data)
    except ValidationError as error:
        raise UserError(listed('CodeMode', mistakes_in(error, lambda place: names_at(kind, place)))) from error


def names_at(kind: type[Any], place: Sequence[int | str]) -> list[str]:
    """Return the names of the settings at a place in the data that describes a `kind`."""
    spec = spec_of(kind)
    for step in place:
        spec = _spec_in(spec.__annotations__.get(step)) or spec
    return list(spec.__annotations__)


def _spec_in(data: Any) -> Any:
    if is_typeddict(data):
        return data
    return next((spec for inner in get_args(data) if (spec := _spec_in(inner)) is not None), None)


def describe(function: Callable[..., Any], kind: type[Any]) -> None:
    """Set the signature of `function(cls, **settings)`, from which pydantic-ai and others derive a schema."""
    hints = dict[str, Any](spec_of(kind).__annotations__)
    keywords = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in hints]
    first = inspect.Parameter('cls', inspect.Parameter.POSITIONAL_OR_KEYWORD)
    setattr(function, '__signature__', inspect.Signature([first, *keywords]))  # noqa: B010
    function.__annotations__ = hints
