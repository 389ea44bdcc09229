"""Errors in words for the model."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic_monty import MontyCrashedError, MontyDisconnectError, MontyError, MontyRuntimeError, MontySyntaxError

from .calls import CallRecord
from .checker import Diagnostic
from .errors import SnippetError
from .functions import Functions


def from_syntax(error: Exception, code: str) -> SnippetError:
    """The text is no Python."""
    line = error.lineno if isinstance(error, SyntaxError) else None
    reason = error.msg if isinstance(error, SyntaxError) else str(error)
    return SnippetError('syntax', f'{_shown(code, line, None, None)}SyntaxError: {reason}', 'SyntaxError', line)


def from_types(findings: Sequence[Diagnostic], code: str, functions: Functions) -> SnippetError:
    """The code would fail; nothing has run."""
    parts = [_finding(finding, code, functions) for finding in findings[:5]]
    return SnippetError('types', '\n'.join(['Nothing was run:', *parts]), line=findings[0].line)


def from_monty(error: MontyError, code: str, calls: Sequence[CallRecord]) -> SnippetError:
    """The code failed while it ran."""
    if isinstance(error, (MontyCrashedError, MontyDisconnectError)):
        return SnippetError('crash', f'The sandbox is gone: {error}')
    if not isinstance(error, (MontyRuntimeError, MontySyntaxError)):
        return SnippetError('runtime', str(error))
    frames = [frame for frame in error.traceback() if frame.filename.startswith('<python-input')]
    last = frames[-1] if frames else None
    line = last.line if last else None
    inner = error.exception()
    text = f'{_shown(code, line, None, None)}{error}'
    return SnippetError('runtime', text, type(inner).__name__, line)


def _finding(finding: Diagnostic, code: str, functions: Functions) -> str:
    shown = _shown(code, finding.line, finding.column, finding.end_column)
    text = f'{shown}{finding.message}'
    if finding.rule == 'unresolved-reference':
        hint = functions.hint(finding.message.split('`')[1])
        return f'{text}. {hint}' if hint else text
    return text


def _shown(code: str, line: int | None, column: int | None, end: int | None) -> str:
    lines = code.split('\n')
    if line is None or not 0 < line <= len(lines):
        return ''
    text = f'line {line}: {lines[line - 1].strip()}\n'
    if column is None or end is None:
        return text
    indent = len(f'line {line}: ') + column - (len(lines[line - 1]) - len(lines[line - 1].lstrip()))
    return f'{text}{" " * indent}{"^" * max(1, end - column)}\n'
