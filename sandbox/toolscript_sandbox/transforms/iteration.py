"""Generator expressions, `map`, `filter`, `zip`, `enumerate` and `reversed`, which Monty turns into lists at once.

Python's versions compute one value at a time, and only once. Monty's list is kept where the script cannot see the
difference: in code that takes all values before it does anything else (`list`, `sum`, `join`, `*xs`, an assignment to
several names), and in a `for` over `enumerate(xs)` and the like, unless `xs` may be an iterator or changes inside the
loop. `any`, `all` and `next` of a generator expression become a list comprehension that stops at the value they need,
so that it can set names (`:=`), recurse and wait. Everywhere else a polyfill's iterator computes values on demand.

In Monty a call of `next` may wait for the host, but a `for` loop and builtins such as `list` may not ("cannot suspend
in this synchronous context"). So if a script has its own iterators, and calls anything that waits without `await`
(`language/waiting.py`), each `for` over a possible iterator becomes a `while` with `next`, and functions that take all
values get a list made that way. `itertools.islice` is a polyfill; the rest is refused around generators that wait.
"""

import ast
from collections.abc import Callable, Set
from copy import deepcopy
from functools import cached_property
from typing import Literal, TypeAlias

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.refusals import Refused, refusal
from toolscript_sandbox.language.syntax import CHANGING, walk, words
from toolscript_sandbox.language.waiting import waiting_of
from toolscript_sandbox.polyfills import linker

from .transform import Context, Transform
from .tree import constant, is_changed, meaning, named, quoted, quoted_expression, set_changed

Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
FACT = 'iterators'
"""A variable of the session may be an iterator."""
_Taken = Literal['whole', 'loop', 'stop', 'lazy']
"""The consumer of the values: one that takes all at once, a `for` loop, one that stops at a value, or another."""
_Form = Literal['native', 'listed', 'stopping', 'lazy']
"""The form that it gets: Monty's own, a list comprehension, one that stops early, or an iterator."""


def _waits(analysis: Analysis) -> bool:
    """Return whether the script has its own iterators, and it or a function of an earlier script may wait."""
    has_iterators = (
        not _LAZY.isdisjoint(analysis.meant)
        or bool(analysis.kinds & {ast.Yield, ast.YieldFrom, ast.GeneratorExp})
        or analysis.has(FACT, 'generators')
        or '__next__' in analysis.sync_functions
    )
    if not has_iterators:
        return False
    if analysis.has(_WAITS) or not analysis.words.isdisjoint(_WAITING_METHODS) or waiting_of(analysis) is not None:
        return True
    modules = {dotted.partition('.')[0] for dotted in analysis.meant} - _NEVER
    return any(linker.waits(module) for module in modules & linker.names())


def while_next(node: ast.For, context: Context) -> list[ast.stmt]:
    """Rewrite a `for` loop to get each item with `next`, in which a script may wait."""
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
    """Rewrite a comprehension to get the values of some of its loops with the template, where S is the steps."""
    loops = list[ast.comprehension]()
    for loop in node.generators:
        if takes(loop):
            made = quoted_expression(template, loop.iter, S=context.fresh('steps'), ITER=loop.iter, TARGET=loop.target)
            assert isinstance(made, ast.ListComp)
            made.generators[-1].ifs = loop.ifs
            loops += made.generators
        else:
            loops.append(loop)
    if loops == node.generators:
        return node
    node.generators = loops
    return set_changed(node)


