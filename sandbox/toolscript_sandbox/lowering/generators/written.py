"""Statements as text in which each line knows its number.

`ast.unparse` writes the whole, but then nobody knows which line is whose without parsing it again; it writes four
columns a level and empty lines, which doubled what generators become. Here it only writes single lines.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from toolscript_sandbox.text.source import line_of


class Line(ast.stmt):
    """A simple statement that is written down already."""

    _fields = ()

    def __init__(self, text: str, number: int) -> None:
        super().__init__()
        self.text = text
        self.lineno: int = number
        self.col_offset: int = 0


def written(statements: Sequence[ast.stmt]) -> str:
    """The statements, from the first column on."""
    (_, first), *others = _lines(statements, '')
    return ''.join([first, *(f'{line_of(number)}{line}' for number, line in others)])


Lines: TypeAlias = Iterator[tuple[int, str]]


def _lines(statements: Sequence[ast.stmt], indent: str) -> Lines:
    for node in statements:
        if isinstance(node, Line):
            yield node.lineno, f'{indent}{node.text}'
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from _definition(node, indent)
        elif isinstance(node, ast.If):
            yield from _choice(node, indent, 'if')
        elif isinstance(node, (ast.Try, ast.TryStar)):
            yield from _attempt(node, indent)
        elif isinstance(node, ast.Match):
            yield node.lineno, f'{indent}match {ast.unparse(node.subject)}:'
            for case in node.cases:
                guard = '' if case.guard is None else f' if {ast.unparse(case.guard)}'
                yield case.body[0].lineno, f'{indent} case {ast.unparse(case.pattern)}{guard}:'
                yield from _lines(case.body, f'{indent}  ')
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith)):
            yield from _block(node, indent)
        else:
            yield node.lineno, indent + ast.unparse(ast.fix_missing_locations(node))


def _definition(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, indent: str) -> Lines:
    for mark in node.decorator_list:
        yield mark.lineno, f'{indent}@{ast.unparse(mark)}'
    marks, node.decorator_list = node.decorator_list, []
    yield from _block(node, indent)
    node.decorator_list = marks


def _choice(node: ast.If, indent: str, word: str) -> Lines:
    yield node.lineno, f'{indent}{word} {ast.unparse(node.test)}:'
    yield from _lines(node.body, f'{indent} ')
    if len(node.orelse) == 1 and isinstance(other := node.orelse[0], ast.If):
        yield from _choice(other, indent, 'elif')
    else:
        yield from _rest('else', node.orelse, indent)


def _attempt(node: ast.Try | ast.TryStar, indent: str) -> Lines:
    yield node.lineno, f'{indent}try:'
    yield from _lines(node.body, f'{indent} ')
    for handler in node.handlers:
        star = '*' if isinstance(node, ast.TryStar) else ''
        kind = '' if handler.type is None else f' {ast.unparse(handler.type)}'
        name = '' if handler.name is None else f' as {handler.name}'
        yield handler.body[0].lineno, f'{indent}except{star}{kind}{name}:'
        yield from _lines(handler.body, f'{indent} ')
    yield from _rest('else', node.orelse, indent)
    yield from _rest('finally', node.finalbody, indent)


def _block(
    node: ast.FunctionDef
    | ast.AsyncFunctionDef
    | ast.ClassDef
    | ast.For
    | ast.AsyncFor
    | ast.While
    | ast.With
    | ast.AsyncWith,
    indent: str,
) -> Lines:
    orelse = node.orelse if isinstance(node, (ast.For, ast.AsyncFor, ast.While)) else []
    nothing: list[ast.stmt] = [ast.Pass()]
    body, node.body = node.body, nothing
    if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
        node.orelse = []
    head = ast.unparse(ast.fix_missing_locations(node)).strip('\n').removesuffix('pass').rstrip()
    node.body = body
    if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
        node.orelse = orelse
    yield node.lineno, indent + head
    yield from _lines(body, f'{indent} ')
    yield from _rest('else', orelse, indent)


def _rest(word: str, body: Sequence[ast.stmt], indent: str) -> Lines:
    if body:
        yield body[0].lineno, f'{indent}{word}:'
        yield from _lines(body, f'{indent} ')
