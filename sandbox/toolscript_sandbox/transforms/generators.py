"""Generator functions, which Monty lacks, as functions that resume where they stopped; and `async for`.

What a generator function returns holds a function `step` that runs to the next `yield`. The generator's variables
live outside of `step`. Each block of statements that yields has a variable with the number of the statement where it
stopped: `step` enters the blocks again down to that statement. So `try`, loops and conditions stay what they are, and a
generator survives Monty's dumps, as closures do.

Each `for` and `with` around a `yield` is first written as `while` and `try`, and a `yield` inside an expression becomes
a statement before it. A `for` that alone has a generator with something to clean up closes it.

Refused: a `yield` behind something else that the expression computes before it, and one inside `finally`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.refusals import Refused, refusal
from toolscript_sandbox.language.syntax import children

from .contexts import written_out
from .lazy_iteration import COMPREHENSIONS, in_steps, while_next
from .transform import Context, Transform
from .tree import Transformer, is_changed, meaning, placed, quoted, quoted_expression, set_changed

FACT = 'generators'
"""The session has generators."""
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_YIELDS = (ast.Yield, ast.YieldFrom)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def _needed(analysis: Analysis) -> bool:
    if analysis.kinds & {ast.Yield, ast.YieldFrom, ast.AsyncFor}:
        return True
    if not analysis.meant.isdisjoint(['builtins.anext', 'builtins.aiter']):
        return True
    if analysis.has(FACT) and not analysis.meant.isdisjoint(_ENDS):
        return True
    return any(loop.is_async for loop in analysis.all(ast.comprehension))


def _apply(tree: ast.Module, context: Context) -> ast.Module:
    context.facts.add(FACT)
    tree = _Generators(context, _cleaning(context.analysis)).below(tree)
    if context.has('exceptions'):
        tree.body[:0] = quoted('_generator_errors__ready', tree.body[0])
    return tree


def own_nodes(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of a function, without those of functions and classes in it."""
    waiting = [*nodes]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, _SCOPES):
            marks = [] if isinstance(node, ast.Lambda) else node.decorator_list
            waiting += [*marks, *([] if isinstance(node, ast.ClassDef) else node.args.defaults)]
        else:
            waiting += children(node)


def _yields(*nodes: ast.AST) -> bool:
    return any(isinstance(part, _YIELDS) for part in own_nodes(nodes))


def _cleaning(analysis: Analysis) -> frozenset[str]:
    """The names of generator functions that clean up where they are left: in `finally`, `with`, or a handler."""
    generators = [
        node
        for kind in (ast.FunctionDef, ast.AsyncFunctionDef)
        for node in analysis.all(kind)
        if not node.decorator_list and _yields(*node.body)
    ]
    found, before = frozenset[str](), None
    while found != before:
        before = found
        found |= {node.name for node in generators if any(_cleans(part, found) for part in own_nodes(node.body))}
    return found


def _cleans(node: ast.AST, known: frozenset[str]) -> bool:
    match node:
        case ast.With() | ast.AsyncWith():
            return _yields(*node.body)
        case ast.Try():
            return bool(node.finalbody) and _yields(*node.body, *node.handlers, *node.orelse)
        case ast.Name(id='GeneratorExit'):
            return True
        case ast.For(iter=ast.Call() as call) | ast.YieldFrom(value=ast.Call() as call):
            return called_name(call) in known
        case _:
            return False


def called_name(call: ast.Call) -> str:
    """The name of the function or method that is called, or nothing."""
    func = call.func
    return func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ''


