"""Error messages for the model."""

import ast
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from pydantic_monty import (
    Frame,
    MontyCrashedError,
    MontyDisconnectError,
    MontyError,
    MontyRuntimeError,
    MontyShutdown,
    MontySyntaxError,
)

from toolscript_sandbox.checking.checker import Diagnostic
from toolscript_sandbox.contract.calls import CallRecord
from toolscript_sandbox.contract.errors import SnippetError
from toolscript_sandbox.contract.functions import Functions
from toolscript_sandbox.contract.limits import Exceeded, Limits
from toolscript_sandbox.contract.outcomes import Failed, Outcome
from toolscript_sandbox.language.refusals import Refusal
from toolscript_sandbox.language.snippet import INLINE, Code, Snippet
from toolscript_sandbox.language.syntax import tree_of, walk

from .advice import NO_CONTEXT, about_finding, about_runtime, about_syntax, reworded
from .tripped import computed_too_long, ends_session, limit_in
from .truncation import quoted


def excerpt(text: str, line: int | None, column: int | None, end: int | None) -> str:
    """Return the line with its number, and carets below it; empty if there is no such line."""
    lines = text.split('\n')
    if line is None or not 0 < line <= len(lines):
        return ''
    code = lines[line - 1]
    head = f'line {line}: '
    shown = code.strip()[:_WIDTH]
    if column is None:
        return f'{head}{shown}\n'
    start = column - (len(code) - len(code.lstrip()))
    if not 0 <= start < len(shown):
        return f'{head}{shown}\n'
    width = max(1, min(end or column + 1, column + len(shown) - start) - column)
    return f'{head}{shown}\n{" " * (len(head) + start)}{"^" * width}\n'


_WIDTH = 160


MAX_MESSAGE = 4_000
"""The maximum length of a message; a longer one does not help a model."""


def from_syntax(error: Exception, text: str) -> SnippetError:
    """Report that the text is not Python."""
    line = error.lineno if isinstance(error, SyntaxError) else None
    column = (error.offset or 1) - 1 if isinstance(error, SyntaxError) else None
    reason = error.msg if isinstance(error, SyntaxError) else str(error) or type(error).__name__
    if isinstance(error, RecursionError | MemoryError):
        reason = 'it is nested too deeply to be read. Write it in smaller steps, with names for the parts.'
    lines = text.split('\n')
    instead = about_syntax(lines[line - 1], reason) if line is not None and 0 < line <= len(lines) else ''
    shown = excerpt(text, line, column, None)
    return SnippetError('syntax', f'SyntaxError: {reason}\n{shown}{instead}Nothing was run.', 'SyntaxError', line)


def from_refusals(refusals: Sequence[Refusal], text: str) -> SnippetError:
    """Report Python that the sandbox does not support; nothing has run."""
    parts = [f'{_place(refusal, text)}{refusal.message}' for refusal in refusals[:_FINDINGS]]
    return SnippetError('types', _listed(parts, len(refusals)), line=refusals[0].line)


def _listed(parts: Sequence[str], count: int) -> str:
    more = [f'and {count - len(parts)} more.'] if count > len(parts) else []
    return _bounded('\n'.join([*parts, *more, 'Nothing was run.']))


def _place(refusal: Refusal, text: str) -> str:
    code = text.split('\n')[refusal.line - 1].encode()
    column = len(code[: refusal.column].decode())
    end = None if refusal.end is None else len(code[: refusal.end].decode())
    return excerpt(text, refusal.line, column, end)