class _Plan:
    """Decides from the original tree which form each expression gets."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._parents = analysis.index.parents
        makers = (node for node in analysis.all(ast.Call) if meaning(node.func) in _MAKERS and node.args)
        self._lazy = [*analysis.all(ast.GeneratorExp), *makers]
        self.own: Set[str] = analysis.sync_functions
        """The names of methods that the script or an earlier one may define."""
        if analysis.has(FACT, 'generators'):
            self.own = _GIVING_COLLECTIONS

    @cached_property
    def is_lazy(self) -> bool:
        """Whether a variable may be an iterator, which yields each value once, computes values late, or never ends."""
        analysis = self._analysis
        return (
            analysis.has(FACT, 'generators')
            or bool(analysis.kinds & {ast.Yield, ast.YieldFrom})
            or analysis.means_module('itertools')
            or not analysis.words.isdisjoint(_OF_ITERATORS)
            or not analysis.sync_functions.isdisjoint(['__iter__', '__next__', '__getitem__'])
            or any(self._taken(node) == 'lazy' for node in self._lazy)
        )

    @property
    def has_work(self) -> bool:
        """Whether anything in the script must change."""
        return 'builtins.iter' in self._analysis.meant or any(self.form(node) != 'native' for node in self._lazy)

    @cached_property
    def _reverses_own(self) -> bool:
        """Whether a class of the script or an earlier one may be reversed, or its objects."""
        has_enums = self._analysis.means_module('enum') or self._analysis.has('enums')
        is_own = not self.own.isdisjoint(['__getitem__', '__reversed__']) or self._analysis.has('method __reversed__')
        return has_enums or is_own

    def form(self, node: ast.GeneratorExp | ast.Call) -> _Form:
        """Return the form of a generator expression, or of a call of `map` or another maker."""
        taken = self._taken(node)
        if isinstance(node, ast.GeneratorExp):
            return 'native' if taken == 'whole' else 'stopping' if taken == 'stop' else 'lazy'
        dotted, calls_own = meaning(node.func), _calls_own(node)
        if dotted == 'builtins.reversed' and self._reverses_own:
            return 'lazy'
        if taken == 'whole':
            return 'listed' if calls_own else 'native'
        if taken == 'stop' and calls_own and dotted == 'builtins.map':
            return 'stopping'
        return 'native' if taken == 'loop' and self._is_inert(node, self._changed_around(node)) else 'lazy'

    def _taken(self, node: ast.AST) -> _Taken:
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
            case ast.comprehension() if not isinstance(self._parents[parent], ast.GeneratorExp):
                return 'loop'
            case ast.keyword():
                return self._taken_by(self._parents[parent], node)
            case ast.Call():
                return self._taken_by(parent, node)
            case _:
                return 'lazy'

    def _taken_by(self, call: ast.AST, node: ast.AST) -> _Taken:
        assert isinstance(call, ast.Call)
        dotted = meaning(call.func) or ''
        if dotted in _MAKERS:
            # If both compute values, their side effects must alternate.
            computes = isinstance(node, ast.GeneratorExp) or _calls_own(node)
            taken = self._taken(call)
            in_turns = computes and dotted in ('builtins.map', 'builtins.filter', 'builtins.zip')
            return 'lazy' if in_turns or taken == 'stop' else taken
        if dotted in _STOPS and call.args and call.args[0] is node and not call.keywords:
            return 'stop'
        is_method = isinstance(call.func, ast.Attribute) and call.func.attr in _TAKING_METHODS and not dotted
        return 'whole' if is_method or dotted in _TAKERS or dotted.startswith(('tools.', 'statistics.')) else 'lazy'

    def _changed_around(self, node: ast.AST) -> set[str]:
        """Return the source of the expressions that the loop around a node changes."""
        around = self._parents[node]
        while isinstance(around, (ast.Call, ast.comprehension)):
            around = self._parents[around]
        found = set[str]()
        for part in walk(around):
            match part:
                case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name in CHANGING:
                    found.add(ast.unparse(owner))
                case ast.Subscript(value=owner, ctx=ast.Store() | ast.Del()) | ast.AugAssign(target=owner):
                    found.add(ast.unparse(owner))
                case _:
                    pass
        return found

    def _is_inert(self, node: ast.expr, changing: set[str]) -> bool:
        """Return whether iterating over the values has no effect that the loop could see, and ends."""
        match node:
            case ast.Call(func=func, args=args, keywords=words) if meaning(func) in _MAKERS:
                if meaning(func) in _CALLING and meaning(args[0]) not in _PURE:
                    return False
                items = [part for part in args if meaning(part) not in _PURE][: 1 if words else None]
                strict = any(word.arg == 'strict' for word in words)
                return not strict and all(self._is_inert(part, changing) for part in items)
            case ast.GeneratorExp():
                return False
            case ast.Starred(value=part):
                return self._is_inert(part, changing)
            case ast.Call(func=ast.Attribute(value=owner, attr='items' | 'values' | 'keys')):
                pass
            case owner:
                pass
        return ast.unparse(owner) not in changing and (not self.is_lazy or _is_finite(node, self.own))


def _is_finite(node: ast.expr, own: Set[str]) -> bool:
    """Return whether an expression is certainly not an iterator; `own` are the names of the script's methods."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name)) if name in _GIVING_COLLECTIONS:
            return name not in own
        case ast.Call():
            return meaning(node.func) in _FINITE
        case ast.Starred() | ast.Await():
            return _is_finite(node.value, own)
        case _:
            return isinstance(node, _COLLECTIONS)


