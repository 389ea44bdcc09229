"""The value of a script, assigned to a variable that the next script can read.

The last expression is the value. So are a final assignment, the ends of the branches of a final `if`, `try` or `with`,
and a `return` at the top level: models end scripts in all of these ways.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from itertools import count

from .tree import Transformer, as_target, meaning, placed, quoted, quoted_expression, set_changed


def with_result(tree: ast.Module, taken: Container[str]) -> str | None:
    """Assign the value, in place; the variable's name, or None where there is no value. `taken` are names in use."""
    if not tree.body:
        return None
    returns = list(_returns(tree.body))
    simple = None if returns else _simple_name(tree.body[-1])
    if simple is not None:
        if not isinstance(tree.body[-1], ast.Expr):
            _append(tree, quoted('X', tree.body[-1], X=simple))
        return simple
    ends = list(_ends(tree.body[-1]))
    if not ends and not returns:
        return None
    name = next(name for number in count(1) if (name := f'result_{number}') not in taken)
    first, last = tree.body[0], tree.body[-1]
    if returns:
        _Returned(name).below(tree)
    _Kept(name, ends).below(tree)
    if returns or ends != [last]:
        tree.body[:0] = quoted('NAME = None', first, NAME=name)
    end = placed(ast.Pass(), last)
    end.lineno = last.end_lineno or last.lineno
    _append(tree, quoted('X', end, X=name))
    return name


def _append(tree: ast.Module, statements: list[ast.stmt]) -> None:
    tree.body += statements
    set_changed(tree)


class _Returned(Transformer):
    """`return x` at the top level."""

    def __init__(self, name: str) -> None:
        self._name = name

    def visit_Return(self, node: ast.Return) -> ast.AST | list[ast.stmt]:
        if node.value is None:
            return node
        return quoted('NAME = VALUE\nreturn NAME', node, NAME=self._name, VALUE=node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node


class _Kept(Transformer):
    """The statements at the end, with their values assigned."""

    def __init__(self, name: str, ends: list[ast.stmt]) -> None:
        self._name = name
        self._ends = ends

    def visit(self, node: ast.AST) -> ast.AST | list[ast.stmt]:
        if isinstance(node, ast.stmt) and node in self._ends:
            return self._kept(node)
        return self.below(node) if isinstance(node, _HOLDING) else node

    def _kept(self, node: ast.stmt) -> ast.AST | list[ast.stmt]:
        match node:
            case ast.Expr(value=value):
                return quoted('NAME = VALUE', node, NAME=self._name, VALUE=value)
            case ast.Assign():
                node.targets.insert(0, as_target(quoted_expression('NAME', node, NAME=self._name)))
                return set_changed(node)
            case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
                read = as_target(target, ast.Load())
                return [node, *quoted('NAME = VALUE', node, NAME=self._name, VALUE=read)]
            case _:
                return node


_HOLDING = (ast.Module, ast.If, ast.With, ast.AsyncWith, ast.Try, ast.ExceptHandler)


def _ends(node: ast.stmt) -> Iterator[ast.stmt]:
    match node:
        case ast.Expr(value=value):
            if not _is_silent(value):
                yield node
        case ast.Assign(targets=[ast.Name()]) | ast.AnnAssign(value=ast.expr()) | ast.AugAssign():
            yield node
        case ast.If(body=body, orelse=orelse):
            yield from _ends(body[-1])
            yield from _ends(orelse[-1]) if orelse else ()
        case ast.With(body=body) | ast.AsyncWith(body=body):
            yield from _ends(body[-1])
        case ast.Try(body=body, handlers=handlers, orelse=orelse):
            yield from _ends((orelse or body)[-1])
            for handler in handlers:
                yield from _ends(handler.body[-1])
        case _:
            pass


def _simple_name(last: ast.stmt) -> str | None:
    match last:
        case (
            ast.Expr(value=ast.Name(id=name))
            | ast.Assign(targets=[ast.Name(id=name)])
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr())
            | ast.AugAssign(target=ast.Name(id=name))
        ):
            return name
        case _:
            return None


def _is_silent(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        return meaning(value.func) == 'builtins.print'
    return isinstance(value, ast.Constant) and (value.value is None or value.value is ...)


def _returns(body: list[ast.stmt]) -> Iterator[ast.Return]:
    for node in body:
        if isinstance(node, ast.Return):
            yield node
        elif isinstance(node, _BLOCKS):
            for field in ('body', 'orelse', 'finalbody'):
                yield from _returns(getattr(node, field, []))
            for part in (*getattr(node, 'handlers', ()), *getattr(node, 'cases', ())):
                yield from _returns(part.body)


_BLOCKS = (*(ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match),)
