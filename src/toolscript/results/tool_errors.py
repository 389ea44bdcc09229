"""What a script sees when one of its calls fails.

Some failures are meant for any caller: a tool asks for a retry, refuses its arguments, or reports what an MCP server
answered. The model always reads them. Any other exception was not written for a model: its text may contain a
password, a path or another customer's name. So the script gets its type, to catch it by, and a reference
under which the log has the rest, unless the developer chose to show the message too, or to end the run, as a direct
call does.
"""

import builtins
import hashlib
import logging
import sys
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Literal

from opentelemetry import trace
from pydantic import ValidationError
from pydantic_ai import ModelRetry, RunContext, UsageLimitExceeded, UserError
from pydantic_ai.exceptions import ToolFailed, ToolFailedError, ToolRetryError
from pydantic_ai.tools import ToolDenied
from pydantic_core import ErrorDetails

from toolscript.observability.tracing import is_instrumented
from toolscript_sandbox import ToolError, text_of

ToolErrors = Literal['message', 'type', 'raise']
"""What a script gets of an unexpected exception of its tool: type and message, only the type, or nothing, because
the exception ends the run."""

ENDS_THE_RUN = (UsageLimitExceeded, UserError)
"""Errors for the developer or the run, which no script may catch."""

_TIMED_OUT = 'Timed out after ', "Request 'tools/call' timed out"
"""How pydantic-ai and the MCP client say that no answer came in time."""
_LOST = 'Connection closed', 'SSE stream'
"""How the MCP client says that the connection was lost before the answer came."""
_LIMITS = (MemoryError, RecursionError)
"""Errors that in a script mean its own limits, which a tool does not use up."""

_logger = logging.getLogger('toolscript.tools')


UNKNOWN_OUTCOMES = frozenset({'TimeoutError', 'UnknownOutcome'})
"""Types of errors after which the call may have had its effect."""


class OutcomeUnknown(ToolFailed):
    """A call that the tool may have received and finished."""


def expected_error(tool_name: str, error: Exception) -> ToolError | None:
    """Return the script's exception for a failure that is meant for the caller; `None` for any other."""
    match error:
        case ToolError():
            return error
        case ValidationError():
            return ToolError('ValueError', arguments_message(tool_name, error))
        case OutcomeUnknown():
            return ToolError('UnknownOutcome', error.message)
        case ModelRetry() | ToolFailed():
            # A timeout is reported like a tool that asks for a retry, and durable engines pass on no cause.
            message = text_of(error.message, None)
            timed_out, lost = message.startswith(_TIMED_OUT), message.startswith(_LOST)
            kind = 'TimeoutError' if timed_out else 'UnknownOutcome' if lost else _type_of_cause(error.__cause__)
            return ToolError(kind, message)
        case ToolRetryError():
            return ToolError('RuntimeError', str(error.tool_retry.content))
        case ToolFailedError():
            return ToolError('RuntimeError', str(error.tool_failed.content))
        case _:
            return ToolError(_type_of_cause(error), _text(error)) if _is_from_server(error) else None


def unexpected_error(tool_name: str, error: Exception, reference: str, *, with_message: bool) -> ToolError:
    """Return the script's exception for any other failure: of the same type if Python has it."""
    if with_message:
        return ToolError(*_as_builtin(error, _text(error)))
    own = type(error).__name__
    message = f'{tool_name} failed with {own}; the application has its message, reference {reference}: tell the user'
    return ToolError(_as_builtin(error, '')[0], message)


def raised_by_activity(error: Exception) -> Exception | None:
    """Return what a tool raised in a Temporal activity or child workflow; `None` if its outcome is unknown.

    Temporal raises its own error, which names the type of the tool's.
    """
    temporal: Any = sys.modules.get('temporalio.exceptions')
    if temporal is None:
        return error
    cause: Any = error
    while isinstance(cause, (temporal.ActivityError, temporal.ChildWorkflowError)):
        cause = cause.__cause__
    never_started = isinstance(cause, temporal.TimeoutError) and cause.type == temporal.TimeoutType.SCHEDULE_TO_START
    if cause is error or never_started:
        return error
    if isinstance(cause, (temporal.TimeoutError, temporal.CancelledError, temporal.TerminatedError)):
        return None
    if not isinstance(cause, temporal.ApplicationError) or not cause.type:
        return error
    if cause.type in _INTERRUPTIONS:
        return None
    named = next((kind for kind in ENDS_THE_RUN if kind.__name__ == cause.type), getattr(builtins, cause.type, None))
    kind = named if isinstance(named, type) and issubclass(named, Exception) else type(cause.type, (Exception,), {})
    try:
        raised = kind(cause.message)
    except TypeError:
        raised = RuntimeError(f'{cause.type}: {cause.message}')
    raised.__cause__ = error
    return raised


_INTERRUPTIONS = 'WorkerShutdown', 'ActivityPause', 'ActivityReset'
"""How Temporal calls activities that it ended while their tools ran. A thread of a tool even continues."""
_INTERNALS = ('toolscript', 'pydantic_ai', 'asyncio', 'anyio', 'contextlib')
"""Packages between a script's call and its tool."""


def _of_tool(trace: TracebackType | None) -> TracebackType | None:
    """Return the traceback from the tool's own code on; all of it if the tool has none."""
    own = trace
    while own is not None and own.tb_frame.f_globals.get('__name__', '').partition('.')[0] in _INTERNALS:
        own = own.tb_next
    return own or trace


