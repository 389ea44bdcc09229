"""Keys of `sorted`, `min` and `max`, and functions of `map` and `filter`, that wait for the host: as comprehensions.

Monty cannot suspend inside a function that a builtin calls (`language/waiting.py`). Before all others, which then find
calls in comprehensions as any others.
"""

from __future__ import annotations

import ast
import copy

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.waiting import Waiting, is_written_out, keyed, waiting_of

from .transform import Context, Transform
from .tree import Transformer, meaning, placed, quoted, quoted_expression, set_changed, set_meaning


def _needed(analysis: Analysis) -> bool:
    names = ('builtins.sorted', 'builtins.min', 'builtins.max', 'builtins.map', 'builtins.filter')
    return not analysis.meant.isdisjoint(names) and waiting_of(analysis) is not None


def _apply(tree: ast.Module, context: Context) -> ast.Module:
    waiting = waiting_of(context.analysis)
    return tree if waiting is None else _WrittenOut(context, waiting).below(tree)


class _WrittenOut(Transformer):
    def __init__(self, context: Context, waiting: Waiting) -> None:
        self._fresh = context.fresh
        self._parents = context.analysis.index.parents
        self._waiting = waiting

    def visit_Expr(self, node: ast.Expr) -> ast.AST | list[ast.stmt]:
        before = node.value
        items = before.func.value if isinstance(before, ast.Call) and isinstance(before.func, ast.Attribute) else None
        node = self.below(node)
        # `items.sort(key=...)` became a sorted list.
        if items is None or not isinstance(node.value, ast.ListComp):
            return node
        return quoted('ITEMS[:] = NEW', node, ITEMS=copy.deepcopy(items), NEW=node.value)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        function = keyed(node)
        waits = (
            function is not None
            and is_written_out(node, self._parents)
            and self._waiting.of(function, maybe=True) is not None
        )
        node = self.below(node)
        function = keyed(node)
        if not waits or function is None:
            return node
        item = self._fresh('item')
        if isinstance(node.func, ast.Attribute) and meaning(node.func) is None:
            node.args = [node.func.value]
            node.func = set_meaning(placed(ast.Name('_natives__sorted', ast.Load()), node), 'builtins.sorted')
        dotted = meaning(node.func)
        value = _called(function, item, node)
        if dotted == 'builtins.map':
            return quoted_expression('[VALUE for ITEM in ITEMS]', node, VALUE=value, ITEM=item, ITEMS=node.args[1])
        if dotted == 'builtins.filter':
            return quoted_expression(
                '[ITEM for ITEM in ITEMS if VALUE]', node, VALUE=value, ITEM=item, ITEMS=node.args[1]
            )
        pairs = quoted_expression('[(VALUE, ITEM) for ITEM in ITEMS]', node, VALUE=value, ITEM=item, ITEMS=node.args[0])
        node.args = [pairs]
        for keyword in node.keywords:
            if keyword.arg == 'key':
                keyword.value = quoted_expression('lambda _pair: _pair[0]', node)
            elif keyword.arg == 'default':
                keyword.value = quoted_expression('(None, X)', node, X=keyword.value)
        set_changed(node)
        if dotted == 'builtins.sorted':
            return quoted_expression('[ITEM[1] for ITEM in PAIRS]', node, ITEM=item, PAIRS=node)
        return quoted_expression('PAIRS[1]', node, PAIRS=node)


def _called(function: ast.expr, item: str, at: ast.AST) -> ast.expr:
    return quoted_expression('F(ITEM)', at, F=function, ITEM=item)


WRITTEN_OUT = Transform(
    'keys and functions that wait, given to builtins',
    _apply,
    _needed,
    probe='import time\nsorted([2, 1], key=lambda x: time.sleep(0) or x)',
)
