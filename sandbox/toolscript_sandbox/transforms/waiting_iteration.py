"""Loops over iterators of the script, in which it may wait for the host: for `time.sleep`, a tool without `await`, or the library.

Monty asks an iterator for its values in three ways. A call of `next` may wait; a `for` loop and a builtin such as `list` may
not ("cannot suspend in this synchronous context"). So where a script has iterators of its own, and calls anything that waits, each
`for` over what may be one becomes a `while` with `next`, and what takes all values gets a list that was made so. The iterators of
`itertools` that models put around generators get polyfills.
"""

from __future__ import annotations

import ast

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.polyfills import linker

from .lazy_iteration import FACT, MAKERS, PURE, STOPS, TAKERS, TAKING_METHODS, is_finite, own_methods, while_next
from .transform import Context, Transform
from .tree import Transformer, meaning, placed, quoted_expression, set_changed


def _needed(analysis: Analysis) -> bool:
    return _has_iterators(analysis) and _waits(analysis)


def _has_iterators(analysis: Analysis) -> bool:
    kinds = {ast.Yield, ast.YieldFrom, ast.GeneratorExp}
    if not kinds.isdisjoint(analysis.kinds) or analysis.has(FACT, 'generators'):
        return True
    return not analysis.meant.isdisjoint(_LAZY) or any(node.name == '__next__' for node in analysis.all(ast.FunctionDef))


def _waits(analysis: Analysis) -> bool:
    """Whether anything in the script, or a function of an earlier one, may wait without `await`."""
    if analysis.has(_WAITS) or not analysis.words.isdisjoint(_METHODS) or 'time.sleep' in analysis.meant:
        return True
    for dotted in analysis.meant:
        module, _, name = dotted.rpartition('.')
        if module == 'tools':
            function = analysis.functions.get(name)
            if function is not None and function.sequential:
                return True
        elif (module := module or name) not in _NEVER and module in linker.names() and linker.waits(module):
            return True
    return False


def _apply(tree: ast.Module, context: Context) -> ast.Module:
    context.facts.add(_WAITS)
    analysis = context.analysis
    yields = not {ast.Yield, ast.YieldFrom}.isdisjoint(analysis.kinds) or context.has('generators')
    steps = any(node.name == '__next__' for node in analysis.all(ast.FunctionDef))
    return _Waiting(context).below(tree) if yields or steps or context.has(FACT) else tree


class _Waiting(Transformer):
    def __init__(self, context: Context) -> None:
        self._context = context
        self._own = own_methods(context.analysis)

    def _is_finite(self, node: ast.expr) -> bool:
        return is_finite(node, self._own)

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        node = self.below(node)
        return node if self._is_finite(node.iter) else while_next(node, self._context)

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return self._comprehension(node)

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        return self._comprehension(node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        return self._comprehension(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        return self._comprehension(node)

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> ast.AST:
        node = self.below(node)
        loops = list[ast.comprehension]()
        for loop in node.generators:
            if loop.is_async or self._is_finite(loop.iter):
                loops.append(loop)
                continue
            made = quoted_expression(
                '[0 for STEPS in [_iterators__Steps(ITER)] for _ in STEPS if STEPS.more() for TARGET in [STEPS.value]]',
                loop.iter,
                STEPS=self._context.fresh('steps'),
                ITER=loop.iter,
                TARGET=loop.target,
            )
            assert isinstance(made, ast.ListComp)
            made.generators[-1].ifs = loop.ifs
            loops += made.generators
        if loops == node.generators:
            return node
        node.generators = loops
        return set_changed(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        node = self.below(node)
        dotted = meaning(node.func) or ''
        if dotted in _OF_ITERTOOLS or (dotted in MAKERS and not self._is_plain(node)):
            node.func = placed(ast.Name(f'_iterators__{dotted.rpartition(".")[2]}', ast.Load()), node.func)
            return set_changed(node)
        if not node.args or isinstance(node.args[0], ast.Starred) or self._is_finite(node.args[0]):
            return node
        if dotted in ('builtins.any', 'builtins.all'):
            wanted = ast.Constant(STOPS[dotted])
            node.args[0] = quoted_expression('_iterators__stopped(X, W)', node, X=node.args[0], W=wanted)
            return set_changed(node)
        is_method = isinstance(node.func, ast.Attribute) and node.func.attr in TAKING_METHODS and not dotted
        places = range(len(node.args)) if dotted in _OF_SEVERAL else [1] if dotted == 'functools.reduce' else [0]
        if is_method or dotted in TAKERS or dotted in _OF_SEVERAL:
            for place in places:
                if place < len(node.args):
                    node.args[place] = self._whole(node.args[place])
            return set_changed(node)
        return node

    def _is_plain(self, node: ast.Call) -> bool:
        """Whether nothing waits in `map`, `zip` and the like."""
        if meaning(node.func) in ('builtins.map', 'builtins.filter') and node.args:
            function, *items = node.args
            return meaning(function) in PURE and all(map(self._is_finite, items))
        return all(map(self._is_finite, node.args))

    def visit_Starred(self, node: ast.Starred) -> ast.AST:
        node = self.below(node)
        if not isinstance(node.ctx, ast.Load) or self._is_finite(node.value):
            return node
        node.value = self._whole(node.value)
        return set_changed(node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        node = self.below(node)
        if isinstance(node.targets[0], (ast.Tuple, ast.List)) and not self._is_finite(node.value):
            node.value = self._whole(node.value)
            return set_changed(node)
        return node

    def _whole(self, node: ast.expr) -> ast.expr:
        if self._is_finite(node):
            return node
        return quoted_expression('_iterators__whole(X)', node, X=node)


_WAITS = 'waits'
_LAZY = frozenset(f'builtins.{name}' for name in ('map', 'filter', 'iter'))
_NEVER = frozenset(['builtins', 'collections', 'dataclasses', 'enum', 'functools', 'itertools', 'typing', 'asyncio'])
"""Modules of which no function waits without `await`."""
_METHODS = frozenset(['strptime', 'fromisoformat', 'astimezone', 'create_task', 'ensure_future'])
_OF_ITERTOOLS = frozenset(f'itertools.{name}' for name in ('islice', 'takewhile', 'chain'))
_OF_SEVERAL = frozenset(f'itertools.{name}' for name in ('product', 'permutations', 'combinations'))

WAITING_ITERATION = Transform(
    'loops over iterators in which a script waits',
    _apply,
    _needed,
    after=('lazy_iteration',),
    probe='import time\nclass Numbers:\n    def __iter__(self): return self\n    def __next__(self): time.sleep(0.01); return 1\n'
    'for number in Numbers(): break',
)
