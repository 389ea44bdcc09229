"""Generator expressions, `map`, `filter`, `zip`, `enumerate` and `reversed`, of which Monty makes lists at once.

Python's compute one value after the other, once. Monty's list stays where the script cannot see the difference: in
what takes all values before it does anything else (`list`, `sum`, `join`, `*xs`, an assignment to several names), and
in a `for` over `enumerate(xs)` and the like, unless `xs` may be an iterator or changes inside the loop. `any`, `all`
and `next` of a generator expression become a list comprehension that ends with the value they want, so that it can set
names (`:=`), recurse and wait. Everywhere else a polyfill's iterator computes a value when it is asked for one.

A class with `__getitem__` and no `__iter__` gets the `__iter__` that Python falls back to.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Set
from functools import cached_property
from typing import Literal, TypeAlias

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.refusals import Refused, refusal
from toolscript_sandbox.language.syntax import walk

from .transform import Context, Transform
from .tree import Transformer, is_call_of, meaning, placed, quoted, quoted_expression, set_changed

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
FACT = 'iterators'
"""A variable of the session may be an iterator."""
_How = Literal['whole', 'loop', 'stop', 'lazy']
"""What takes the values: all at once, a `for` loop, what stops at the value it wants, or anything else."""
MAKERS = frozenset(f'builtins.{name}' for name in ('map', 'filter', 'zip', 'enumerate', 'reversed'))
STOPS = {'builtins.any': True, 'builtins.all': False, 'builtins.next': None}
"""What stops at a value that is true, false, or any at all."""


def _needed(analysis: Analysis) -> bool:
    if ast.GeneratorExp in analysis.kinds or not analysis.meant.isdisjoint(MAKERS | {'builtins.iter'}):
        return True
    return '__getitem__' in methods(analysis)


def _apply(tree: ast.Module, context: Context) -> ast.Module:
    plan = _Plan(context.analysis)
    if plan.is_lazy:
        context.facts.add(FACT)
    return _Lazy(context, plan).below(tree) if plan.has_work else tree


def methods(analysis: Analysis) -> Set[str]:
    """The names of functions and methods that the script defines."""
    return {node.name for node in analysis.all(ast.FunctionDef)}


def while_next(node: ast.For, context: Context) -> list[ast.stmt]:
    """A `for` loop that asks for each item with `next`, in which a script may wait."""
    return quoted(
        'ITEMS = _natives__iter(ITER)\nwhile (ITEM := _natives__next(ITEMS, _iterators__END)) is not _iterators__END:\n'
        ' TARGET = ITEM\n BODY\nelse: ORELSE',
        node,
        ITEMS=context.fresh('items'),
        ITEM=context.fresh('item'),
        ITER=node.iter,
        TARGET=node.target,
        BODY=node.body,
        ORELSE=node.orelse,
    )


def in_steps(
    node: Comprehension, context: Context, takes: Callable[[ast.comprehension], bool], template: str
) -> Comprehension:
    """A comprehension that asks for the values of some of its loops as the template does, with S for the steps."""
    loops = list[ast.comprehension]()
    for loop in node.generators:
        if not takes(loop):
            loops.append(loop)
            continue
        made = quoted_expression(template, loop.iter, S=context.fresh('steps'), ITER=loop.iter, TARGET=loop.target)
        assert isinstance(made, ast.ListComp)
        made.generators[-1].ifs = loop.ifs
        loops += made.generators
    if loops == node.generators:
        return node
    node.generators = loops
    return set_changed(node)


class _Plan:
    """What is to become of each expression, found in the tree as it was read."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._parents = analysis.index.parents
        self.own = own_methods(analysis)

    @cached_property
    def is_lazy(self) -> bool:
        """Whether a variable may be an iterator: one that gives each value once, or computes it late, or never ends."""
        analysis = self._analysis
        if analysis.has(FACT, 'generators') or ast.Yield in analysis.kinds or ast.YieldFrom in analysis.kinds:
            return True
        if analysis.means_module('itertools') or not analysis.words.isdisjoint(_OF_ITERATORS):
            return True
        if not methods(analysis).isdisjoint(['__iter__', '__next__', '__getitem__']):
            return True
        makers = (node for node in analysis.all(ast.Call) if meaning(node.func) in MAKERS)
        return any(self.how(node) == 'lazy' for node in (*analysis.all(ast.GeneratorExp), *makers))

    @property
    def has_work(self) -> bool:
        """Whether anything in the script is to change."""
        analysis = self._analysis
        if '__getitem__' in methods(analysis) or any(
            self.how(node) != 'whole' for node in analysis.all(ast.GeneratorExp)
        ):
            return True
        for node in analysis.all(ast.Call):
            dotted = meaning(node.func)
            if dotted in MAKERS and (
                not self.is_native(node) or (dotted == 'builtins.map' and _mapped(node) is not None)
            ):
                return True
            if dotted == 'builtins.iter' and len(node.args) == 2:
                return True
            if dotted == 'builtins.reversed' and not self.own.isdisjoint(['__reversed__']):
                return True
        return False

    def how(self, node: ast.AST) -> _How:
        """What takes the values of an expression."""
        parent = self._parents.get(node)
        match parent:
            case ast.Starred() | ast.AugAssign() | ast.Expr() | ast.Await():
                return 'whole'
            case ast.Assign(targets=[ast.Tuple() | ast.List()]):
                return 'whole'
            case ast.Assign(targets=[ast.Name()]) if parent is self._analysis.tree.body[-1]:
                return 'whole'
            case ast.For(iter=items) if items is node:
                return 'loop'
            case ast.comprehension() if isinstance(
                self._parents.get(parent), ast.ListComp | ast.SetComp | ast.DictComp
            ):
                return 'loop'
            case ast.keyword():
                return self._of_call(self._parents[parent], node)
            case ast.Call():
                return self._of_call(parent, node)
            case _:
                return 'lazy'

    def _of_call(self, call: ast.AST, node: ast.AST) -> _How:
        assert isinstance(call, ast.Call)
        dotted = meaning(call.func) or ''
        if dotted in MAKERS:
            # What computes a value between two of the other's is seen in what both do.
            turns = dotted in ('builtins.map', 'builtins.filter', 'builtins.zip') and not _only_computes(node)
            how = self.how(call)
            return 'lazy' if how == 'stop' or turns else how
        if dotted in STOPS and call.args and call.args[0] is node and not call.keywords:
            return 'stop'
        if dotted in TAKERS or dotted.startswith(('tools.', 'statistics.')):
            return 'whole'
        if isinstance(call.func, ast.Attribute) and call.func.attr in TAKING_METHODS and not dotted:
            return 'whole'
        return 'lazy'

    def is_native(self, node: ast.Call) -> bool:
        """Whether Monty's own list of the values does: of `map` and the other makers."""
        how = self.how(node)
        if how != 'loop':
            return how == 'whole'
        around = self._parents[node]
        while isinstance(around, ast.Call):
            around = self._parents[around]
        loop = self._parents[around] if isinstance(around, ast.comprehension) else around
        return self._is_inert(node, _changed_in(loop))

    def _is_inert(self, node: ast.expr, changing: set[str]) -> bool:
        """Whether to go over the values does nothing that the loop could see, and ends."""
        match node:
            case ast.Call() if meaning(node.func) in ('builtins.map', 'builtins.filter'):
                function, *items = node.args or [node]
                pure = isinstance(function, ast.Name) and meaning(function) in PURE
                return pure and all(self._is_inert(part, changing) for part in items)
            case ast.Call() if meaning(node.func) in MAKERS:
                return not any(word.arg == 'strict' for word in node.keywords) and all(
                    self._is_inert(part, changing) for part in node.args[: 1 if node.keywords else None]
                )
            case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name in ('items', 'values', 'keys'):
                return name not in self.own and ast.unparse(owner) not in changing
            case ast.GeneratorExp():
                return False
            case ast.Starred():
                return self._is_inert(node.value, changing)
            case ast.Name() | ast.Attribute() | ast.Subscript():
                return not self.is_lazy and ast.unparse(node) not in changing
            case _:
                return is_finite(node, self.own) or not self.is_lazy


