"""`functools.cmp_to_key`: `sorted(xs, key=cmp_to_key(f))` compares by `f` itself; a key that is kept is an object.

Monty asks no object how it compares; a snippet that keeps such keys is treated as one with a class that has an order.
"""

from __future__ import annotations

import ast

from toolscript_sandbox.lowering.classes.ordering import COMPARISONS
from toolscript_sandbox.lowering.parts import is_builtin, keyword, piece
from toolscript_sandbox.lowering.rewriter import Rewriter, named
from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.text.syntax import all_of


def keeps_keys(tree: ast.Module, scene: Scene) -> bool:
    """Whether such a key stands elsewhere than in what sorts by it."""
    named = [node for kind in (ast.Name, ast.Attribute) for node in all_of(tree, kind) if _is_maker(node, scene)]
    given = [
        word.value for call in all_of(tree, ast.Call) for word in call.keywords if _sorts(call) and word.arg == 'key'
    ]
    return len(named) > len([value for value in given if isinstance(value, ast.Call) and value.func in named])


def order_of_keys() -> dict[str, tuple[str, ...]]:
    """What is then known of the session's classes."""
    return dict.fromkeys(COMPARISONS, ())


def _is_maker(node: ast.expr, scene: Scene) -> bool:
    return scene.member(node) == ('functools', 'cmp_to_key')


def _sorts(call: ast.Call) -> bool:
    match call:
        case ast.Call(func=ast.Name(id='sorted' | 'min' | 'max'), args=[_]) | ast.Call(func=ast.Attribute(attr='sort')):
            return all(word.arg in ('key', 'reverse') for word in call.keywords)
        case _:
            return False


def _compared(node: ast.Call, r: Rewriter) -> str | None:
    """`sorted(xs, key=cmp_to_key(f))`."""
    key = keyword(node, 'key') if node.keywords else None
    if not isinstance(key, ast.Call) or not _is_maker(key.func, r.scene) or len(key.args) != 1 or not _sorts(node):
        return None
    compare, reverse = r.text(key.args[0]), keyword(node, 'reverse')
    tail = f', {r.text(reverse)}' if reverse is not None else ''
    merge = piece(r, 'functools', 'sorted_with')
    if isinstance(node.func, ast.Attribute) and not node.args:
        return f'{piece(r, "functools", "sort_with")}({r.text(node.func.value)}, {compare}{tail})'
    for name, sign in _EXTREMES.items():
        if is_builtin(node, name, r) and not tail:
            return f'{piece(r, "functools", "extreme_with")}({r.text(node.args[0])}, {compare}, {sign})'
    return f'{merge}({r.text(node.args[0])}, {compare}{tail})' if is_builtin(node, 'sorted', r) else None


_EXTREMES = {'min': -1, 'max': 1}
COMPARATOR_RULES = (named(_compared, 'sorted', 'sort', *_EXTREMES),)
