"""Finds the call that undoes a change."""

import logging
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_ai.tools import ToolDefinition
from pydantic_core import PydanticSerializationError, to_jsonable_python

from toolscript.durability.changes import Change
from toolscript.guards import is_array, is_object
from toolscript.observability.script_calls import ScriptCall
from toolscript.routing.inverses import Inverse, Undo, inverse_of

_logger = logging.getLogger('toolscript.tools')


class CannotUndo(Exception):
    """A change cannot be undone; the message says why."""


@dataclass(frozen=True)
class InverseCall:
    """The call that undoes a change."""

    tool_name: str
    args: dict[str, Any]


def inverse_call(change: Change, tool_def: ToolDefinition | None, tools: Collection[str]) -> InverseCall:
    """Return the call that undoes a change of `tool_def`, which may be gone. Raises `CannotUndo` if there is none."""
    name = change.tool_name
    if change.status == 'started':
        raise CannotUndo('Its outcome is unknown. See whether it changed anything, and undo that yourself.')
    if change.error:
        raise CannotUndo(f'Its result is not on record: {change.error}')
    if tool_def is None:
        raise CannotUndo(f'There is no tool {name} any more.')
    inverse = inverse_of(tool_def)
    if inverse is None:
        raise CannotUndo(f'{name} does not say how to undo it; give it undo=, or a rule: ToolRule({name!r}, undo=...).')
    undo = _undo(change, inverse)
    prefix = name.removesuffix(inverse.own_name) if name.endswith(inverse.own_name) else ''
    found = next((one for one in (f'{prefix}{undo.tool}', undo.tool) if one in tools), None)
    if found is None:
        raise CannotUndo(f'There is no tool {undo.tool}, which would undo it.')
    values = {argument: _value(argument, value, change) for argument, value in undo.arguments.items()}
    try:
        return InverseCall(found, to_jsonable_python(values))
    except PydanticSerializationError as error:
        raise CannotUndo(f'The arguments of {undo.tool} are no JSON: {error}') from error


def _undo(change: Change, inverse: Inverse) -> Undo:
    how, name = inverse.how, change.tool_name
    if how == 'none':
        raise CannotUndo(f"{name} has undo='none'.")
    if isinstance(how, Undo):
        return how
    call = ScriptCall(
        tool_call_id=change.tool_call_id,
        tool_name=name,
        function=name,
        status='finished',
        arguments=change.arguments,
        result=change.result,
    )
    try:
        undo = how(call, change.result)
    except Exception as error:
        _logger.error('the undo function of %s failed', name, exc_info=error)
        raise CannotUndo(f'The undo function of {name} raised {type(error).__name__}; the log has more.') from error
    if undo is None:
        raise CannotUndo(f'The undo function of {name} returned None for it.')
    if not isinstance(undo, Undo):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CannotUndo(f'The undo function of {name} returned {type(undo).__name__}; it must return Undo(...).')
    return undo


def _value(argument: str, said: Any, change: Change) -> Any:
    """Return the value of an argument. Braces count only in what the developer wrote, never in a tool's result."""
    if said is ...:
        for source in (change.result, change.arguments):
            if is_object(source) and argument in source:
                return source[argument]
        raise CannotUndo(f'Neither its result nor its arguments have {argument!r}.')
    if not isinstance(said, str) or not said.startswith('{') or not said.endswith('}'):
        return said
    first, *path = said[1:-1].split('.')
    sources: Mapping[str, Any] = {'result': change.result, 'call': change.arguments}
    if first not in sources:
        return said
    value: Any = sources[first]
    for step in path:
        if is_object(value) and step in value:
            value = value[step]
        elif is_array(value) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            raise CannotUndo(f'There is no {said[1:-1]}.')
    return value
