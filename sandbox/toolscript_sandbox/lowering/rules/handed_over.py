"""Rules for what goes to functions of the host: of ranges and views of dicts they would get no more than the text."""

from __future__ import annotations

import ast

from toolscript_sandbox.lowering.parts import defines, is_builtin, native
from toolscript_sandbox.lowering.rewriter import Rewriter, named


def _listed(node: ast.Call, r: Rewriter) -> str | None:
    """`order(skus=wanted.keys())`: a list of the keys."""
    is_items = is_builtin(node, 'range', r) or is_builtin(node, 'iter', r) or _is_view(node, r)
    return f'{native(r, "list")}({r.inside(node)})' if is_items and _goes_to_host(node, r) else None


def _is_view(node: ast.Call, r: Rewriter) -> bool:
    func = node.func
    named = isinstance(func, ast.Attribute) and func.attr in _VIEWS and not node.args and not node.keywords
    return named and isinstance(func, ast.Attribute) and not defines(r, func.attr)


def _goes_to_host(node: ast.expr, r: Rewriter) -> bool:
    below: ast.AST = node
    for parent in r.above(node):
        match parent:
            case ast.Call(func=func):
                return func is not below and r.scene.called(func) is not None
            case ast.keyword() | ast.Dict() | ast.List() | ast.Tuple():
                below = parent
            case _:
                return False
    return False


_VIEWS = frozenset(['keys', 'values', 'items'])

HANDED_OVER_RULES = (named(_listed, 'range', 'iter', *_VIEWS),)