class _Generators(Transformer):
    def __init__(self, context: Context, cleaning: frozenset[str]) -> None:
        self._context = context
        self._cleaning = cleaning

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def _function(self, node: _Function) -> ast.AST:
        generates = _yields(*node.body)
        node = self.below(node)
        return _Generator(self._context, node).function() if generates else node

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        node = self.below(node)
        if not isinstance(node.iter, ast.Call) or called_name(node.iter) not in self._cleaning:
            return node
        # Python closes a generator that nothing refers to any more. Monty cannot see that.
        left = self._context.fresh('left')
        opened = quoted('LEFT = ITER', node, LEFT=left, ITER=node.iter)
        node.iter = quoted_expression('LEFT', node, LEFT=left)
        loop = set_changed(node)
        return [*opened, *quoted('try: X\nfinally: _generators__close(LEFT)', node, X=[loop], LEFT=left)]

    def visit_Call(self, node: ast.Call) -> ast.AST:
        node = self.below(node)
        if meaning(node.func) in _LEAVING and any(
            isinstance(part, ast.Call) and called_name(part) in self._cleaning for part in node.args[:1]
        ):
            raise Refused([refusal(node, _LEFT)])
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        if _yields(node.body):
            raise Refused([refusal(node, 'A `lambda` cannot yield here. Write a function with `def`.')])
        return self.below(node)

    def visit_AsyncFor(self, node: ast.AsyncFor) -> list[ast.stmt]:
        cleans = isinstance(node.iter, ast.Call) and called_name(node.iter) in self._cleaning
        node = self.below(node)
        stream = self._context.fresh('stream')
        opened, loop = quoted(
            'STREAM = _generators__Stream(ITER)\n'
            'while await STREAM.more():\n TARGET = STREAM.value\n BODY\nelse: ORELSE',
            node,
            STREAM=stream,
            ITER=node.iter,
            TARGET=node.target,
            BODY=node.body,
            ORELSE=node.orelse,
        )
        if not cleans:
            return [opened, loop]
        return [opened, *quoted('try: X\nfinally: await STREAM.close()', node, X=[loop], STREAM=stream)]

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if meaning(node) in ('builtins.anext', 'builtins.aiter'):
            return placed(ast.Name(f'_generators__{node.id}', ast.Load()), node)
        return node

    def visit(self, node: ast.AST) -> ast.AST | list[ast.stmt]:
        if isinstance(node, COMPREHENSIONS) and any(loop.is_async for loop in node.generators):
            if isinstance(node, ast.GeneratorExp):
                raise Refused([refusal(node, _ASYNCHRONOUS)])
            self.below(node)
            return in_steps(node, self._context, lambda loop: bool(loop.is_async), _STREAM)
        return super().visit(node)