def _calls_own(node: ast.AST) -> bool:
    """Return whether it is a `map` or `filter` with a function of the script, which a comprehension may call."""
    match node:
        case ast.Call(args=[ast.Name() | ast.Attribute() | ast.Lambda() as function, items], keywords=[]):
            dotted = meaning(function) or ''
            is_native = dotted.startswith('builtins.') and dotted != 'builtins.open'
            return meaning(node.func) in _CALLING and not is_native and not isinstance(items, ast.Starred)
        case _:
            return False


class Iteration(Transform):
    feature = 'iterators that compute each value when it is asked for, and loops over them in which a script waits'
    after = ('calls', 'closing')

    @staticmethod
    def needed(analysis: Analysis) -> bool:
        meant = analysis.meant
        return (
            ast.GeneratorExp in analysis.kinds or not meant.isdisjoint(_MAKERS | {'builtins.iter'}) or _waits(analysis)
        )

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._plan = _Plan(context.analysis)
        self._waits = _waits(context.analysis)
        """Whether the script may wait in iterators of its own."""
        self._waiting = waiting_of(context.analysis) if self._waits else None

    def applied(self, tree: ast.Module) -> ast.Module:
        facts = {FACT: self._plan.is_lazy, _WAITS: self._waits}
        self._context.facts |= {fact for fact, holds in facts.items() if holds}
        return self.below(tree) if self._plan.has_work or self._waits else tree

    def visit_Call(self, node: ast.Call) -> ast.AST:
        dotted = meaning(node.func) or ''
        if dotted in _STOPS and node.args and not node.keywords:
            node = self._stopping(node, _STOPS[dotted])
            return self._called(node, dotted) if self._waits else node
        form, name = 'native', dotted.removeprefix('builtins.')
        if dotted in _MAKERS and node.args:
            form = self._plan.form(node)
        elif dotted == 'builtins.iter' and len(node.args) == 2:
            form, name = 'lazy', 'Calls'
        if form == 'listed':
            return self.expression(_listed(node))
        node = self.below(node)
        if form == 'lazy':
            node.func = named(f'_iterators__{name}', node.func)
            return set_changed(node)
        return self._called(node, dotted) if self._waits else node

    def _called(self, node: ast.Call, dotted: str) -> ast.AST:
        """Rewrite a call in a script that may wait: pass a list instead of an iterator, or call a polyfill."""
        args = node.args
        is_plain = all(self._is_finite(part) for part in args if meaning(part) not in _PURE)
        if dotted == 'itertools.islice' or (dotted in _MAKERS and not is_plain):
            node.func = named(f'_iterators__{dotted.rpartition(".")[2]}', node.func)
            return set_changed(node)
        if dotted.startswith('itertools.') and any(map(self._is_waiting, args)):
            raise Refused([refusal(node, _ITERTOOLS)])
        is_method = isinstance(node.func, ast.Attribute) and node.func.attr in _TAKING_METHODS and not dotted
        place = 1 if dotted in ('functools.reduce', 'heapq.nlargest', 'heapq.nsmallest') else 0
        if len(args) <= place or self._is_finite(args[place]) or isinstance(args[place], ast.Starred):
            return node
        compares = dotted in ('builtins.max', 'builtins.min') and len(args) > 1
        if is_method and isinstance(node.func, ast.Attribute) and node.func.attr in self._analysis.sync_functions:
            # A method of the script may take more than an iterable: `first.join(second, on='id')`.
            taker = node.func.value
            if isinstance(taker, (ast.Name, ast.Attribute, ast.Constant)):
                parts = {'TAKER': deepcopy(taker), 'X': args[place]}
                args[place] = quoted_expression('_iterators__whole_for(TAKER, X)', node, **parts)
        elif is_method or (dotted in _TAKERS and not compares and not dotted.startswith('asyncio.')):
            args[place] = self._whole(args[place])
        return set_changed(node) if is_changed(args[place]) else node

    def _is_waiting(self, node: ast.expr) -> bool:
        """Return whether the iterable is a generator that waits, or a variable that may be one."""
        if isinstance(node, ast.Name):
            owner = self._analysis.scopes.owner(node)
            targets = owner.bound.get(node.id, []) if owner is not None else []
            above = [self._analysis.index.parents.get(target) for target in targets]
            return any(isinstance(one, ast.Assign) and self._is_waiting(one.value) for one in above)
        return isinstance(node, ast.Call) and self._waiting is not None and self._waiting.of(node.func) is not None

    def _is_finite(self, node: ast.expr) -> bool:
        return _is_finite(node, self._plan.own)

    def _whole(self, node: ast.expr) -> ast.expr:
        return node if self._is_finite(node) else quoted_expression('_iterators__whole(X)', node, X=node)

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        node = self.below(node)
        return while_next(node, self._context) if self._waits and not self._is_finite(node.iter) else node

    def visit_ListComp(self, node: Comprehension) -> ast.AST:
        node = self.below(node)
        if not self._waits:
            return node
        return in_steps(node, self._context, lambda loop: not loop.is_async and not self._is_finite(loop.iter), _STEPS)

    visit_SetComp = visit_DictComp = visit_ListComp

    def visit_Starred(self, node: ast.Starred) -> ast.AST:
        node = self.below(node)
        return self._with_whole(node) if isinstance(node.ctx, ast.Load) else node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        node = self.below(node)
        return self._with_whole(node) if isinstance(node.targets[0], (ast.Tuple, ast.List)) else node

    def _with_whole(self, node: ast.Starred | ast.Assign) -> ast.AST:
        if not self._waits or self._is_finite(node.value):
            return node
        node.value = self._whole(node.value)
        return set_changed(node)

    def _stopping(self, node: ast.Call, wanted: bool | None) -> ast.Call:
        """Rewrite `any(x > 3 for x in xs)` with a comprehension that stops where `any` does."""
        match node.args[0]:
            case ast.GeneratorExp() as first:
                pass
            case ast.Call() as call if meaning(call.func) == 'builtins.map' and self._plan.form(call) == 'stopping':
                first = _listed(call)
            case items if self._waits and wanted is not None and not self._is_finite(items):
                first = _listed(node)
            case _:
                return self.below(node)
        if wanted is not None and all(map(_cannot_fail, walk(first))):
            return self.below(node)
        until, seen = self._fresh('until'), 'X' if wanted is None else 'True if X else False'
        made = quoted_expression(
            f'[UNTIL.saw({seen}) for UNTIL in [_iterators__Until(WANTED)]]',
            node,
            UNTIL=until,
            WANTED=constant(wanted, node),
            X=first.elt,
        )
        assert isinstance(made, ast.ListComp)
        for loop in first.generators:
            items = quoted_expression('UNTIL.over(ITER)', node, UNTIL=until, ITER=loop.iter)
            made.generators.append(ast.comprehension(loop.target, items, loop.ifs, 0))
        node.args[0] = quoted_expression('_natives__iter(X)', node, X=made) if wanted is None else made
        return set_changed(self.below(node))

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        inside = set(walk(node)) - set(walk(node.generators[0].iter))
        if any(isinstance(part, ast.Await) or getattr(part, 'is_async', False) for part in inside):
            raise Refused([refusal(node, _AWAITS)])
        if self._plan.form(node) != 'lazy':
            # `any` and the like left it unchanged.
            return self.visit_ListComp(node)
        set_names = {part.target.id for part in inside if isinstance(part, ast.NamedExpr)}
        if any(name.id in set_names and name not in inside for name in self._analysis.all(ast.Name)):
            raise Refused([refusal(node, _NAMES)])
        return self.below(self._values(node, node.generators))

    def _values(self, node: ast.GeneratorExp, loops: list[ast.comprehension]) -> ast.expr:
        """Return an iterator over the first loop that yields for each item a list of values, or an inner iterator."""
        loop, *rest = loops
        chosen = f'[VALUE for TARGET in [IT]{" if TEST" * len(loop.ifs[:1])}]'
        return quoted_expression(
            f'_iterators__Values(lambda IT: {f"({chosen} or [()])[0]" if rest else chosen}, ITER)',
            node,
            IT=self._fresh('it'),
            VALUE=self._values(node, rest) if rest else node.elt,
            TARGET=loop.target,
            TEST=loop.ifs[0] if len(loop.ifs) == 1 else ast.BoolOp(ast.And(), loop.ifs),
            ITER=loop.iter,
        )


