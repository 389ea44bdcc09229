"""Writes a tree as text, and maps each line to its line in the script.

Statements that no transform changed are copied from the source, so they keep their columns at no cost. The others are
written by `ast.unparse`, one line per statement.
"""

import ast
import copy
from collections.abc import Sequence
from typing import Any, NamedTuple

from toolscript_sandbox.language.refusals import Refusal, Refused
from toolscript_sandbox.language.snippet import Code

from .tree import NodeT, is_changed


class Patch(NamedTuple):
    """A text that replaces one of the same length in the source."""

    line: int
    """The line, from 1."""
    column: int
    """The column in bytes, from 0."""
    text: str


def write(tree: ast.Module, source: str, patches: Sequence[Patch] = ()) -> Code:
    """Write a tree that was parsed from `source` and then changed."""
    if not is_changed(tree):
        return Code(_patched_lines(source, patches))
    writer = _Writer(_patched_lines(source, patches))
    writer.block(tree.body, '')
    return Code('\n'.join(writer.texts) + '\n', tuple(writer.numbers))


def _patched_lines(source: str, patches: Sequence[Patch]) -> str:
    if not patches:
        return source
    lines = [line.encode('utf-8', 'surrogatepass') for line in source.split('\n')]
    for patch in patches:
        line, new = lines[patch.line - 1], patch.text.encode()
        lines[patch.line - 1] = line[: patch.column] + new + line[patch.column + len(new) :]
    return b'\n'.join(lines).decode('utf-8', 'surrogatepass')


class _Writer:
    def __init__(self, source: str) -> None:
        self._lines = source.split('\n')
        self._is_ascii = source.isascii()
        self.texts: list[str] = []
        self.numbers: list[int] = []

    def block(self, statements: Sequence[ast.stmt], indent: str) -> None:
        """Write statements, at least one."""
        for node in statements:
            if not self._copied(node, indent):
                self._statement(node, indent)
        if not statements:
            self._line(self.numbers[-1] if self.numbers else 1, f'{indent}pass')

    def _line(self, number: int, text: str) -> None:
        # A text of several lines is copied from the source, which has the same lines.
        for place, line in enumerate(text.split('\n')):
            self.texts.append(line)
            self.numbers.append(number + place)

    def _copied(self, node: ast.stmt, indent: str) -> bool:
        if is_changed(node):
            return False
        first, column = node.lineno, node.col_offset
        if marks := getattr(node, 'decorator_list', None):
            first = marks[0].lineno
        prefix = self._lines[first - 1][:column]
        if prefix != indent and not _BLOCKS.isdisjoint(node._fields):
            return False
        last = node.end_lineno or first
        start, end = self._offset(first, column), self._offset(last, node.end_col_offset or 0)
        if self._lines[first - 1].startswith('elif', start):
            # A transform made it a statement of its own.
            return False
        lines = self._lines[first - 1 : last]
        lines[-1] = lines[-1][:end]
        lines[0] = indent + lines[0][start:]
        for number, line in enumerate(lines, first):
            self.texts.append(line)
            self.numbers.append(number)
        return True

    def _offset(self, line: int, column: int) -> int:
        text = self._lines[line - 1]
        if self._is_ascii or text.isascii():
            return column
        return len(text.encode('utf-8', 'surrogatepass')[:column].decode('utf-8', 'surrogatepass'))

    def _inner(self, statements: Sequence[ast.stmt], indent: str) -> str:
        """Return the indentation of a block: its own if some statements can be copied, otherwise one more column."""
        for node in statements:
            if not is_changed(node):
                prefix = self._lines[node.lineno - 1][: node.col_offset]
                if not prefix.strip() and len(prefix) > len(indent) and prefix.startswith(indent):
                    return prefix
        return f'{indent} '

    def _statement(self, node: ast.stmt, indent: str) -> None:
        if _BLOCKS.isdisjoint(node._fields):
            self._line(node.lineno, indent + _text(node).replace('\n', f'\n{indent}'))
            return
        parts: list[ast.AST] = [node]
        for mark in getattr(node, 'decorator_list', ()):
            self._line(mark.lineno, f'{indent}@{_text(mark)}')
        if isinstance(node, ast.Match):
            self._line(node.lineno, f'{indent}match {_text(node.subject)}:')
            parts, indent = [*node.cases], f'{indent} '
        for part in parts:
            blocks = list[tuple[int, list[ast.stmt]]]()
            heads = _text(_without_blocks(part, blocks)).split(_HOLE)
            for (number, statements), head in zip(blocks, heads, strict=False):
                self._line(number, indent + head.strip())
                self.block(statements, self._inner(statements, indent))


_HOLE = '_block__here'
_BLOCKS = frozenset(['body', 'cases', 'handlers', 'orelse', 'finalbody'])


def _without_blocks(node: NodeT, blocks: list[tuple[int, list[ast.stmt]]]) -> NodeT:
    """Return a copy with a hole for each block. Adds the blocks to `blocks`, each with the line that precedes it."""
    new = copy.copy(node)
    if hasattr(node, 'decorator_list'):
        setattr(new, 'decorator_list', [])  # noqa: B010
    for field in node._fields:
        value: list[Any] | None = getattr(node, field) if field in _BLOCKS else None
        match value:
            case [ast.If() as other] if field == 'orelse' and isinstance(node, ast.If):
                setattr(new, field, [_without_blocks(other, blocks)])
            case [ast.ExceptHandler(), *_]:
                setattr(new, field, [_without_blocks(part, blocks) for part in value])
            case list() if value or field == 'body':
                line = getattr(node, 'lineno', None) if field == 'body' else None
                blocks.append((line or value[0].lineno, value))
                setattr(new, field, [ast.Expr(ast.Name(_HOLE, ast.Load()))])
            case _:
                pass
    return new


def _text(node: ast.AST) -> str:
    try:
        return ast.unparse(node)
    except ValueError as error:
        # Before Python 3.12 an f-string cannot contain every string literal.
        raise Refused([Refusal(_F_STRING, getattr(node, 'lineno', 1), 0, None)]) from error


_F_STRING = 'This f-string has too many quotes in its braces. Put the value into a variable first.'
