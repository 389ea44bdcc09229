"""Parses the finished statements of a text that is still being written."""

import ast

from toolscript_sandbox.language.syntax import module_of


class Statements:
    """Reads a growing text, and returns each statement once it is finished."""

    def __init__(self) -> None:
        self.end: int = 0
        """The end of the text read so far."""
        self._work = 0

    @property
    def has_given_up(self) -> bool:
        """Whether reading on is not worth the work, because a statement has very many lines."""
        return self._work > _MOST_WORK

    def of(self, text: str) -> list[ast.stmt]:
        """Return the next statements that no further text can change.

        A statement that may have more lines inside it (`if`, `def` and the like) is finished once another one follows.

        Args:
            text: The previous text, with more at its end.
        """
        lines = text[self.end : text.rfind('\n') + 1].split('\n')[:-1]
        if '\r' in text or not lines or not _is_flush(lines[-1]):
            # A blank or indented line never finishes a statement, so it can wait for the next line.
            return []
        # Even if the last statement continues, those before it are finished.
        flush = [number for number, line in enumerate(lines) if number and _is_flush(line)]
        for count in (len(lines), *reversed(flush[-_TRIES:])):
            self._work += sum(map(len, lines[:count]))
            body = None if self.has_given_up else _parsed(lines[:count])
            if body is not None:
                body, count = _closed(body, count)
                self.end += sum(len(line) + 1 for line in lines[:count])
                return body
        return []


def _closed(body: list[ast.stmt], count: int) -> tuple[list[ast.stmt], int]:
    """Return the statements of this many lines except a last one that may continue, and the lines they take."""
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
"""The maximum number of characters parsed, which takes a few tenths of a second."""
