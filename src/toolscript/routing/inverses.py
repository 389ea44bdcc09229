"""How the calls of a tool are undone: by a call of another tool, which the tool or a rule names."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from pydantic_ai import UserError
from pydantic_ai.tools import ToolDefinition
from pydantic_core import SchemaSerializer, core_schema

if TYPE_CHECKING:
    from toolscript.observability.script_calls import ScriptCall


@dataclass(frozen=True, init=False)
class Undo:
    """The call that undoes another one: `Undo('close_issue', repo=..., issue_number='{result.number}')`.

    An argument `...` takes the value of that name from the result of the call to undo, or else from its arguments. A
    text in braces takes the value at a path, of any type: `'{result.number}'`, `'{result.items.0.id}'` or
    `'{call.repo}'`. All other values are passed unchanged.
    """

    tool: str
    """The name of the tool, as its own toolset or server uses it."""
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The arguments of the call."""

    def __init__(self, tool: str, /, **arguments: Any) -> None:
        """`tool`: the name of the tool; `arguments`: the arguments of the call."""
        if not isinstance(tool, str) or not tool:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise UserError(f"Undo takes the name of a tool first, not {tool!r}: Undo('close_issue', number=...).")
        object.__setattr__(self, 'tool', tool)
        object.__setattr__(self, 'arguments', arguments)


UndoFunction: TypeAlias = Callable[['ScriptCall', Any], Undo | None]
"""Takes a call and its result, and returns the call that undoes it; `None` if this one cannot be undone."""
HowToUndo: TypeAlias = Undo | UndoFunction | Literal['none']
"""`'none'`: the calls of the tool cannot be undone."""

_KEY = 'undo'


@dataclass(frozen=True)
class Inverse:
    """How the calls of a tool are undone, in its metadata."""

    how: HowToUndo
    own_name: str
    """The name of the tool in its own toolset or server, without prefixes."""

    __pydantic_serializer__: ClassVar[SchemaSerializer] = SchemaSerializer(
        core_schema.any_schema(serialization=core_schema.plain_serializer_function_ser_schema(lambda _: 'declared'))
    )
    """Definitions are written into traces and the histories of durable engines, which cannot contain functions."""


def checked_undo(setting: str, how: object) -> None:
    """Raise `UserError` for a value that does not say how calls are undone."""
    if not (isinstance(how, Undo) or callable(how) or how == 'none'):
        raise UserError(f"{setting} is {how!r}; use Undo('tool', argument=...), a function or 'none'.")


def with_undo(metadata: dict[str, Any] | None, how: HowToUndo | None, own_name: str) -> dict[str, Any] | None:
    """Return the metadata, with how the tool's calls are undone added, unless `how` is `None`."""
    return metadata if how is None else {**(metadata or {}), _KEY: Inverse(how, own_name)}


def inverse_of(tool_def: ToolDefinition) -> Inverse | None:
    """Return how the calls of the tool are undone; `None` if nothing says it."""
    inverse = (tool_def.metadata or {}).get(_KEY)
    return inverse if isinstance(inverse, Inverse) else None
