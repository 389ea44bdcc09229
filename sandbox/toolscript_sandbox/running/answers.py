"""What goes back into a script that waits for a call."""

from __future__ import annotations

import builtins
from typing import TypeAlias, get_args

from pydantic_monty import ExcType, ExternalExceptionData, ExternalReturnValue

from toolscript_sandbox.contract.errors import ToolError

Answer: TypeAlias = ExternalReturnValue | ExternalExceptionData
"""JSON-able, and what Monty takes."""


def raised(error: ToolError) -> ExternalExceptionData:
    """The exception that the script sees."""
    known = _KNOWN.get(error.type_name)
    if known is None:
        return {'exc_type': _nearest(error.type_name), 'message': str(error)}
    return {'exc_type': known, 'message': _without_mark(error.message)}


def _without_mark(message: str) -> str:
    """What a tool says; with a NUL before it, it would be read as an exception of the script that travels."""
    return f'\N{REPLACEMENT CHARACTER}{message[1:]}' if message.startswith('\0') else message


def _nearest(type_name: str) -> ExcType:
    """The closest base of a built-in exception that Monty has: `except OSError` catches a `ConnectionError`."""
    kind = getattr(builtins, type_name, None)
    for base in kind.__mro__ if isinstance(kind, type) else ():
        known = _KNOWN.get(base.__name__)
        if known is not None and known != 'Exception':
            return known
    return 'RuntimeError'


_UNCATCHABLE = {'BaseException', 'SystemExit', 'KeyboardInterrupt', 'StopIteration'}
# `except Exception` must catch whatever a tool raises; a StopIteration would end somebody's loop in silence.

_TYPES: tuple[ExcType, ...] = get_args(ExcType)
_KNOWN: dict[str, ExcType] = {
    name: kind for kind in _TYPES if kind not in _UNCATCHABLE for name in (kind, kind.rpartition('.')[2])
}
