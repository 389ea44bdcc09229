"""Keys of `sorted`, `min` and `max` that wait for the host: as comprehensions.

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
    asks = not analysis.meant.isdisjoint(_KEYED) or 'sort' in analysis.words
    return asks and waiting_of(analysis) is not None


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
        function = None if meaning(node.func) in ('builtins.map', 'builtins.filter') else keyed(node)
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
        pairs = quoted_expression(
            '[(F(ITEM), ITEM) for ITEM in ITEMS]', node, F=function, ITEM=item, ITEMS=node.args[0]
        )
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


_KEYED = frozenset(['builtins.sorted', 'builtins.min', 'builtins.max'])

WRITTEN_OUT = Transform(
    'keys that wait, given to builtins',
    _apply,
    _needed,
    probe='import time\nsorted([2, 1], key=lambda x: time.sleep(0) or x)',
)
