"""What goes back into a script that waits for a call."""

from __future__ import annotations

from typing import TypeAlias, get_args

from pydantic_monty import ExcType, ExternalExceptionData, ExternalReturnValue

from .errors import ToolError

Answer: TypeAlias = ExternalReturnValue | ExternalExceptionData
"""JSON-able, and what Monty takes."""


def raised(error: ToolError) -> ExternalExceptionData:
    """The exception that the script sees."""
    known = _KNOWN.get(error.type_name)
    if known is None:
        return {'exc_type': 'RuntimeError', 'message': str(error)}
    return {'exc_type': known, 'message': error.message}


_UNCATCHABLE = {'BaseException', 'SystemExit', 'KeyboardInterrupt', 'StopIteration'}
# `except Exception` must catch whatever a tool raises; a StopIteration would end somebody's loop in silence.

_TYPES: tuple[ExcType, ...] = get_args(ExcType)
_KNOWN: dict[str, ExcType] = {
    name: kind for kind in _TYPES if kind not in _UNCATCHABLE for name in (kind, kind.rpartition('.')[2])
}
