"""A tree as text, with the line of the script that each line came from.

Statements that no transform changed are copied from the source as they are: they keep their columns, at no cost.
The others are written by `ast.unparse`, a line for each statement.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .tree import Transformer, is_changed, placed, quoted_expression


@dataclass(frozen=True)
class Patch:
    """A text that takes the place of one of the same length in the source."""

    line: int
    """From 1."""
    column: int
    """From 0, in bytes."""
    text: str


@dataclass(frozen=True)
class Written:
    """A tree as text."""

    text: str
    lines: tuple[int, ...] = ()
    """For each line, its number in the source; empty where the text is the source, line by line."""


def write(tree: ast.Module, source: str, patches: Sequence[Patch] = ()) -> Written:
    """The text of a tree that was read from `source` and then changed."""
    if not is_changed(tree):
        return Written(_patched_lines(source, patches))
    writer = _Writer(_patched_lines(source, patches))
    writer.block(tree.body, '')
    return Written('\n'.join(writer.texts) + '\n', tuple(writer.numbers))


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
        # A text of several lines is one of the source that has them.
        for place, line in enumerate(text.split('\n')):
            self.texts.append(line)
            self.numbers.append(number + place)

    def _copied(self, node: ast.stmt, indent: str) -> bool:
        if is_changed(node):
            return False
        first, column = node.lineno, node.col_offset
        if isinstance(node, _DECORATED) and node.decorator_list:
            first, column = node.decorator_list[0].lineno, node.col_offset
        prefix = self._lines[first - 1][:column]
        if isinstance(node, _COMPOUND) and prefix != indent:
            return False
        last = node.end_lineno or first
        start, end = self._offset(first, column), self._offset(last, node.end_col_offset or 0)
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
        """The indentation of a block: its own where statements of it can be copied, otherwise one column more."""
        for node in statements:
            if not is_changed(node):
                prefix = self._lines[node.lineno - 1][: node.col_offset]
                if not prefix.strip() and len(prefix) > len(indent) and prefix.startswith(indent):
                    return prefix
        return f'{indent} '

    def _below(self, statements: Sequence[ast.stmt], indent: str) -> None:
        self.block(statements, self._inner(statements, indent))

    def _rest(self, word: str, statements: Sequence[ast.stmt], indent: str) -> None:
        if statements:
            self._line(statements[0].lineno, f'{indent}{word}:')
            self._below(statements, indent)

    def _statement(self, node: ast.stmt, indent: str) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                for mark in node.decorator_list:
                    self._line(mark.lineno, f'{indent}@{_text(mark)}')
                self._line(node.lineno, indent + _head(node))
                self._below(node.body, indent)
            case ast.If():
                self._choice(node, indent, 'if')
            case ast.While():
                self._line(node.lineno, f'{indent}while {_text(node.test)}:')
                self._below(node.body, indent)
                self._rest('else', node.orelse, indent)
            case ast.For() | ast.AsyncFor():
                word = 'async for' if isinstance(node, ast.AsyncFor) else 'for'
                self._line(node.lineno, f'{indent}{word} {_text(node.target)} in {_text(node.iter)}:')
                self._below(node.body, indent)
                self._rest('else', node.orelse, indent)
            case ast.With() | ast.AsyncWith():
                word = 'async with' if isinstance(node, ast.AsyncWith) else 'with'
                self._line(node.lineno, f'{indent}{word} {", ".join(map(_item, node.items))}:')
                self._below(node.body, indent)
            case ast.Try() | ast.TryStar():
                self._attempt(node, indent)
            case ast.Match():
                self._line(node.lineno, f'{indent}match {_text(node.subject)}:')
                for case in node.cases:
                    guard = '' if case.guard is None else f' if {_text(case.guard)}'
                    self._line(case.body[0].lineno, f'{indent} case {ast.unparse(case.pattern)}{guard}:')
                    self._below(case.body, f'{indent} ')
            case _:
                self._line(node.lineno, indent + _text(node).replace('\n', f'\n{indent}'))

    def _choice(self, node: ast.If, indent: str, word: str) -> None:
        self._line(node.lineno, f'{indent}{word} {_text(node.test)}:')
        self._below(node.body, indent)
        match node.orelse:
            case [ast.If() as other]:
                self._choice(other, indent, 'elif')
            case orelse:
                self._rest('else', orelse, indent)

    def _attempt(self, node: ast.Try | ast.TryStar, indent: str) -> None:
        self._line(node.lineno, f'{indent}try:')
        self._below(node.body, indent)
        star = '*' if isinstance(node, ast.TryStar) else ''
        for handler in node.handlers:
            kind = '' if handler.type is None else f' {_text(handler.type)}'
            name = '' if handler.name is None else f' as {handler.name}'
            self._line(handler.lineno, f'{indent}except{star}{kind}{name}:')
            self._below(handler.body, indent)
        self._rest('else', node.orelse, indent)
        self._rest('finally', node.finalbody, indent)


_DECORATED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_COMPOUND = (
    *_DECORATED,
    *(ast.If, ast.While, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match),
)


def _head(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> str:
    bare = copy.copy(node)
    bare.decorator_list, bare.body = [], [ast.Pass()]
    return _text(bare).strip('\n').removesuffix('pass').rstrip()


def _item(item: ast.withitem) -> str:
    target = '' if item.optional_vars is None else f' as {_text(item.optional_vars)}'
    return f'{_text(item.context_expr)}{target}'


def _text(node: ast.expr | ast.stmt) -> str:
    try:
        return ast.unparse(node)
    except ValueError:
        # Before Python 3.12 an f-string cannot hold every text inside of it.
        copied = copy.deepcopy(node)
        (joined,) = _JoinedTexts().body([copied if isinstance(copied, ast.stmt) else ast.Expr(copied)])
        return ast.unparse(joined)


class _JoinedTexts(Transformer):
    """f-strings as texts that are joined."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        self.below(node)
        return quoted_expression("''.join(PARTS)", node, PARTS=placed(ast.List([*_parts(node)], ast.Load()), node))


def _parts(node: ast.JoinedStr) -> Iterator[ast.expr]:
    for value in node.values:
        if isinstance(value, ast.FormattedValue):
            shown = value.value
            if value.conversion in _CONVERSIONS:
                shown = quoted_expression('SHOW(X)', value, SHOW=_CONVERSIONS[value.conversion], X=shown)
            text = value.format_spec or ast.Constant('')
            yield quoted_expression('format(X, TEXT)', value, X=shown, TEXT=text)
        else:
            yield value


_CONVERSIONS = {ord('r'): 'repr', ord('s'): 'str', ord('a'): 'ascii'}