class Report(NamedTuple):
    """Writes the error messages of one script."""

    snippet: Snippet
    functions: Functions
    limits: Limits
    known: frozenset[str] = frozenset()
    """Variables of the session."""
    has_run: bool = False
    """Whether the script has made a call."""
    last_failed: tuple[int | None, str] | None = None
    """The line and error of the call that failed last."""

    def from_types(self, findings: Sequence[Diagnostic], stubs: Sequence[str] = ()) -> SnippetError:
        """Report findings of the type checker; nothing has run. `stubs` are those of the functions involved."""
        parts = [self._finding(finding, stubs) for finding in findings[:_FINDINGS]]
        # Several findings about one call end with the same signature.
        text = re.sub(r'(?m)\. Signature: (.*)(?=\n(?:.*\n)*.*\. Signature: \1$)', '.', _listed(parts, len(findings)))
        return SnippetError('types', text, line=self.snippet.checked.line(findings[0].line))

    def from_loss(self, error: Exception) -> SnippetError:
        """Report that the worker died, and that the error does not say why."""
        reason = 'it ran out of memory, or was ended from outside'
        return SnippetError('crash', f'The sandbox is gone: {reason} ({error}).')

    def from_monty(self, error: MontyError, keys: Sequence[str] | None = None, *, lost: bool = False) -> SnippetError:
        """Report that the code failed while it ran. `keys` are those of the dict in which a key was missing.

        `lost` says that the worker is known to be dead.
        """
        if isinstance(error, MontyCrashedError) and error.timed_out:
            return SnippetError('limit', computed_too_long(self.limits))
        if _is_gone(error):
            return SnippetError('crash', f'The sandbox is gone: {error}')
        if not isinstance(error, (MontyRuntimeError, MontySyntaxError)):
            return SnippetError('crash' if lost else 'runtime', str(error))
        frame = frame_of(error)
        line = self.snippet.code.line(frame.line) if frame else None
        limit = limit_in(str(error), self.limits)
        if limit is not None:
            return SnippetError('limit', limit, line=line)
        return self.from_loss(error) if lost else self._uncaught(error, line, keys)

    def is_lost(self, error: MontyError) -> bool:
        """Return whether the session's variables are lost or cannot be trusted."""
        return _is_gone(error) or ends_session(str(error), self.limits)

    def from_limit(self, end: Exceeded) -> SnippetError:
        """Report that a limit of the host was exceeded."""
        return SnippetError('limit', f'Limit {end.limit}: {end.message}.')

    def from_result(self, size: str) -> SnippetError:
        """Report that the result is too large. `size` includes what is allowed."""
        where = f' The variable `{self.snippet.name}` has all of it.' if self.snippet.name else ''
        text = f'Limit max_result_bytes: the result has {size}.'
        return SnippetError('limit', f'{text}{where} Return less of it: a slice, a count, a summary.')

    def never_awaited(self, function: str, line: int | None) -> SnippetError:
        """Report that the script did not await a call."""
        shown = excerpt(self.snippet.text, line, None, None)
        text = f'{shown}{function}(...) was never awaited, so it did not run. Write `await`, or asyncio.gather.'
        return SnippetError('runtime', text, line=line)

    def _uncaught(
        self, error: MontyRuntimeError | MontySyntaxError, line: int | None, keys: Sequence[str] | None
    ) -> SnippetError:
        kind, message = _said(error)
        if kind == 'SystemExit' and self.snippet.tasks:
            kind, message = 'CancelledError', message.replace('SystemExit', 'CancelledError', 1)
        frame = frame_of(error)
        called = self._passed_on(message, line)
        if (place := called or self._augmented(message)) is not None:
            line, frame = place, None
        column, end = None, None
        if frame is not None:
            column, end = self._columns(self.snippet.code, frame.line, frame.column - 1, frame.end_column - 1)
        shown = excerpt(self.snippet.text, line, column, end)
        if called is None:
            of_head = column is not None or kind in _OF_CONTEXTS or re.search(NO_CONTEXT, message) is not None
            shown = self._body_passed(line, of_head=of_head) or shown
        advice = about_runtime(message, self.functions, self.known | self.snippet.bound, keys)
        # Where Monty cannot compile the script, its frames have no function.
        syntax = any(frame.function_name is None for frame in error.traceback())
        inside = '' if called is not None else self._raised_in(error)
        text = f'{shown}{quoted(message)}{inside}{advice}'
        when, end = ('syntax', '\nNothing was run.') if syntax and not self.has_run else ('runtime', '')
        return SnippetError(when, f'{text}{end}', kind, line)

    def _raised_in(self, error: MontyRuntimeError | MontySyntaxError) -> str:
        """Name the function of an earlier script that raised the error; empty if this script raised it."""
        frames = error.traceback()
        last = frame_of(error)
        inner = frames[frames.index(last) + 1 :] if last in frames else []
        names = [frame.function_name for frame in inner if frame.function_name in self.known]
        return f'\nIt was raised in {names[-1]}().' if names else ''

    def _augmented(self, message: str) -> int | None:
        """Return the line of an unbound `x += 1`, for which Monty reports the expression before it."""
        name = re.search(r"UnboundLocalError: .* '(\w+)'", message)
        targets = [node.target for node in walk(tree_of(self.snippet.text)) if isinstance(node, ast.AugAssign)]
        lines = {one.lineno for one in targets if name and isinstance(one, ast.Name) and one.id == name[1]}
        return lines.pop() if len(lines) == 1 else None

    def _passed_on(self, message: str, line: int | None) -> int | None:
        """Return the line of the failed call if Monty reports the end of the statement that passed its error on."""
        called, error = self.last_failed or (None, '')
        if called is None or _bounded(error) != message or line is None:
            return None
        passing = any(
            _lies_in(called, [node]) and _lies_in(line, [node])
            for node in walk(tree_of(self.snippet.text))
            if isinstance(node, (ast.Try, ast.With, ast.AsyncWith))
        )
        return called if passing else None

    def _body_passed(self, line: int | None, *, of_head: bool) -> str:
        """Name the lines of the block that may have raised the error, where Monty reports the statement around it.

        That is the end of a `try`, and the first line of a `with` unless the error is `of_head`: of that line itself.
        """
        found = ''
        for node in walk(tree_of(self.snippet.text)):
            match node:
                case ast.With(body=body) | ast.AsyncWith(body=body) if line == node.lineno and not of_head:
                    found = self._lines_of(body, 'with')
                case ast.Try(body=body, handlers=handlers, finalbody=final):
                    ends = [part for part in [*handlers[-1:], *final[-1:]] if _may_end(part, line)]
                    heads = [handler for handler in handlers if handler.lineno == line and handler not in ends]
                    if ends or heads:
                        found = self._lines_of(body, 'try', None if heads else line)
                case _:
                    pass
        return found

    def _lines_of(self, body: Sequence[ast.stmt], kind: str, other: int | None = None) -> str:
        first, last = body[0].lineno, body[-1].end_lineno
        if first == last and other is None:
            return excerpt(self.snippet.text, first, None, None)
        lines = f'line {first}' if first == last else f'lines {first} to {last}'
        return f'{lines} (the body of `{kind}`){f", or line {other}" if other is not None else ""}:\n'

    def _columns(self, made: Code, number: int, start: int, end: int) -> tuple[int, int] | tuple[None, None]:
        """Return the columns in the model's line of a part of the generated line, if they are certain."""
        code, text = made.text.split('\n'), self.snippet.text.split('\n')
        line = made.line(number)
        if not 0 < number <= len(code) or line > len(text):
            return None, None
        if code[number - 1] == text[line - 1]:
            return start, max(start + 1, end)
        marked = re.escape(code[number - 1][start:end]).replace(INLINE, r'(?:await\s+)?')
        found = list(re.finditer(rf'(?<!\w){marked}(?!\w)', text[line - 1])) if marked else []
        return found[0].span() if len(found) == 1 else (None, None)

    def _finding(self, finding: Diagnostic, stubs: Sequence[str]) -> str:
        line = self.snippet.checked.line(finding.line)
        last = finding.end_column if finding.line == finding.end_line else finding.column + 1
        column, end = self._columns(self.snippet.checked, finding.line, finding.column, last)
        shown = excerpt(self.snippet.text, line, column, end)
        finding = finding._replace(message=quoted(finding.message))
        following = self.snippet.checked.text.split('\n')[finding.line - 1][finding.end_column :]
        member = re.match(r'\.(\w+)\(', following)
        if finding.rule == 'unresolved-reference' and member is not None and self.functions.get(member[1]) is not None:
            return f'{shown}Functions have no prefix here: write {member[1]}(...).'
        return f'{shown}{about_finding(finding, self.functions, self.known | self.snippet.bound, stubs, following)}'


