"""Errors in words for the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic_monty import (
    Frame,
    MontyCrashedError,
    MontyDisconnectError,
    MontyError,
    MontyRuntimeError,
    MontyShutdown,
    MontySyntaxError,
)

from .calls import Call, CallRecord
from .checker import Diagnostic
from .drive import Exceeded
from .errors import SnippetError
from .excerpt import excerpt
from .functions import Functions
from .limits import Limits
from .preparation import Snippet


def from_syntax(error: Exception, text: str) -> SnippetError:
    """The text is no Python."""
    line = error.lineno if isinstance(error, SyntaxError) else None
    column = (error.offset or 1) - 1 if isinstance(error, SyntaxError) else None
    reason = error.msg if isinstance(error, SyntaxError) else str(error) or type(error).__name__
    shown = excerpt(text, line, column, None)
    return SnippetError('syntax', f'SyntaxError: {reason}\n{shown}Nothing was run.', 'SyntaxError', line)


@dataclass(frozen=True)
class Report:
    """What there is to say about one snippet."""

    snippet: Snippet
    functions: Functions
    calls: Sequence[CallRecord]
    limits: Limits

    def from_types(self, findings: Sequence[Diagnostic]) -> SnippetError:
        """The code cannot be right; nothing has run."""
        parts = [self._finding(finding) for finding in findings[:5]]
        return SnippetError('types', '\n'.join([*parts, 'Nothing was run.']), line=self.snippet.line(findings[0].line))

    def from_monty(self, error: MontyError) -> SnippetError:
        """The code failed while it ran."""
        if self.is_lost(error):
            return SnippetError('crash', f'The sandbox is gone: {error}')
        if not isinstance(error, (MontyRuntimeError, MontySyntaxError)):
            return SnippetError('runtime', str(error))
        frame = _frame(error)
        line = self.snippet.line(frame.line) if frame else None
        inner = error.exception()
        shown = excerpt(self.snippet.text, line, None, None)
        return SnippetError('runtime', f'{shown}{error}', type(inner).__name__, line)

    @staticmethod
    def is_lost(error: MontyError) -> bool:
        """Whether the session's variables are gone."""
        return isinstance(error, (MontyCrashedError, MontyDisconnectError, MontyShutdown))

    def from_limit(self, end: Exceeded) -> SnippetError:
        """A limit that the host keeps was reached."""
        return SnippetError('limit', f'{end.message} (limit {end.limit})')

    def from_result(self, size: int, limits: Limits, name: str | None) -> SnippetError:
        """The result is too large."""
        return SnippetError('limit', f'the result has {size:,} bytes, more than {limits.result_bytes:,} (result_bytes)')

    def never_awaited(self, call: Call, line: int | None) -> SnippetError:
        """A call was made that nobody waited for."""
        return SnippetError('runtime', f'{call.function}(...) was never awaited, so it did not run', line=line)

    def _finding(self, finding: Diagnostic) -> str:
        line = self.snippet.line(finding.line)
        shown = excerpt(self.snippet.text, line, finding.column, finding.end_column)
        text = f'{shown}{finding.message}'
        if finding.rule == 'unresolved-reference':
            hint = self.functions.hint(finding.message.split('`')[1])
            return f'{text}. {hint}' if hint else text
        return text


def _frame(error: MontyRuntimeError | MontySyntaxError) -> Frame | None:
    frames = [frame for frame in error.traceback() if frame.filename.startswith('<python-input')]
    return frames[-1] if frames else None
