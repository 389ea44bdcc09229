"""The statements of a text that is still being written."""

from __future__ import annotations

import ast

from toolscript_sandbox.language.syntax import module_of


class Statements:
    """Reads a text as it grows, each statement once it is finished."""

    def __init__(self) -> None:
        self.end: int = 0
        """Up to where the text has been read."""
        self._work = 0

    @property
    def is_tired(self) -> bool:
        """Whether the text was looked through more often than it is worth: it has a statement of a great many lines."""
        return self._work > _MOST_WORK

    def of(self, text: str) -> list[ast.stmt]:
        """The next statements that no further text can change.

        A statement that may have more lines inside it (`if`, `def` and the like) is finished once another one follows.

        Args:
            text: What was given here before, and more.
        """
        lines = text[self.end : text.rfind('\n') + 1].split('\n')[:-1]
        if '\r' in text or not lines or not _is_flush(lines[-1]):
            # A line that is blank or indented ends no statement that could not wait for the next line.
            return []
        # If the last statement has more lines to come, those before it are finished all the same.
        flush = [number for number, line in enumerate(lines) if number and _is_flush(line)]
        for count in (len(lines), *reversed(flush[-_TRIES:])):
            self._work += sum(map(len, lines[:count]))
            body = None if self.is_tired else _parsed(lines[:count])
            if body is not None:
                body, count = _closed(body, count)
                self.end += sum(len(line) + 1 for line in lines[:count])
                return body
        return []


def _closed(body: list[ast.stmt], count: int) -> tuple[list[ast.stmt], int]:
    """The statements of so many lines without a last one that may continue, and how many lines that leaves."""
    if body and (hasattr(body[-1], 'body') or isinstance(body[-1], ast.Match)):
        last = body.pop()
        decorators: list[ast.expr] = getattr(last, 'decorator_list', [])
        count = min(node.lineno for node in (last, *decorators)) - 1
    return body, count


def _is_flush(line: str) -> bool:
    return bool(line) and not line[0].isspace()


def _parsed(lines: list[str]) -> list[ast.stmt] | None:
    try:
        return module_of('\n'.join([*lines, ''])).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


_TRIES = 3
_MOST_WORK = 500_000
"""Characters; the parser takes some tenths of a second for them."""
