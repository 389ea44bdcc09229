"""The value of a snippet, kept under a name."""

from __future__ import annotations

import ast
from collections.abc import Container
from itertools import count

from .source import Source


def named_result(source: Source, taken: Container[str]) -> tuple[Source, str | None]:
    """The snippet with its final expression kept in a variable, and that variable's name; None where it has no value.

    A final `total = ...` counts as an expression: models end on an assignment and mean its value.
    """
    last = source.tree.body[-1] if source.tree.body else None
    if isinstance(last, ast.Expr):
        return _kept(source, last, taken)
    name = _assigned(last)
    if last is None or name is None:
        return source, None
    end = source.end(last)
    return Source(f'{source.text[:end]}; {name}{source.text[end:]}'), name


def _kept(source: Source, last: ast.Expr, taken: Container[str]) -> tuple[Source, str | None]:
    if isinstance(last.value, ast.Name):
        return source, last.value.id
    if isinstance(last.value, ast.Constant) or _is_print(last.value):
        return source, None
    name = next(name for number in count(1) if (name := f'result_{number}') not in taken)
    return source.edited(source.wrap(last.value, f'{name} = (', f'); {name}')), name


def _assigned(last: ast.stmt | None) -> str | None:
    match last:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
            return name
        case ast.AugAssign(target=ast.Name(id=name)):
            return name
        case _:
            return None


def _is_print(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == 'print'