class _Generator:
    """One generator function. Its own `for`, `with` and `yield` are still as they were written."""

    def __init__(self, context: Context, node: _Function) -> None:
        self._context = context
        self._node = node
        self._it = context.fresh('it')
        self._state = dict[str, ast.expr]()
        """The variables that the function needs for itself, each with what it is at the start."""

    def function(self) -> ast.AST:
        node, is_async = self._node, isinstance(self._node, ast.AsyncFunctionDef)
        body = self._block(node.body, self._kept(0))
        declared = [part for part in own_nodes(node.body) if isinstance(part, (ast.Global, ast.Nonlocal))]
        elsewhere = {name for part in declared for name in part.names}
        arguments = [part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)]
        inner = sorted({*_bound(body)} - elsewhere - self._state.keys() - {*arguments})
        step = self._context.fresh('step')
        start = [ast.Name(name, ast.Store()) for name in inner]
        word, kind = ('async def', '_generators__AsyncGenerator') if is_async else ('def', '_generators__Generator')
        new = quoted(
            f'UNBOUND\nSTATE\n{word} STEP(IT):\n NAMES\n BODY\nreturn KIND(STEP, NAME)',
            node,
            UNBOUND=[placed(ast.If(ast.Constant(False), [_assigned(start, ast.Constant(None), node)], []), node)]
            if start
            else [],
            STATE=[_assigned([ast.Name(name, ast.Store())], value, node) for name, value in self._state.items()],
            STEP=step,
            IT=self._it,
            NAMES=[
                *(placed(type(part)([*part.names]), node) for part in declared),
                placed(ast.Nonlocal([*arguments, *inner, *self._state]), node),
            ],
            BODY=body,
            KIND=kind,
            NAME=ast.Constant(node.name),
        )
        made = ast.FunctionDef(node.name, node.args, new, node.decorator_list, node.returns)
        return placed(made, node)

    def _kept(self, value: int | None) -> str:
        name = self._context.fresh('at')
        self._state[name] = ast.Constant(value)
        return name

    def _block(self, body: Sequence[ast.stmt], place: str) -> list[ast.stmt]:
        """Statements that can be entered again: `place` is the number of those where they stopped, from 0."""
        result, number = list[ast.stmt](), 0
        chunk = list[ast.stmt]()
        for node in (part for statement in body for part in self._simpler(statement)):
            if isinstance(node, (ast.Global, ast.Nonlocal)):
                continue
            if not _yields(node):
                chunk.append(node)
                continue
            before, again = self._resumed(node, place, number + 1)
            result += self._when(place, number, [*chunk, *before])
            number += 1
            chunk = again
            if not isinstance(node, (ast.Expr, ast.Assign)):
                # What is entered again itself; a chunk may begin with what is received.
                result += self._when(
                    place, number, [*chunk, *quoted('P = N', node, P=place, N=ast.Constant(number + 1))]
                )
                number, chunk = number + 1, []
        if chunk:
            result += self._when(
                place, number, [*chunk, *quoted('P = N', chunk[-1], P=place, N=ast.Constant(number + 1))]
            )
        return result

    def _when(self, place: str, number: int, body: list[ast.stmt]) -> list[ast.stmt]:
        return quoted('if P == N: BODY', body[0], P=place, N=ast.Constant(number), BODY=body)

    def _simpler(self, node: ast.stmt) -> list[ast.stmt]:
        """The statement as some that `_resumed` knows, each with at most one `yield`."""
        if not _yields(node):
            return [node]
        match node:
            case ast.For() | ast.While() if node.orelse and _yields(*node.orelse):
                ended, orelse = self._context.fresh('ended'), node.orelse
                node.orelse = quoted('ENDED = True', node, ENDED=ended)
                test = quoted('ENDED = False\nX\nif ENDED: Y', node, ENDED=ended, X=[node], Y=orelse)
                return [part for one in test for part in self._simpler(one)]
            case ast.For():
                lifted = self._lifted(node, 'iter')
                items, *loop = while_next(node, self._context)
                return [*lifted, items, *loop]
            case ast.While() if _yields(node.test):
                loop = quoted('while True:\n if not TEST: break\n BODY', node, TEST=node.test, BODY=node.body)
                if node.orelse:
                    raise Refused([refusal(node, _INSIDE)])
                return loop
            case ast.With() | ast.AsyncWith():
                return [*self._lifted(node.items[0], 'context_expr'), *written_out(node, self._context)]
            case (
                ast.Expr(value=ast.Yield() | ast.YieldFrom() as given)
                | ast.Assign(value=ast.Yield() | ast.YieldFrom() as given)
            ):
                return [*self._lifted(given, 'value'), node] if given.value is not None else [node]
            case ast.AugAssign() if not isinstance(node.target, ast.Name):
                raise Refused([refusal(node, _INSIDE)])
            case ast.AnnAssign(value=value) if value is not None:
                return self._simpler(placed(ast.Assign([node.target], value), node))
            case _:
                return [*self._lifted(node, _LIFTED[type(node)]), node] if type(node) in _LIFTED else [node]

    def _lifted(self, node: ast.AST, name: str) -> list[ast.stmt]:
        """Assignments of what is yielded inside an expression of the node, which then has the names."""
        value: ast.expr = getattr(node, name)
        if not _yields(value):
            return []
        lifter = _Lifter(self._context)
        setattr(node, name, lifter.expression(value))
        set_changed(node)
        return lifter.before

    def _resumed(self, node: ast.stmt, place: str, number: int) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """What is done up to where the generator stops, and what each time that it resumes there."""
        here = quoted('P = N', node, P=place, N=ast.Constant(number))
        match node:
            case ast.Expr(value=ast.Yield(value=value)) | ast.Assign(value=ast.Yield(value=value)):
                stop = quoted('return IT.gives(X)', node, IT=self._it, X=value or ast.Constant(None))
                node.value = quoted_expression('IT.received()', node, IT=self._it)
                return [*here, *stop], [set_changed(node)]
            case ast.Expr(value=ast.YieldFrom(value=value)) | ast.Assign(value=ast.YieldFrom(value=value)):
                inner = self._context.fresh('inner')
                start = quoted('INNER = _generators__Delegate(X)', node, INNER=inner, X=value)
                again = quoted('if INNER.more(IT): return IT.gives(INNER.value)', node, INNER=inner, IT=self._it)
                node.value = quoted_expression('INNER.value', node, INNER=inner)
                return [*start, *here], [*again, set_changed(node)]
            case ast.While():
                return self._loop(node, here)
            case ast.If():
                branch, inside = self._kept(None), self._kept(0)
                start = quoted('B = True if X else False\nP = 0', node, B=branch, P=inside, X=node.test)
                again = quoted(
                    'if B: BODY\nelse: ORELSE',
                    node,
                    B=branch,
                    BODY=self._block(node.body, inside),
                    ORELSE=self._block(node.orelse, inside),
                )
                return [*start, *here], again
            case ast.Match():
                return self._match(node, here)
            case ast.Try() if node.finalbody:
                return self._finally(node, here)
            case ast.Try():
                return self._try(node, here)
            case _:
                raise Refused([refusal(node, _INSIDE)])

    def _loop(self, node: ast.While, here: list[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]]:
        inside = self._kept(0)
        body = self._block(_Continues(inside).body(node.body), inside)
        again = quoted(
            'while P or TEST:\n BODY\n P = 0\nelse: ORELSE',
            node,
            P=inside,
            TEST=node.test,
            BODY=body,
            ORELSE=node.orelse,
        )
        return [*quoted('P = 0', node, P=inside), *here], again

    def _match(self, node: ast.Match, here: list[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]]:
        branch, inside = self._kept(0), self._kept(0)
        again = list[ast.stmt]()
        for number, case in enumerate(node.cases, 1):
            again += self._when(branch, number, self._block(case.body, inside))
            case.body = quoted('B = N', case.body[0], B=branch, N=ast.Constant(number))
        return [*quoted('B = 0\nP = 0', node, B=branch, P=inside), set_changed(node), *here], again

    def _finally(self, node: ast.Try, here: list[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]]:
        if _yields(*node.finalbody):
            message = 'A `yield` inside `finally` cannot be had here. Yield before or after the `try`.'
            raise Refused([refusal(node.finalbody[0], message)])
        inside, inner = self._kept(0), node.body
        if node.handlers:
            inner = [placed(ast.Try(node.body, node.handlers, node.orelse, []), node)]
        again = quoted(
            'try: BODY\nfinally:\n if not IT.waits: FINAL',
            node,
            BODY=self._block(inner, inside),
            IT=self._it,
            FINAL=node.finalbody,
        )
        return [*quoted('P = 0', node, P=inside), *here], again

    def _try(self, node: ast.Try, here: list[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]]:
        branch, inside = self._kept(0), self._kept(0)
        later = list[ast.stmt]()
        for number, handler in enumerate(node.handlers, 1):
            if _yields(*handler.body):
                later += self._handled(handler, number, branch, inside)
        orelse = node.orelse
        if _yields(*orelse):
            number = len(node.handlers) + 1
            later += self._when(branch, number, self._block(orelse, inside))
            orelse = quoted('B = N\nP = 0', orelse[0], B=branch, N=ast.Constant(number), P=inside)
        attempt = placed(ast.Try(self._block(node.body, inside), node.handlers, orelse, []), node)
        again = quoted('if B == 0: X', node, B=branch, X=[attempt])
        return [*quoted('B = 0\nP = 0', node, B=branch, P=inside), *here], [*again, *later]

    def _handled(self, handler: ast.ExceptHandler, number: int, branch: str, inside: str) -> list[ast.stmt]:
        """A handler that yields is left first; what it caught is kept."""
        kept, caught = self._context.fresh('kept'), self._context.fresh('error')
        first = handler.body[0]
        named = quoted('NAME = KEPT', first, NAME=handler.name, KEPT=kept) if handler.name else []
        body = self._block([*named, *_Reraises(kept).body(handler.body)], inside)
        handler.type = handler.type or quoted_expression('BaseException', first)
        handler.name, handler.body = (
            caught,
            quoted('KEPT = E\nB = N\nP = 0', first, KEPT=kept, E=caught, B=branch, N=ast.Constant(number), P=inside),
        )
        return self._when(branch, number, body)