def _listed(node: ast.Call) -> ast.ListComp:
    """Rewrite `map(f, xs)`, `filter(f, xs)` or `any(xs)` as a list comprehension, so that `f` can recurse and wait."""
    template = {
        'builtins.map': '[F(_item__0) for _item__0 in ITEMS]',
        'builtins.filter': '[_item__0 for _item__0 in ITEMS if F(_item__0)]',
    }.get(meaning(node.func) or '', '[_item__0 for _item__0 in ITEMS]')
    comprehension = quoted_expression(template, node, F=node.args[0], ITEMS=node.args[-1])
    assert isinstance(comprehension, ast.ListComp)
    return comprehension


def _cannot_fail(part: ast.AST) -> bool:
    if isinstance(part, ast.Compare):
        return all(isinstance(op, (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)) for op in part.ops)
    return isinstance(part, (ast.Name, ast.Constant, ast.BoolOp, ast.GeneratorExp, ast.comprehension))


_AWAITS = (
    'A generator expression cannot await here. Write a list comprehension, or an `async def` function that yields.'
)
_NAMES = 'A name that `:=` sets in a generator expression cannot be read outside of it here. Write a loop.'
_MAKERS = frozenset(f'builtins.{name}' for name in ('map', 'filter', 'zip', 'enumerate', 'reversed'))
_CALLING = frozenset(['builtins.map', 'builtins.filter'])
_STOPS = {'builtins.any': True, 'builtins.all': False, 'builtins.next': None}
"""Functions that stop at a true value, at a false value, or at the first value."""
_TAKERS = words(
    'builtins.list builtins.tuple builtins.sorted builtins.set builtins.frozenset builtins.dict builtins.sum '
    'builtins.min builtins.max builtins.bytes builtins.bytearray collections.Counter collections.deque '
    'collections.OrderedDict math.prod math.fsum functools.reduce asyncio.gather asyncio.wait '
    'asyncio.as_completed json.dumps heapq.nlargest heapq.nsmallest'
)
"""Functions that take all values before they do anything that a script can see."""
_TAKING_METHODS = words('join extend update union intersection difference issubset issuperset writerows fromkeys')
_PURE = frozenset(f'builtins.{name}' for name in ('str', 'repr', 'len', 'bool', 'abs', 'list', 'tuple', 'type', 'id'))
"""Functions without side effects that do not fail."""
_FINITE = words('list tuple sorted set frozenset dict range str', of='builtins')
_GIVING_COLLECTIONS = words('items values keys split rsplit splitlines copy most_common findall get')
_COLLECTIONS = (
    *(ast.Constant, ast.JoinedStr, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp),
    *(ast.BinOp, ast.Compare),
)
_OF_ITERATORS = frozenset(['iter', 'finditer', 'reader', 'DictReader', 'scandir', 'iterdir', 'readlines', 'open'])

_WAITS = 'waits'
_STEPS = '[0 for S in [_iterators__Steps(ITER)] for _ in S if S.more() for TARGET in [S.value]]'
_LAZY = frozenset(f'builtins.{name}' for name in ('map', 'filter', 'iter'))
_NEVER = frozenset(['builtins', 'collections', 'dataclasses', 'enum', 'functools', 'itertools', 'typing', 'asyncio'])
"""Modules without functions that wait without `await`."""
_WAITING_METHODS = frozenset(['strptime', 'fromisoformat', 'astimezone', 'create_task', 'ensure_future'])
_ITERTOOLS = (
    'itertools cannot iterate over something that waits. Write a loop, or pass a list: itertools.chain(list(...)).'
)