def own_methods(analysis: Analysis) -> Set[str]:
    """Methods that may be those of the script, or of an earlier one, and not those of builtin types."""
    return _GIVING_COLLECTIONS if analysis.has(FACT, 'generators') else methods(analysis)


def is_finite(node: ast.expr, own: Set[str]) -> bool:
    """Whether an expression certainly gives no iterator; `own` are the names of the script's methods."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name)) if name in _GIVING_COLLECTIONS:
            return name not in own
        case ast.Call():
            return meaning(node.func) in _FINITE
        case ast.Starred() | ast.Await():
            return is_finite(node.value, own)
        case _:
            return isinstance(node, _COLLECTIONS)


def _only_computes(node: ast.AST) -> bool:
    """Whether an iterator calls nothing of the script for its values."""
    match node:
        case ast.Call(args=[function, *_]) if meaning(node.func) in ('builtins.map', 'builtins.filter'):
            return (meaning(function) or '').startswith('builtins.')
        case _:
            return not isinstance(node, ast.GeneratorExp)


def _changed_in(loop: ast.AST) -> set[str]:
    """What a loop's body adds to or takes from, as it is written."""
    found = set[str]()
    for node in walk(loop):
        match node:
            case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name in _CHANGING:
                found.add(ast.unparse(owner))
            case ast.Subscript(value=owner, ctx=ast.Store() | ast.Del()):
                found.add(ast.unparse(owner))
            case ast.AugAssign(target=owner):
                found.add(ast.unparse(owner))
            case _:
                pass
    return found


