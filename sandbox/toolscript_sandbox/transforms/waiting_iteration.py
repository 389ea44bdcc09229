"""Iterators of the script in which it waits without `await`: for `time.sleep`, a tool, a task, or the host's library.

Monty asks an iterator for its values in three ways. A call of `next` may wait. A `for` loop may not, and neither may a
builtin such as `list` ("cannot suspend in this synchronous context"). So where a script has iterators of its own, and
calls anything that waits, each `for` over what may be one becomes a `while` with `next`, and what takes all values gets
a list that was made so. The iterators of `itertools` that models put around generators get polyfills.

A function that `sorted`, `min` and `max` call for a key may not wait either: the keys are computed before.

Refused: `time.sleep` and a tool without `await` in a function that `itertools` or `collections` call.
"""

from __future__ import annotations

import ast
import copy

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.polyfills import linker
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.syntax import walk

from .lazy_iteration import (
    COMPREHENSIONS,
    FACT,
    MAKERS,
    PURE,
    STOPS,
    TAKERS,
    TAKING_METHODS,
    in_steps,
    is_finite,
    methods,
    own_methods,
    while_next,
)
from .transform import Context, Transform
from .tree import Transformer, meaning, placed, quoted, quoted_expression, set_changed, set_meaning


def _needed(analysis: Analysis) -> bool:
    has_functions = ast.Lambda in analysis.kinds or any(word.arg == 'key' for word in analysis.all(ast.keyword))
    return (has_functions or _has_iterators(analysis)) and _waits(analysis)


def _has_iterators(analysis: Analysis) -> bool:
    kinds = {ast.Yield, ast.YieldFrom, ast.GeneratorExp}
    if not kinds.isdisjoint(analysis.kinds) or analysis.has(FACT, 'generators'):
        return True
    return not analysis.meant.isdisjoint(_LAZY) or any(
        node.name == '__next__' for node in analysis.all(ast.FunctionDef)
    )


def _waits(analysis: Analysis) -> bool:
    """Whether anything in the script, or a function of an earlier one, may wait without `await`."""
    if analysis.has(_WAITS) or not analysis.words.isdisjoint(_METHODS) or 'time.sleep' in analysis.meant:
        return True
    for dotted in analysis.meant:
        module, _, name = dotted.rpartition('.')
        if _is_waiting(dotted, analysis):
            return True
        if (module := module or name) not in _NEVER and module in linker.names() and linker.waits(module):
            return True
    return False


def _is_waiting(dotted: str | None, analysis: Analysis) -> bool:
    """Whether a call of it waits, whatever it is given."""
    if dotted is None or not dotted.startswith('tools.'):
        return dotted in ('time.sleep', 'asyncio.create_task', 'asyncio.ensure_future')
    function = analysis.functions.get(dotted.removeprefix('tools.'))
    return function is not None and function.sequential


def _apply(tree: ast.Module, context: Context) -> ast.Module:
    context.facts.add(_WAITS)
    analysis = context.analysis
    yields = not {ast.Yield, ast.YieldFrom}.isdisjoint(analysis.kinds) or context.has('generators')
    calls = not analysis.meant.isdisjoint(_LAZY)
    tree = _Keyed(context).below(tree)
    has_iterators = yields or calls or context.has(FACT) or '__next__' in methods(analysis)
    return _Waiting(context).below(tree) if has_iterators else tree


class _Keyed(Transformer):
    """Computes the keys of `sorted`, `min`, `max` and `sort` first, where a key function may wait."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._own = own_methods(context.analysis)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        node = self.below(node)
        dotted = meaning(node.func) or ''
        if dotted in _KEYED and len(node.args) == 1 and not isinstance(node.args[0], ast.Starred):
            return self._keyed(node, dotted)
        if dotted.startswith(('itertools.', 'collections.')):
            given = [*node.args, *(word.value for word in node.keywords)]
            for part in (part for function in given if isinstance(function, ast.Lambda) for part in walk(function)):
                if isinstance(part, ast.Call) and _is_waiting(meaning(part.func), self._context.analysis):
                    name = dotted.rpartition('.')[2]
                    message = (
                        f'A script cannot wait in a function that {name} calls. Compute the values in a list first.'
                    )
                    raise Refused([refusal(part, message)])
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST | list[ast.stmt]:
        node = self.below(node)
        match node.value:
            case (
                ast.Call(func=ast.Attribute(value=ast.Name() | ast.Attribute() as items, attr='sort'), args=[]) as call
            ):
                if any(word.arg == 'key' and self._may_wait(word.value) for word in call.keywords):
                    call.func = set_meaning(placed(ast.Name('_natives__sorted', ast.Load()), node), 'builtins.sorted')
                    call.args = [items]
                    new = self._keyed(call, 'builtins.sorted')
                    return quoted('ITEMS[:] = NEW', node, ITEMS=copy.deepcopy(items), NEW=new)
            case _:
                pass
        return node

    def _keyed(self, node: ast.Call, dotted: str) -> ast.expr:
        key = next((word for word in node.keywords if word.arg == 'key'), None)
        if key is None or not self._may_wait(key.value):
            return node
        pair = self._context.fresh('pair')
        node.args[0] = quoted_expression(
            '[(KEY(ITEM), ITEM) for ITEM in ITEMS]',
            node,
            KEY=key.value,
            ITEM=self._context.fresh('item'),
            ITEMS=node.args[0],
        )
        key.value = quoted_expression('lambda PAIR: PAIR[0]', node, PAIR=pair)
        for word in node.keywords:
            if word.arg == 'default':
                word.value = quoted_expression('(None, X)', node, X=word.value)
        template = '[PAIR[1] for PAIR in CALL]' if dotted == 'builtins.sorted' else 'CALL[1]'
        return quoted_expression(template, node, PAIR=pair, CALL=set_changed(node))

    def _may_wait(self, function: ast.expr) -> bool:
        match function:
            case ast.Lambda():
                calls = [part.func for part in walk(function.body) if isinstance(part, ast.Call)]
                return any(self._may_wait(part) for part in calls)
            case ast.Name():
                return not (meaning(function) or '').startswith('builtins.')
            case ast.Attribute(attr=name):
                return meaning(function) is not None or name in self._own or name in _METHODS
            case _:
                return False


class _Waiting(Transformer):
    def __init__(self, context: Context) -> None:
        self._context = context
        self._own = own_methods(context.analysis)

    def _is_finite(self, node: ast.expr) -> bool:
        return is_finite(node, self._own)

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        node = self.below(node)
        return node if self._is_finite(node.iter) else while_next(node, self._context)

    def visit(self, node: ast.AST) -> ast.AST | list[ast.stmt]:
        if isinstance(node, COMPREHENSIONS):
            self.below(node)
            return in_steps(node, self._context, self._takes, _STEPS)
        return super().visit(node)

    def _takes(self, loop: ast.comprehension) -> bool:
        return not loop.is_async and not self._is_finite(loop.iter)

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
_STEPS = '[0 for S in [_iterators__Steps(ITER)] for _ in S if S.more() for TARGET in [S.value]]'
_KEYED = frozenset(['builtins.sorted', 'builtins.min', 'builtins.max'])
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
    probe='import time\nclass Numbers:\n    def __iter__(self): return self\n'
    '    def __next__(self): time.sleep(0.01); return 1\nfor number in Numbers(): break',
)
