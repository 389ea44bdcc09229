"""Assigns the value of a script to a variable that the next script can read.

The value is the last expression, a final assignment, the ends of the branches of a final `if`, `try` or `with`, or a
`return` at the top level: models end scripts in all of these ways.
"""

import ast
from collections.abc import Container
from itertools import count

from toolscript_sandbox.language.analysis import set_meaning

from .tree import Transformer, as_target, meaning, named, placed, quoted, set_changed


def with_result(tree: ast.Module, taken: Container[str]) -> str | None:
    """Assign the value in place. Returns the variable's name, or None without a value. `taken` are names in use."""
    if not tree.body:
        return None
    name = next(name for number in count(1) if (name := f'result_{number}') not in taken)
    first, last = tree.body[0], tree.body[-1]
    returned = _Returned(name)
    tree = returned.below(tree)
    if not returned.found and (simple := _simple_name(last)) is not None:
        if not isinstance(last, ast.Expr):
            _append(tree, simple)
        return simple
    has_end = _assign(tree.body, name)
    if not has_end and not returned.found:
        return None
    set_changed(tree)
    if returned.found or not isinstance(last, (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign)):
        tree.body[:0] = quoted('NAME = None', first, NAME=name)
    _append(tree, name)
    return name


def _append(tree: ast.Module, name: str) -> None:
    last = tree.body[-1]
    end = placed(ast.Pass(), last)
    end.lineno = last.end_lineno or last.lineno
    tree.body += quoted('X', end, X=name)
    set_changed(tree)


class _Returned(Transformer):
    """Replaces `return x` at the top level."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.found = False

    def visit_Return(self, node: ast.Return) -> ast.AST | list[ast.stmt]:
        self.found = True
        if node.value is None:
            return node
        stored, left = quoted('NAME = VALUE\nreturn NAME', node, NAME=self._name, VALUE=node.value)
        return [stored, set_meaning(left, EARLY)]

    def visit(self, node: ast.AST) -> ast.AST | list[ast.stmt]:
        return node if isinstance(node, _APART) else super().visit(node)


def _assign(body: list[ast.stmt], name: str) -> bool:
    """Assign the value of the last statement in place. Returns whether it has one."""
    *_, node = body
    match node:
        case ast.Expr(value=value):
            if not _is_silent(value):
                body[-1:] = quoted('NAME = VALUE', node, NAME=name, VALUE=value)
                return True
            return False
        case ast.Assign(targets=[ast.Name()]):
            node.targets.insert(0, as_target(named(name, node)))
        case ast.AnnAssign(target=target, value=ast.expr()) | ast.AugAssign(target=target):
            body += quoted('NAME = VALUE', node, NAME=name, VALUE=as_target(target, ast.Load()))
            return True
        case ast.If() | ast.With() | ast.AsyncWith() | ast.Try():
            handlers = [handler for handler in getattr(node, 'handlers', ()) if _assign(handler.body, name)]
            orelse: list[ast.stmt] = getattr(node, 'orelse', [])
            # If a `try` succeeds, its `else` runs last.
            blocks = [orelse or node.body] if isinstance(node, ast.Try) else [node.body, *([orelse] if orelse else [])]
            if not any([*handlers, *[_assign(block, name) for block in blocks]]):
                return False
            for handler in handlers:
                set_changed(handler)
        case _:
            return False
    set_changed(node)
    return True


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


EARLY = 'an early result'
"""The meaning of a `return` at the top level."""
_APART = (ast.expr, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