class _Lazy(Transformer):
    def __init__(self, context: Context, plan: _Plan) -> None:
        self._context = context
        self._plan = plan

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node = self.below(node)
        names = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
        if '__getitem__' in names and '__iter__' not in names and not node.bases:
            node.body += quoted('def __iter__(self): return _iterators__Items(self)', node.body[-1])
            return set_changed(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        dotted = meaning(node.func) or ''
        if dotted in STOPS and node.args and not node.keywords and (found := self._stopping(node, dotted)) is not None:
            return found
        if dotted == 'builtins.iter' and len(node.args) == 2:
            return self._polyfilled(node, 'Calls')
        if dotted not in MAKERS or not node.args:
            return self.below(node)
        own = dotted == 'builtins.reversed' and not self._plan.own.isdisjoint(['__reversed__', '__getitem__'])
        if own or not self._plan.is_native(node):
            return self._polyfilled(node, dotted.removeprefix('builtins.'))
        if dotted == 'builtins.map' and (made := _mapped(node)) is not None:
            return self.below(made)
        return self.below(node)

    def _polyfilled(self, node: ast.Call, name: str) -> ast.AST:
        node = self.below(node)
        node.func = placed(ast.Name(f'_iterators__{name}', ast.Load()), node.func)
        return set_changed(node)

    def _stopping(self, node: ast.Call, dotted: str) -> ast.AST | None:
        """`any(x > 3 for x in xs)`, as a comprehension that ends where `any` does."""
        first: ast.expr | None = node.args[0]
        if is_call_of(first, 'builtins.map') and isinstance(first, ast.Call):
            made = _mapped(first, lambdas=True)
            first = None if made is None else placed(ast.GeneratorExp(made.elt, made.generators), first)
        if not isinstance(first, ast.GeneratorExp):
            return None
        if _waits(first) or (STOPS[dotted] is not None and all(map(_cannot_fail, walk(first)))):
            return None
        until, wanted = self._context.fresh('until'), STOPS[dotted]
        loops = list[ast.comprehension]()
        for loop in first.generators:
            template = '_iterators__Until(WANTED, ITER)' if not loops else 'UNTIL.over(ITER)'
            items = quoted_expression(template, node, WANTED=ast.Constant(wanted), UNTIL=until, ITER=loop.iter)
            if not loops:
                loops.append(ast.comprehension(ast.Name(until, ast.Store()), ast.List([items], ast.Load()), [], 0))
                items = ast.Name(until, ast.Load())
            loops.append(ast.comprehension(loop.target, items, loop.ifs, 0))
        saw = 'UNTIL.saw(X)' if wanted is None else 'UNTIL.saw(True if X else False)'
        values = placed(ast.ListComp(quoted_expression(saw, node, UNTIL=until, X=first.elt), loops), node)
        node.args[0] = quoted_expression('_natives__iter(X)', node, X=values) if wanted is None else values
        return set_changed(self.below(node))

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        how = self._plan.how(node)
        if how == 'whole' or (how == 'stop' and not _waits(node)):
            return self.below(node)
        if _waits(node):
            if how == 'lazy':
                message = (
                    'A generator expression that awaits cannot be had here. '
                    'Write a list comprehension, or an `async def` function that yields.'
                )
                raise Refused([refusal(node, message)])
            return self.below(node)
        self._check_names(node)
        return self.below(self._nested(node, node.generators))

    def _check_names(self, node: ast.GeneratorExp) -> None:
        inside = set(walk(node))
        own = {part.target.id: part for part in inside if isinstance(part, ast.NamedExpr)}
        for name in self._context.analysis.all(ast.Name) if own else ():
            if name.id in own and name not in inside:
                message = (
                    'Here a name that `:=` sets in a generator expression cannot be read outside of it. Write a loop.'
                )
                raise Refused([refusal(own[name.id], message)])

    def _nested(self, node: ast.GeneratorExp, loops: list[ast.comprehension]) -> ast.expr:
        loop, *rest = loops
        made = quoted_expression(
            '[VALUE for TARGET in [IT] if TEST]' if loop.ifs else '[VALUE for TARGET in [IT]]',
            node,
            IT=(item := self._context.fresh('it')),
            VALUE=self._nested(node, rest) if rest else node.elt,
            TARGET=loop.target,
            TEST=loop.ifs[0] if len(loop.ifs) == 1 else ast.BoolOp(ast.And(), loop.ifs),
        )
        return quoted_expression(
            f'_iterators__Values(lambda IT: {"(MADE or [()])[0]" if rest else "MADE"}, ITER)',
            node,
            IT=item,
            MADE=made,
            ITER=loop.iter,
        )


def _mapped(node: ast.Call, *, lambdas: bool = False) -> ast.ListComp | None:
    """`map(f, xs)` as a list comprehension, in which `f` can recurse and wait; None where `f` is a builtin."""
    match node:
        case ast.Call(args=[ast.Name() | ast.Attribute() | ast.Lambda() as function, items], keywords=[]):
            if isinstance(items, ast.Starred) or (isinstance(function, ast.Lambda) and not lambdas):
                return None
            if (meaning(function) or '').startswith('builtins.') and not lambdas:
                return None
            made = quoted_expression('[F(_item__0) for _item__0 in ITEMS]', node, F=function, ITEMS=items)
            assert isinstance(made, ast.ListComp)
            return made
        case _:
            return None


def _waits(node: ast.expr) -> bool:
    """Whether it awaits something behind what its first loop goes over."""
    first = node.generators[0].iter if isinstance(node, (ast.GeneratorExp, ast.ListComp)) else None
    outside = set[ast.AST]() if first is None else set(walk(first))
    return any(
        isinstance(part, ast.Await) or (isinstance(part, ast.comprehension) and bool(part.is_async))
        for part in walk(node)
        if part not in outside
    )


def _cannot_fail(part: ast.AST) -> bool:
    if isinstance(part, ast.Compare):
        return all(isinstance(op, (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)) for op in part.ops)
    return isinstance(part, (ast.Name, ast.Constant, ast.BoolOp, ast.GeneratorExp, ast.comprehension))


TAKERS = frozenset(
    [
        *(f'builtins.{name}' for name in ('list', 'tuple', 'sorted', 'set', 'frozenset', 'dict', 'sum', 'min', 'max')),
        *('builtins.bytes', 'builtins.bytearray'),
        *('collections.Counter', 'collections.deque', 'collections.OrderedDict', 'math.prod', 'math.fsum'),
        *('functools.reduce', 'asyncio.gather', 'asyncio.wait', 'asyncio.as_completed', 'json.dumps'),
        *('heapq.nlargest', 'heapq.nsmallest'),
    ]
)
"""What takes all values before it does anything that a script can see."""
TAKING_METHODS = frozenset(
    [
        'join',
        'extend',
        'update',
        'union',
        'intersection',
        'difference',
        'issubset',
        'issuperset',
        'writerows',
        'fromkeys',
    ]
)
PURE = frozenset(f'builtins.{name}' for name in ('str', 'repr', 'len', 'bool', 'abs', 'list', 'tuple', 'type', 'id'))
"""Functions that do nothing but compute, and do not fail."""
_FINITE = frozenset(
    f'builtins.{name}' for name in ('list', 'tuple', 'sorted', 'set', 'frozenset', 'dict', 'range', 'str')
)
_GIVING_COLLECTIONS = frozenset(
    ['items', 'values', 'keys', 'split', 'rsplit', 'splitlines', 'copy', 'most_common', 'findall', 'get']
)
_COLLECTIONS = (
    *(ast.Constant, ast.JoinedStr, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp),
    *(ast.BinOp, ast.Compare),
)
_OF_ITERATORS = frozenset(['iter', 'finditer', 'reader', 'DictReader', 'scandir', 'iterdir', 'readlines', 'open'])
_CHANGING = frozenset(
    [
        *('append', 'appendleft', 'extend', 'insert', 'remove', 'pop', 'popleft', 'popitem', 'clear', 'update'),
        *('setdefault', 'add', 'discard', 'sort', 'reverse'),
    ]
)

LAZY_ITERATION = Transform(
    'iterators that compute each value when it is asked for',
    _apply,
    _needed,
    after=('calls',),
    probe='items = (x for x in [1, 2])\nassert next(items) == 1\nassert list(items) == [2]\nassert list(items) == []\n'
    'pairs = zip([1], [2])\nassert next(pairs) == (1, 2)\nnext(map(str, [1]))\nnext(enumerate([1]))',
)