class _Lifter(Transformer):
    """Takes what yields out of an expression, in the order in which it is computed."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self.before: list[ast.stmt] = []
        self._blocked = False
        """Whether something was computed before what comes next, which then may not yield."""

    def visit(self, node: ast.AST) -> ast.AST | list[ast.stmt]:
        if not isinstance(node, ast.expr):
            return super().visit(node)
        if not _yields(node):
            self._blocked = self._blocked or not isinstance(node, _STILL)
            return node
        if isinstance(node, COMPREHENSIONS) or _yields(*_skipped(node)):
            raise Refused([refusal(node, _INSIDE)])
        blocked, node = self._blocked, self.below(node)
        if not isinstance(node, _YIELDS):
            self._blocked = True
            return set_changed(node)
        if blocked:
            raise Refused([refusal(node, _INSIDE)])
        name = self._context.fresh('received')
        self.before += quoted('NAME = X', node, NAME=name, X=node)
        self._blocked = False
        return placed(ast.Name(name, ast.Load()), node)


def _skipped(node: ast.expr) -> list[ast.expr]:
    """The parts of an expression that may not be computed."""
    match node:
        case ast.BoolOp(values=[_, *rest]) | ast.Compare(comparators=[_, *rest]):
            return rest
        case ast.IfExp():
            return [node.body, node.orelse]
        case _:
            return []


class _Continues(Transformer):
    """Lets `continue` begin a loop's body anew."""

    def __init__(self, place: str) -> None:
        self._place = place

    def visit(self, node: ast.AST) -> ast.AST | list[ast.stmt]:
        match node:
            case ast.Continue():
                return quoted('P = 0\ncontinue', node, P=self._place)
            case ast.For() | ast.AsyncFor() | ast.While():
                node.orelse = self.body(node.orelse)
                return set_changed(node) if any(map(is_changed, node.orelse)) else node
            case ast.expr() | ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return node
            case _:
                return super().visit(node)


