"""Answers to a script that waits for the host."""

import builtins
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from pydantic_monty import ExcType, ExternalExceptionData, ExternalReturnValue

from toolscript_sandbox.contract.calls import Call, CallRecord
from toolscript_sandbox.host_library import HostLibrary, HostLibraryError

from .protocol import Raised, Returned


def catchable(error: Raised) -> Raised:
    """Return a tool's exception as the script sees it: with its own type, or the closest base that Monty has."""
    name, message = error.type_name, error.message
    if name in _UNCATCHABLE or name not in EXCEPTIONS:
        return Raised(_nearest(name), f'{name}: {message}' if message else name)
    # A message that starts with NUL would be read as an encoded exception of the script.
    return Raised(name, f'\N{REPLACEMENT CHARACTER}{message[1:]}' if message.startswith('\0') else message)


def failed_record(call: Call, type_name: str, message: str) -> CallRecord:
    """Return the record of a failed call, with the error as the script saw it."""
    return CallRecord(call, 'failed', str(catchable(Raised(type_name, message))))


def cancellation(reason: str) -> Raised:
    """Return the exception for a cancelled task. The polyfill of `asyncio` explains the choice."""
    return Raised('SystemExit', reason)


def for_monty(answer: Returned | Raised) -> ExternalReturnValue | ExternalExceptionData:
    """Convert the answer to Monty's format."""
    if isinstance(answer, Returned):
        return {'return_value': answer.value}
    kind = EXCEPTIONS[answer.type_name]
    return {'exc_type': kind, 'message': answer.message} if answer.message else {'exc_type': kind}


def _nearest(type_name: str) -> str:
    """Return the closest base that Monty has, so that `except OSError` catches a `ConnectionError`."""
    kind = getattr(builtins, type_name, None)
    bases = [base.__name__ for base in kind.__mro__] if isinstance(kind, type) else []
    known = (base for base in bases if base in EXCEPTIONS and base not in _UNCATCHABLE and base != 'Exception')
    return next(known, 'RuntimeError')


_UNCATCHABLE = {'BaseException', 'SystemExit', 'KeyboardInterrupt', 'StopIteration'}
# `except Exception` must catch whatever a tool raises, and a StopIteration would silently end a loop.

EXCEPTIONS: dict[str, ExcType] = {name: kind for kind in get_args(ExcType) for name in (kind, kind.rpartition('.')[2])}


LIBRARY = '_host__'
"""The function with which polyfills call the host library."""


async def library_answer(
    library: HostLibrary, args: Sequence[Any], kwargs: Mapping[str, Any], seconds: float
) -> Returned | Raised:
    """Call the function named by the first argument with the others, within this many seconds. Never raises."""
    try:
        return Returned(await library.call(args[0] if args else None, args[1:], kwargs, seconds=seconds))
    except HostLibraryError as error:
        return catchable(Raised(error.kind, error.message))


def placeholder(name: str) -> Callable[..., None]:
    """Return a stand-in for a host function: Monty identifies one only by name, and suspends when it is called."""

    def called() -> None:
        raise AssertionError('called on the host')

    called.__name__ = name
    return called
