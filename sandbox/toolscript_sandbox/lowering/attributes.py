"""Rules for attributes that Monty's objects do not show."""

from __future__ import annotations

import ast

from toolscript_sandbox.text.syntax import all_of

from .parts import is_builtin, piece
from .rewriter import Node, Rewriter


def attributes(node: Node, r: Rewriter) -> str | None:
    """The first rule that knows the attribute, or the builtin that shows attributes."""
    match node:
        case ast.Attribute(value=value, attr=attr, ctx=ast.Load()) if r.scene.module(value) is None:
            return _read(attr, value, r)
        case ast.Call(args=[value]) if is_builtin(node, 'vars', r):
            return _variables(value, r)
        case ast.Call(func=ast.Name(id='globals' | 'locals' | 'dir' as name), args=[]) if is_builtin(node, name, r):
            return f'{{{", ".join(f"{known!r}: {known}" for known in _names_before(node, r))}}}'
        case _:
            return None


def _read(attr: str, value: ast.expr, r: Rewriter) -> str | None:
    if attr == '__class__':
        return f'type({r.text(value)})'
    if attr in ('__name__', '__qualname__'):
        return f'{piece(r, "builtins", "name_of")}({r.text(value)})'
    if attr == '__dict__':
        return _variables(value, r)
    return f'getattr({r.text(value)}, {attr!r}, None)' if attr in _NONE else None


def _variables(value: ast.expr, r: Rewriter) -> str:
    # An instance does not tell what it has; the snippet tells what it may have.
    stored = [node.attr for node in all_of(r.source.tree, ast.Attribute) if isinstance(node.ctx, ast.Store)]
    names = f'_attribute_names = {list(dict.fromkeys(stored))!r}'
    if names not in r.scene.imports:
        r.scene.imports.append(names)
    return f'{piece(r, "builtins", "variables_of")}({r.text(value)}, _attribute_names)'


def _names_before(node: ast.expr, r: Rewriter) -> list[str]:
    assigned = (part for part in r.source.tree.body if isinstance(part, ast.Assign) and part.lineno < node.lineno)
    targets = (target for part in assigned for target in part.targets)
    return sorted(r.scene.known | {target.id for target in targets if isinstance(target, ast.Name)})


_NONE = frozenset(['__cause__', '__context__', '__traceback__', '__doc__', '__notes__'])