def with_calls(error: SnippetError, calls: Sequence[CallRecord], *, lost: bool) -> SnippetError:
    """Add to the error of a script that ran the outcomes of its calls, and the loss of variables."""
    parts = [error.message, _calls_made(calls), _RESET if lost else '']
    return replace(error, message=_bounded('\n'.join(part for part in parts if part)))


def _said(error: MontyRuntimeError | MontySyntaxError) -> tuple[str, str]:
    """Return type and message of the error that ended the script. A polyfill's exception contains its own type."""
    # An error of a hundred megabytes would hold up the event loop.
    kind, words = type(error.exception()).__name__, _bounded(str(error))
    if isinstance(error, MontySyntaxError):
        words = f'SyntaxError: {words}' if words else 'SyntaxError'
    own = _TRAVELLING.match(words)
    if own is not None:
        kind = own[1]
        words = f'{kind}: {own[2]}' if own[2] else kind
    return kind, reworded(words)


_TRAVELLING = re.compile('\\w+: \0\\d+\0([^\0]*)\0(.*)', re.DOTALL)


_OF_CONTEXTS = ('ExceptionGroup', 'BaseExceptionGroup', 'TimeoutError')
"""Errors that context managers raise at their end."""


def _may_end(part: ast.stmt | ast.ExceptHandler, line: int | None) -> bool:
    """Return whether Monty may report this line for an error that leaves the `try` that ends with this part."""
    block = part.body if isinstance(part, ast.ExceptHandler) else [part]
    # Monty has no places for `pass` and `raise`.
    places = [
        one for one in block if not isinstance(one, ast.Pass) and not (isinstance(one, ast.Raise) and one.exc is None)
    ]
    return bool(places) and line == places[-1].end_lineno and not isinstance(places[-1], ast.Raise)


