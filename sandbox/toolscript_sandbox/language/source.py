"""Source text, its tree, and edits that know which line of the model's text each line came from."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from operator import attrgetter

from .syntax import all_of, tree_of

_MARK = '\0'
"""What the text of an edit has behind a line end that the model's text does not have.

No Python text holds it (the parser refuses it), so that nothing which a model writes can be taken for a mark.
"""

NEW_LINE = f'\n{_MARK}{_MARK}'
"""A line end, in the text of an edit, behind which stands a line with the number of the line before."""


def line_of(number: int) -> str:
    """A line end, in the text of an edit, behind which stands a line with this number in the model's text."""
    return f'\n{_MARK}{number}{_MARK}'


@dataclass(frozen=True)
class Edit:
    """Replace the characters from `start` to `end` (offsets into the text) by `text`."""

    start: int
    end: int
    text: str


def spliced(text: str, edits: Iterable[Edit]) -> str:
    """The text after the edits, marks and all: for text that becomes part of an edit."""
    last, parts = 0, list[str]()
    for edit in _in_order(edits):
        parts += [text[last : edit.start], edit.text]
        last = edit.end
    return ''.join([*parts, text[last:]])


@dataclass(frozen=True)
class Source:
    """A snippet, with `\\n` for line ends."""

    text: str
    numbers: tuple[int, ...] = ()
    """For each line its number in the model's text; empty where that is its place."""

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree, for reading. Raises `SyntaxError` (or `ValueError` for null bytes) where there is none."""
        return tree_of(self.text)

    @property
    def is_python(self) -> bool:
        """Whether the text has a tree."""
        try:
            return bool(self.tree)
        except (SyntaxError, ValueError):
            return False

    def start(self, node: ast.expr | ast.stmt) -> int:
        """Offset of the node's first character."""
        return self.offset(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt) -> int:
        """Offset behind the node's last character."""
        return self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def segment(self, node: ast.expr | ast.stmt) -> str:
        """The node's text."""
        return self.text[self.start(node) : self.end(node)]

    def replace(self, node: ast.expr | ast.stmt, text: str) -> Edit:
        """An edit that puts `text` in the node's place."""
        return Edit(self.start(node), self.end(node), text)

    def wrap(self, node: ast.expr | ast.stmt, before: str, after: str) -> list[Edit]:
        """Edits that put text around the node."""
        start, end = self.start(node), self.end(node)
        return [Edit(start, start, before), Edit(end, end, after)]

    def edited(self, edits: Iterable[Edit]) -> Source:
        """The source after the edits, which must not overlap; those at one place keep their order."""
        ordered = _in_order(edits)
        if not ordered:
            return self
        lines, last = _Lines(self), 0
        for edit in ordered:
            lines.keep(last, edit.start)
            lines.put(edit)
            last = edit.end
        lines.keep(last, len(self.text))
        return Source(''.join(lines.parts), tuple(lines.numbers))

    def number(self, line: int) -> int:
        """The number that a line has in the model's text."""
        return self.numbers[line - 1] if 0 < line <= len(self.numbers) else line

    def offset(self, line: int, column_bytes: int) -> int:
        """The place of a column, which the parser counts in bytes."""
        start = self._line_starts[line - 1]
        if self.text.isascii():
            return start + column_bytes
        if line not in self._columns:
            self._columns[line] = _columns(self.text[start : self._line_starts[line]])
        columns = self._columns[line]
        return start + (columns[column_bytes] if columns else column_bytes)

    @cached_property
    def lines_in_texts(self) -> set[int]:
        """The lines that a text of several lines goes on in, which nothing may indent."""
        return {
            line
            for kind in (ast.Constant, ast.JoinedStr)
            for node in all_of(self.tree, kind)
            for line in range(node.lineno + 1, (node.end_lineno or node.lineno) + 1)
        }

    @cached_property
    def _line_starts(self) -> list[int]:
        # `str.splitlines` knows more line ends than Python's tokenizer does.
        starts = [0, *accumulate(len(line) + 1 for line in self.text.split('\n'))]
        return [*starts[:-1], len(self.text)]

    @cached_property
    def _columns(self) -> dict[int, list[int]]:
        """For lines that were asked for, the character at each byte; empty where these are the same."""
        return {}


class _Lines:
    """A source on its way through edits."""

    def __init__(self, source: Source) -> None:
        self.parts = list[str]()
        self.numbers = [source.number(1)]
        self._source = source
        self._line = 1

    def keep(self, start: int, end: int) -> None:
        """What no edit changes."""
        text = self._source.text[start:end]
        self.parts.append(text)
        first = self._line + 1
        self._line += text.count('\n')
        known = self._source.numbers
        self.numbers += known[first - 1 : self._line] if known else range(first, self._line + 1)

    def put(self, edit: Edit) -> None:
        """What an edit says."""
        end = self._line + self._source.text.count('\n', edit.start, edit.end)
        first, *others = edit.text.split('\n')
        self.parts.append(first)
        for line in others:
            if line.startswith(_MARK):
                _, number, line = line.split(_MARK, 2)
                self.numbers.append(int(number) if number else self.numbers[-1])
            else:
                self._line = min(self._line + 1, end)
                self.numbers.append(self._source.number(self._line))
            self.parts.append(f'\n{line}')
        self._line = end


def _in_order(edits: Iterable[Edit]) -> list[Edit]:
    return sorted(edits, key=attrgetter('start', 'end'))


def _columns(line: str) -> list[int]:
    if line.isascii():
        return []
    widths = (len(character.encode('utf-8', 'surrogatepass')) for character in line)
    return [*(place for place, width in enumerate(widths) for _ in range(width)), len(line)]