class _Reraises(Transformer):
    """Lets a bare `raise` raise what was kept."""

    def __init__(self, kept: str) -> None:
        self._kept = kept

    def visit(self, node: ast.AST) -> ast.AST | list[ast.stmt]:
        if isinstance(node, ast.Raise) and node.exc is None:
            return quoted('raise KEPT', node, KEPT=self._kept)
        return node if isinstance(node, (*_SCOPES, ast.ExceptHandler, ast.expr)) else super().visit(node)


def _assigned(targets: Sequence[ast.expr], value: ast.expr, at: ast.AST) -> ast.stmt:
    return placed(ast.Assign([placed(target, at) for target in targets], placed(value, at)), at)


def _bound(body: Sequence[ast.stmt]) -> Iterator[str]:
    """The names that statements of a function bind, without those of comprehensions."""
    for node in body:
        yield from _bound_in(node)


def _bound_in(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
            return
        case ast.Lambda():
            return
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            yield from (part.target.id for part in own_nodes([node]) if isinstance(part, ast.NamedExpr))
            return
        case ast.Name(ctx=ast.Store() | ast.Del()):
            yield node.id
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name
        case ast.alias():
            yield (node.asname or node.name).partition('.')[0]
        case _:
            pass
    for part in children(node):
        yield from _bound_in(part)


_ENDS = frozenset(['builtins.StopIteration', 'builtins.StopAsyncIteration', 'builtins.GeneratorExit'])
"""What generators raise, which handlers of the script look at."""
_LEFT = (
    'This generator has something to clean up, and may be left before its end. '
    'Write `with contextlib.closing(...) as items:` around it.'
)
_LEAVING = frozenset(['builtins.next', 'builtins.any', 'builtins.all', 'itertools.islice', 'itertools.takewhile'])
_LIFTED: dict[type[ast.AST], str] = {
    ast.If: 'test',
    ast.Match: 'subject',
    ast.Raise: 'exc',
    **dict.fromkeys([ast.Assign, ast.Expr, ast.AugAssign, ast.Return], 'value'),
}
"""The expression of a statement that may yield."""
_STREAM = '[0 for S in [_generators__Stream(ITER)] for _ in S if await S.more() for TARGET in [S.value]]'
_ASYNCHRONOUS = (
    'A generator expression with `async for` cannot be had here. '
    'Write a list comprehension, or an `async def` function that yields.'
)
_STILL = (ast.Name, ast.Attribute, ast.Constant)
_INSIDE = (
    'A `yield` cannot stand here: something of the statement is computed before it. '
    'Write `name = yield value` on a line of its own before, then use the name.'
)

GENERATORS = Transform(
    'generator functions, and loops over asynchronous iterators',
    _apply,
    _needed,
    after=('exceptions', 'comparisons', 'provided_names'),
    probe='def numbers():\n    yield 1\nassert list(numbers()) == [1]\nasync def others():\n    yield 1\n'
    'assert [x async for x in others()] == [1]',
)
