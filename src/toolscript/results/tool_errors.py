"""What a script sees when one of its calls fails."""

import builtins
from collections.abc import Mapping

from pydantic import ValidationError
from pydantic_ai import ModelRetry, UsageLimitExceeded, UserError
from pydantic_ai.exceptions import ToolFailed, ToolFailedError, ToolRetryError
from pydantic_ai.tools import ToolDenied

from toolscript_sandbox import ToolError

ENDS_THE_RUN = (UsageLimitExceeded, UserError)
"""Errors for the developer or the run, which no script may catch."""

_TIMED_OUT = 'Timed out after '
_LIMITS = (MemoryError, RecursionError)
"""Errors that in a script mean its own limits, which a tool does not touch."""


def tool_error(tool_name: str, error: Exception) -> ToolError:
    """The error as an exception in the script: of the same type where Python has it, in words for the model."""
    match error:
        case ToolError():
            return error
        case ValidationError():
            return ToolError('ValueError', arguments_message(tool_name, error))
        case ModelRetry() | ToolFailed():
            # Upstream says that a tool timed out with the same exception that a tool uses to ask for another try.
            return ToolError('TimeoutError' if error.message.startswith(_TIMED_OUT) else 'RuntimeError', error.message)
        case ToolRetryError():
            return ToolError('RuntimeError', str(error.tool_retry.content))
        case ToolFailedError():
            return ToolError('RuntimeError', str(error.tool_failed.content))
        case _:
            return ToolError(*_as_builtin(error))


def denied(tool_name: str, denial: ToolDenied) -> ToolError:
    """The error for a call that was not approved."""
    return ToolError('PermissionError', f'{tool_name} was not approved: {denial.message}')


def arguments_message(tool_name: str, error: ValidationError) -> str:
    """What is wrong with the arguments of a call, in words for the model."""
    problems = error.errors(include_url=False, include_context=False, include_input=True)
    lines = [f'- {_path(problem["loc"])}: {problem["msg"]}{_given(problem)}' for problem in problems]
    return '\n'.join([f'{tool_name} got arguments it cannot take:', *lines])


def _path(location: tuple[int | str, ...]) -> str:
    return '.'.join(map(str, location)) or 'arguments'


def _given(problem: Mapping[str, object]) -> str:
    if problem['type'] == 'missing':
        return ''
    given = repr(problem.get('input'))
    return f' (got {given if len(given) <= 80 else given[:77] + "..."})'


def _as_builtin(error: Exception) -> tuple[str, str]:
    """The nearest built-in type, and the message; the error's own type is named where it is not built in."""
    message = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    own = type(error).__name__
    if _is_builtin(type(error)) and not isinstance(error, _LIMITS):
        return own, message
    nearest = next(base.__name__ for base in type(error).__mro__ if _is_builtin(base) and base not in _LIMITS)
    return 'RuntimeError' if nearest == 'Exception' else nearest, f'{own}: {message}' if message else own


def _is_builtin(kind: type) -> bool:
    return getattr(builtins, kind.__name__, None) is kind