def report(tool_name: str, error: Exception, ctx: RunContext[Any], tool_call_id: str, span: trace.Span) -> str:
    """Log an unexpected failure with its traceback, record it on the span, and return the reference of both."""
    reference = hashlib.sha256(f'{ctx.run_id} {tool_call_id}'.encode('utf-8', 'replace')).hexdigest()[:8]
    text = 'tool %s failed in a script, reference %s (run %s, call %s)'
    error, trace_of_tool = _loggable(error), _of_tool(error.__traceback__)
    _logger.error(text, tool_name, reference, ctx.run_id, tool_call_id, exc_info=(type(error), error, trace_of_tool))
    attributes = {'toolscript.tool': tool_name, 'toolscript.reference': reference}
    if is_instrumented(ctx) and ctx.trace_include_content:
        span.record_exception(error, attributes=attributes)
    elif is_instrumented(ctx):
        span.add_event('exception', {'exception.type': type(error).__qualname__, **attributes})
    return reference


def _loggable(error: Exception) -> Exception:
    """Return the error, or one with the beginning of its text, because loggers write all of it, line by line."""
    text = _text(error)
    if len(text) <= ToolError.MAX_CHARS:
        return error
    kind = type(type(error).__name__, (Exception,), {'__module__': type(error).__module__})
    return kind(f'{text[: ToolError.MAX_CHARS]}… ({len(text):,} characters)')


def report_abandoned(tool_name: str, ctx: RunContext[Any], tool_call_id: str, span: trace.Span) -> None:
    """Log that a tool continued although it was cancelled, and record that on the span."""
    text = (
        'tool %s ignored its cancellation and was abandoned; its result is discarded (run %s, call %s). Let it end '
        'on asyncio.CancelledError.'
    )
    _logger.warning(text, tool_name, ctx.run_id, tool_call_id)
    if is_instrumented(ctx):
        span.add_event('toolscript.left_behind', {'toolscript.tool': tool_name, 'gen_ai.tool.call.id': tool_call_id})


def denied(tool_name: str, denial: ToolDenied) -> ToolError:
    return ToolError('PermissionError', f'{tool_name} was not approved: {denial.message}')


def arguments_message(tool_name: str, error: ValidationError) -> str:
    """Return what is wrong with the arguments of a call, in words for the model."""
    count = error.error_count()
    if count > _MAX_READ:
        return f'{tool_name} got arguments it cannot take: {count:,} problems'
    problems = error.errors(include_url=False, include_context=False, include_input=True)[:_MAX_PROBLEMS]
    lines = [f'- {_path(problem["loc"])}: {said(problem)}{_given(problem)}' for problem in problems]
    more = [f'- {count - len(lines):,} more'] if count > len(lines) else []
    return '\n'.join([f'{tool_name} got arguments it cannot take:', *lines, *more])


_MAX_PROBLEMS = 20
_MAX_READ = 1_000
"""If there are more problems, none is read, because the library cannot read only a few."""


def said(problem: ErrorDetails) -> str:
    """Return the message, with an example of a date, or what to do with JSON: pydantic says only what is not valid."""
    given = problem['input']
    if problem['type'].endswith('_type') and isinstance(given, str) and given.startswith(('[', '{')):
        return f'{problem["msg"]}; pass the value itself, without json.dumps'
    return problem['msg'] + ('; write it like 2026-05-06' if problem['type'].startswith('date') else '')


def _path(location: tuple[int | str, ...]) -> str:
    return '.'.join(map(str, location)) or 'arguments'


def _given(problem: Mapping[str, object]) -> str:
    if problem['type'] == 'missing':
        return ''
    given = repr(problem.get('input'))
    return f' (got {given if len(given) <= 80 else given[:77] + "..."})'


def _is_from_server(error: Exception) -> bool:
    # The MCP client takes long to import, and before it is imported there is no MCP server.
    mcp = sys.modules.get('fastmcp.exceptions')
    return mcp is not None and isinstance(error, (mcp.ToolError, mcp.McpError))


def _type_of_cause(error: BaseException | None) -> str:
    """Return the type of error for scripts if this one caused a call to fail."""
    mcp: Any = sys.modules.get('fastmcp.exceptions')
    failed: Any = error
    if mcp is None or not isinstance(failed, mcp.McpError):
        return 'RuntimeError'
    # The client says with these codes that no answer came. Servers use the second one for errors of their own, too.
    lost = failed.error.code == _CONNECTION_CLOSED and failed.error.message.startswith(_LOST)
    return 'TimeoutError' if failed.error.code == _REQUEST_TIMEOUT else 'UnknownOutcome' if lost else 'RuntimeError'


_REQUEST_TIMEOUT = -32001
_CONNECTION_CLOSED = -32000
"""Codes of `mcp.types`, which takes long to import."""


def _text(error: Exception) -> str:
    try:
        return str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    except Exception:  # the exception's own `__str__` may fail
        return ''


def _as_builtin(error: Exception, message: str) -> tuple[str, str]:
    """Return the nearest built-in type, and the message; this names the error's own type if that is not built in."""
    own = type(error).__name__
    if _is_builtin(type(error)) and not isinstance(error, _LIMITS):
        return own, message
    nearest = next(base.__name__ for base in type(error).__mro__ if _is_builtin(base) and base not in _LIMITS)
    return 'RuntimeError' if nearest == 'Exception' else nearest, f'{own}: {message}' if message else own


def _is_builtin(kind: type) -> bool:
    return getattr(builtins, kind.__name__, None) is kind
