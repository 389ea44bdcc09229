"""Source text, its tree, and edits that leave every line where it was."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from .syntax import tree_of

NEW_LINE = '\n\f'
"""A line end that the model's text does not have. Python ignores the form feed; `numbered` reads it."""


@dataclass(frozen=True)
class Edit:
    """Replace the characters from `start` to `end` (offsets into the text) by `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Source:
    """A snippet, with `\\n` for line ends."""

    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree, for reading. Raises `SyntaxError` (or `ValueError` for null bytes) where there is none."""
        return tree_of(self.text)

    def start(self, node: ast.expr | ast.stmt) -> int:
        """Offset of the node's first character."""
        return self._offset(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt) -> int:
        """Offset behind the node's last character."""
        line = node.end_lineno or node.lineno
        return self._offset(line, node.end_col_offset or 0)

    def segment(self, node: ast.expr | ast.stmt) -> str:
        """The node's text."""
        return self.text[self.start(node) : self.end(node)]

    def replace(self, node: ast.expr | ast.stmt, text: str) -> Edit:
        """An edit that puts `text` in the node's place, followed by as many line breaks as the node had."""
        missing = max(0, self.segment(node).count('\n') - text.count('\n'))
        breaks = '\n' if isinstance(node, ast.stmt) else '\\\n'
        return Edit(self.start(node), self.end(node), text + breaks * missing)

    def wrap(self, node: ast.expr | ast.stmt, before: str, after: str) -> list[Edit]:
        """Edits that put text around the node."""
        start, end = self.start(node), self.end(node)
        return [Edit(start, start, before), Edit(end, end, after)]

    def edited(self, edits: Iterable[Edit]) -> Source:
        """The source after the edits, which must not overlap; those at one place keep their order."""
        text, last, parts = self.text, 0, list[str]()
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
            parts += [text[last : edit.start], edit.text]
            last = edit.end
        return Source(''.join([*parts, text[last:]]))

    def numbered(self) -> tuple[str, tuple[int, ...]]:
        """The text to run, and for each of its lines the number that it had before edits added lines."""
        lines, numbers = self.text.split('\n'), list[int]()
        for line in lines:
            added = line.startswith('\f') and numbers
            numbers.append(numbers[-1] if added else numbers[-1] + 1 if numbers else 1)
        return '\n'.join(line.removeprefix('\f') for line in lines), tuple(numbers)

    @cached_property
    def _line_starts(self) -> list[int]:
        # `str.splitlines` knows more line ends than Python's tokenizer does.
        return [0, *(place + 1 for place, character in enumerate(self.text) if character == '\n')]

    def _offset(self, line: int, column_bytes: int) -> int:
        start = self._line_starts[line - 1]
        if self.text.isascii():
            return start + column_bytes
        end = self._line_starts[line] if line < len(self._line_starts) else len(self.text)
        return start + len(self.text[start:end].encode()[:column_bytes].decode())
