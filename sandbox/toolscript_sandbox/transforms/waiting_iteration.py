"""Iterators of the script in which it waits without `await`: for `time.sleep`, a tool, a task, or the host's library.

In Monty a call of `next` may wait. A `for` loop may not, and neither may a builtin such as `list` ("cannot suspend in
this synchronous context"). So where a script has iterators of its own, and calls anything that waits, each `for` over
what may be one becomes a `while` with `next`, and what takes all values gets a list that was made so.
`itertools.islice` gets a polyfill; its other iterators are refused around generators that wait.
"""

from __future__ import annotations

import ast

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.refusals import Refused, refusal
from toolscript_sandbox.language.waiting import waiting_of
from toolscript_sandbox.polyfills import linker

from .lazy_iteration import (
    FACT,
    MAKERS,
    PURE,
    STOPS,
    TAKERS,
    TAKING_METHODS,
    Comprehension,
    in_steps,
    is_finite,
    methods,
    own_methods,
    while_next,
)
from .transform import Context, Transform
from .tree import Transformer, constant, is_changed, meaning, named, quoted_expression, set_changed


def _needed(analysis: Analysis) -> bool:
    has_iterators = (
        not _LAZY.isdisjoint(analysis.meant)
        or bool(analysis.kinds & {ast.Yield, ast.YieldFrom, ast.GeneratorExp})
        or analysis.has(FACT, 'generators')
        or '__next__' in methods(analysis)
    )
    return has_iterators and _waits(analysis)


def _waits(analysis: Analysis) -> bool:
    """Whether anything in the script, or a function of an earlier one, may wait without `await`."""
    if analysis.has(_WAITS) or not analysis.words.isdisjoint(_METHODS) or waiting_of(analysis) is not None:
        return True
    modules = {dotted.partition('.')[0] for dotted in analysis.meant} - _NEVER
    return any(linker.waits(module) for module in modules & linker.names())


def _apply(tree: ast.Module, context: Context) -> ast.Module:
    context.facts.add(_WAITS)
    return _Waiting(context).below(tree)


class _Waiting(Transformer):
    def __init__(self, context: Context) -> None:
        self._context = context
        self._own = own_methods(context.analysis)
        self._waiting = waiting_of(context.analysis)

    def _is_finite(self, node: ast.expr) -> bool:
        return is_finite(node, self._own)

    def _whole(self, node: ast.expr) -> ast.expr:
        return node if self._is_finite(node) else quoted_expression('_iterators__whole(X)', node, X=node)

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        node = self.below(node)
        return node if self._is_finite(node.iter) else while_next(node, self._context)

    def visit_ListComp(self, node: Comprehension) -> ast.AST:
        return in_steps(self.below(node), self._context, self._takes, _STEPS)

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp

    def _takes(self, loop: ast.comprehension) -> bool:
        return not loop.is_async and not self._is_finite(loop.iter)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        node = self.below(node)
        dotted, args = meaning(node.func) or '', node.args
        is_plain = all(self._is_finite(part) for part in args if meaning(part) not in PURE)
        if dotted == 'itertools.islice' or (dotted in MAKERS and not is_plain):
            node.func = named(f'_iterators__{dotted.rpartition(".")[2]}', node.func)
            return set_changed(node)
        if dotted.startswith('itertools.') and any(map(self._waits, args)):
            raise Refused([refusal(node, _ITERTOOLS)])
        is_method = isinstance(node.func, ast.Attribute) and node.func.attr in TAKING_METHODS and not dotted
        place = 1 if dotted == 'functools.reduce' else 0
        if len(args) <= place or self._is_finite(args[place]) or isinstance(args[place], ast.Starred):
            return node
        if dotted in ('builtins.any', 'builtins.all'):
            wanted = constant(STOPS[dotted], node)
            args[place] = quoted_expression('_iterators__stopped(X, W)', node, X=args[place], W=wanted)
        elif is_method or (dotted in TAKERS and not dotted.startswith('asyncio.')):
            args[place] = self._whole(args[place])
        return set_changed(node) if is_changed(args[place]) else node

    def _waits(self, node: ast.expr) -> bool:
        """Whether what is gone over is a generator that waits, or a variable that is one."""
        if isinstance(node, ast.Name):
            owner = self._context.analysis.scopes.owner(node)
            targets = owner.bound.get(node.id, []) if owner is not None else []
            above = [self._context.analysis.index.parents.get(target) for target in targets]
            return any(isinstance(one, ast.Assign) and self._waits(one.value) for one in above)
        return isinstance(node, ast.Call) and self._waiting is not None and self._waiting.of(node.func) is not None

    def visit_Starred(self, node: ast.Starred) -> ast.AST:
        if isinstance(node.ctx, ast.Load):
            node.value = self._whole(node.value)
        return self.below(node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        if isinstance(node.targets[0], (ast.Tuple, ast.List)):
            node.value = self._whole(node.value)
        return self.below(node)


_WAITS = 'waits'
_STEPS = '[0 for S in [_iterators__Steps(ITER)] for _ in S if S.more() for TARGET in [S.value]]'
_LAZY = frozenset(f'builtins.{name}' for name in ('map', 'filter', 'iter'))
_NEVER = frozenset(['builtins', 'collections', 'dataclasses', 'enum', 'functools', 'itertools', 'typing', 'asyncio'])
"""Modules of which no function waits without `await`."""
_METHODS = frozenset(['strptime', 'fromisoformat', 'astimezone', 'create_task', 'ensure_future'])
_ITERTOOLS = (
    'itertools cannot iterate over something that waits. Write a loop, or pass a list: itertools.chain(list(...)).'
)

WAITING_ITERATION = Transform(
    'loops over iterators in which a script waits',
    _apply,
    _needed,
    after=('lazy_iteration',),
    probe='import time\nclass Numbers:\n    def __iter__(self): return self\n'
    '    def __next__(self): time.sleep(0.01); return 1\nfor number in Numbers(): break',
)