def _lies_in(line: int, block: Sequence[ast.stmt]) -> bool:
    return any(part.lineno <= line <= (part.end_lineno or part.lineno) for part in block)


def with_note_of_loss(outcome: Outcome) -> Outcome:
    """Add to the outcome that earlier variables were lost before the script ran, which may explain a failure."""
    if not isinstance(outcome, Failed) or outcome.session_lost:
        return outcome
    error = replace(outcome.error, message=_bounded(f'{outcome.error.message}\n{_RESET}'))
    return replace(outcome, error=error, session_lost=True)


def _is_gone(error: MontyError) -> bool:
    return isinstance(error, (MontyCrashedError, MontyDisconnectError, MontyShutdown))


def frame_of(error: MontyRuntimeError | MontySyntaxError) -> Frame | None:
    """Return the innermost frame in the latest script."""
    frames = [frame for frame in error.traceback() if frame.filename.startswith(_FED)]
    # The frames below it belong to polyfills and earlier scripts, which the latest script called.
    last = max((_fed(frame) for frame in frames), default=0)
    return next((frame for frame in reversed(frames) if _fed(frame) == last), None)


def _fed(frame: Frame) -> int:
    number = re.match(r'\d+', frame.filename.removeprefix(f'{_FED}-'))
    return 0 if number is None else int(number[0])


_FED = '<python-input'


def _calls_made(calls: Sequence[CallRecord]) -> str:
    if not calls:
        return ''
    counts = Counter((record.call.function, record.status) for record in calls)
    parts = [
        f'{function} {_STATUS[status]}' + (f' ({count:,} times)' if count > 1 else '')
        for (function, status), count in counts.items()
    ]
    more = f', and {len(parts) - _CALLS} more' if len(parts) > _CALLS else ''
    return f'Calls: {", ".join(parts[:_CALLS])}{more}.'


def _bounded(text: str) -> str:
    if len(text) <= MAX_MESSAGE:
        return text
    return f'{text[: MAX_MESSAGE - 600]}\n[...] {text[-500:]}'


_RESET = 'The session was reset: earlier variables are gone.'
_FINDINGS = 5
_CALLS = 20
_STATUS = {
    'finished': 'finished',
    'failed': 'failed',
    'running': 'was running (what it did is unknown)',
    'waiting': 'was waiting',
    'not started': 'was not started',
}
