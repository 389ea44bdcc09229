"""Rules for order among objects, standing in for `__lt__` and its kin, which Monty never asks.

Neither `a < b` nor `sorted`, heaps and bisection do. Only snippets with a class that says how its objects compare (or
sessions that have had one) are rewritten.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.lowering.guest_modules import HEAPS_OF_OBJECTS
from toolscript_sandbox.lowering.parts import arguments, as_method, calls_host, defines, is_builtin, piece
from toolscript_sandbox.lowering.rewriter import Rewriter, named
from toolscript_sandbox.text.syntax import all_of, walk


def has_order(r: Rewriter) -> bool:
    """Whether some class says how its objects compare."""
    return bool(r.once('order', lambda: [name for name in COMPARISONS if defines(r, name)]))


def compared(node: ast.Compare, r: Rewriter) -> str | None:
    """`a < b` and `a < b <= c`."""
    if not any(type(sign) in _ASKED for sign in node.ops) or not has_order(r):
        return None
    sides = [node.left, *node.comparators]
    if len(node.ops) == 1:
        return _one(node.ops[0], r.text(sides[0]), r.text(sides[1]), r)
    if any(isinstance(part, _NOT_LATER) for part in walk(node)) or calls_host(node, r):
        return None
    first, *others = [r.text(side) for side in sides]
    later = zip(node.ops, others, strict=True)
    links = ', '.join(
        f'lambda _left, _right: {_one(sign, "_left", "_right", r)}, lambda: {other}' for sign, other in later
    )
    return f'{piece(r, "ordering", "chained")}({first}, {links})'


def home(module: str, name: str, r: Rewriter) -> str:
    """The guest module whose version of a function of `module` is meant."""
    if (module, name) == ('functools', 'total_ordering'):
        return 'ordering'
    if module in ('heapq', 'bisect') and has_order(r):
        return HEAPS_OF_OBJECTS if module == 'heapq' else 'ordering'
    return module


def order_of_dataclasses(tree: ast.Module) -> Iterator[str]:
    """The comparisons that decorators write."""
    for node in all_of(tree, ast.ClassDef):
        for mark in node.decorator_list:
            text = ast.unparse(mark)
            if 'total_ordering' in text or 'order=True' in text:
                yield from COMPARISONS


def _one(sign: ast.cmpop, left: str, right: str, r: Rewriter) -> str:
    asked = _ASKED.get(type(sign))
    if asked is None:
        return f'{left} {_OTHERS[type(sign)]} {right}'
    return f'{piece(r, "ordering", asked)}({left}, {right})'


def _by_order(node: ast.Call, r: Rewriter) -> str | None:
    """`sorted(versions)`, `max(a, b)` and `versions.sort()`."""
    name = node.func.id if isinstance(node.func, ast.Name) else ''
    if name in _BUILTINS and is_builtin(node, name, r) and node.args and has_order(r):
        return f'{piece(r, "ordering", _BUILTINS[name])}({arguments(node, r)})'
    func = node.func
    if isinstance(func, ast.Attribute) and func.attr == 'sort' and not node.args and has_order(r):
        return as_method(r, func, piece(r, 'ordering', 'sort'), arguments(node, r))
    return None


COMPARISONS = ('__lt__', '__le__', '__gt__', '__ge__')
_NOT_LATER = (ast.Await, ast.NamedExpr, ast.Yield, ast.YieldFrom)
"""What cannot stand in a function of its own."""
_ASKED: dict[type[ast.cmpop], str] = {ast.Lt: 'less', ast.LtE: 'at_most', ast.Gt: 'greater', ast.GtE: 'at_least'}
_OTHERS: dict[type[ast.cmpop], str] = {
    ast.Eq: '==',
    ast.NotEq: '!=',
    ast.Is: 'is',
    ast.IsNot: 'is not',
    ast.In: 'in',
    ast.NotIn: 'not in',
}
_BUILTINS = {'sorted': 'in_order', 'min': 'smallest', 'max': 'largest'}
ORDER_RULES = (named(_by_order, 'sort', *_BUILTINS),)
