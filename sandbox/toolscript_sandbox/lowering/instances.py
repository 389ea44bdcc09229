"""Rules for builtins over instances: Monty asks these for less than Python does."""

from __future__ import annotations

import ast

from .parts import CallRule, arguments, defines, is_builtin, keyword, piece
from .rewriter import Rewriter


def _compared(node: ast.Call, r: Rewriter) -> str | None:
    """`sorted(xs, key=cmp_to_key(f))`: instances cannot say how they compare in Monty."""
    key = keyword(node, 'key')
    if not isinstance(key, ast.Call) or r.scene.member(key.func) != ('functools', 'cmp_to_key') or len(key.args) != 1:
        return None
    reverse = keyword(node, 'reverse')
    tail = f', {r.text(reverse)}' if reverse is not None else ''
    merge = piece(r, 'functools', 'sorted_with')
    if is_builtin(node, 'sorted', r) and len(node.args) == 1:
        return f'{merge}({r.text(node.args[0])}, {r.text(key.args[0])}{tail})'
    if isinstance(node.func, ast.Attribute) and node.func.attr == 'sort' and not node.args:
        items = r.text(node.func.value)
        return f'{items}.__setitem__(slice(None), {merge}({items}, {r.text(key.args[0])}{tail}))'
    return None


def _asked(node: ast.Call, r: Rewriter) -> str | None:
    """`hasattr(x, 'keys')` and `bytes([1, 2])`."""
    if is_builtin(node, 'hasattr', r) and len(node.args) == 2:
        return f'{piece(r, "builtins", "has_attribute")}({arguments(node, r)})'
    if is_builtin(node, 'bytes', r) and len(node.args) == 1 and not isinstance(node.args[0], ast.Constant):
        return f'{piece(r, "builtins", "bytes_of")}({arguments(node, r)})'
    return None


def _of_own_class(node: ast.Call, r: Rewriter) -> str | None:
    """`len(queue)` and `sorted(versions)`, where a class of the snippet says what they mean."""
    if is_builtin(node, 'len', r) and len(node.args) == 1 and defines(r, '__len__'):
        return f'{piece(r, "builtins", "length")}({arguments(node, r)})'
    if is_builtin(node, 'bool', r) and len(node.args) == 1 and (defines(r, '__bool__') or defines(r, '__len__')):
        return f'{piece(r, "builtins", "truth")}({arguments(node, r)})'
    name = node.func.id if isinstance(node.func, ast.Name) else ''
    if name in _BY_LESS and is_builtin(node, name, r) and node.args and defines(r, '__lt__'):
        return f'{piece(r, "builtins", _BY_LESS[name])}({arguments(node, r)})'
    return None


_BY_LESS = {'sorted': 'sorted_by_less', 'min': 'min_by_less', 'max': 'max_by_less'}
INSTANCE_RULES: tuple[CallRule, ...] = (_compared, _asked, _of_own_class)
