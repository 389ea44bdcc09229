"""Generator functions, which Monty lacks (`yield`), as functions that go on where they stopped; and `async for`.

What a generator function returns holds a function that is called for each value. Its variables live outside of it, and
each block of statements that yields has a number for the place where it stands: the function enters the blocks again
down to that place. So `try`, `with`, loops and conditions stay what they are, and a generator is exactly as lazy as
Python's, takes what is sent, and is closed and thrown into.

Tried before: to collect what is yielded in a list, which computes too much too soon, and to cut only the last loop into
turns. Cost: some comparisons per value and level. The function is written anew from its tree, so that comments in it
are gone when it runs; each line knows its number.

Refused: a `yield` inside an expression behind something that is computed before it, or inside `finally`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TypeAlias, cast

from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.scopes import Scope, Scopes
from toolscript_sandbox.text.source import Edit
from toolscript_sandbox.text.syntax import all_of, children, module_of, walk

from .guest_modules import NATIVES, guest
from .program import Program
from .written import Line, written

Generating: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


def resumable(program: Program) -> Program:
    """The program with each generator function written as one that goes on where it stopped."""
    yields = [*all_of(program.tree, ast.Yield), *all_of(program.tree, ast.YieldFrom)]
    streams = [*all_of(program.tree, ast.AsyncFor)]
    if not yields and not streams and not any(loop.is_async for loop in all_of(program.tree, ast.comprehension)):
        return program
    program.scene.pieces.update(['generators', 'async_generators'] if _is_async(program.tree) else ['generators'])
    tree = module_of(program.source.text)
    work = _Work(tree)
    edits = list[Edit]()
    for old, new in zip(program.tree.body, tree.body, strict=True):
        if any(
            isinstance(node, _LACKING) or (isinstance(node, ast.comprehension) and node.is_async) for node in walk(old)
        ):
            start, end = program.source.start(_first(old)), program.source.end(old)
            edits.append(Edit(start, end, written(work.changed([new]))))
    return program.edited(edits)


def _is_async(tree: ast.Module) -> bool:
    """Whether anything may yield, or ask for what is yielded, asynchronously."""
    loops = any(loop.is_async for loop in all_of(tree, ast.comprehension))
    return loops or bool(all_of(tree, ast.AsyncFor) or all_of(tree, ast.AsyncFunctionDef))


def _first(node: ast.stmt) -> ast.stmt:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.decorator_list:
        mark = node.decorator_list[0]
        return ast.Pass(lineno=mark.lineno, col_offset=mark.col_offset - 1)
    return node


def _piece(name: str) -> str:
    version = guest('async_generators' if name in _ASYNC else 'generators')
    assert version is not None
    return version.prefixed(name)


def _native(name: str) -> str:
    # The generator's own variables may be called `next` and `iter`.
    version = guest(NATIVES)
    assert version is not None
    return version.prefixed(name)


class _Work:
    """All that yields in one snippet."""

    def __init__(self, tree: ast.Module) -> None:
        self._scopes = Scopes(tree)
        self._numbers = count(1)

    def changed(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Statements with all generators in them, however deep, rewritten."""
        return [statement for node in body for statement in self._statement(node)]

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            generates = _yields_itself(node)
            scope = self._scopes.opened[node]
            node.body = self.changed(node.body)
            return [self._generator(node, scope) if generates else node]
        for block in _blocks(node):
            block[:] = self.changed(block)
        _Collected().visit(node)
        return self._streamed(node) if isinstance(node, ast.AsyncFor) and not _yields(node) else [node]

    def _streamed(self, node: ast.AsyncFor) -> list[ast.stmt]:
        stream = f'_stream_{next(self._numbers)}'
        opened, loop, value = _made(
            f'{stream} = {_piece("Stream")}(0)\nwhile await {stream}.more(): pass\n_ = {stream}.value', node
        )
        assert isinstance(opened, ast.Assign)
        assert isinstance(opened.value, ast.Call)
        assert isinstance(loop, ast.While)
        assert isinstance(value, ast.Assign)
        opened.value.args = [node.iter]
        value.targets = [node.target]
        loop.body, loop.orelse = [value, *node.body], node.orelse
        return [opened, loop]

    def _generator(self, node: Generating, scope: Scope) -> Generating:
        names = sorted(name for name in scope.bound if name not in scope.elsewhere)
        machine = _Machine(self._numbers, isinstance(node, ast.AsyncFunctionDef))
        place = machine.fresh('0')
        body = machine.block(node.body, place, 0)
        parameters = {argument.arg for argument in _parameters(node)}
        declared = [part for part in _own_nodes(node.body) if isinstance(part, (ast.Global, ast.Nonlocal))]
        word = 'async def' if machine.is_async else 'def'
        kept = [*names, *machine.names]
        [step] = _made(f'{word} _step(_it): pass', node)
        assert isinstance(step, (ast.FunctionDef, ast.AsyncFunctionDef))
        step.body = [Line(f'nonlocal {", ".join(kept)}', node.lineno), *_unique(declared), *body]
        unbound = [name for name in names if name not in parameters]
        start = [Line(f'if False: {" = ".join(unbound)} = None', node.lineno)] if unbound else []
        state = [Line('; '.join(f'{name} = {value}' for name, value in machine.names.items()), node.lineno)]
        kind = 'AsyncGenerator' if machine.is_async else 'Generator'
        end = Line(f'return {_piece(kind)}(_step, {node.name!r})', node.lineno)
        made = ast.FunctionDef(node.name, node.args, [*start, *state, step, end], node.decorator_list, node.returns)
        return ast.copy_location(made, node)


class _Machine:
    """One generator function: its blocks, each with the place where it stands."""

    def __init__(self, numbers: Iterator[int], is_async: bool) -> None:
        self.names = dict[str, str]()
        """The variables that it needs, with what they are at the start."""
        self.is_async = is_async
        self._numbers = numbers

    def fresh(self, start: str = 'None') -> str:
        """A variable of its own."""
        name = f'_at_{next(self._numbers)}'
        self.names[name] = start
        return name

    def block(self, body: Sequence[ast.stmt], place: str, at: int) -> list[ast.stmt]:
        """Statements that can be entered again; `place` says before which of them, `at` at the first."""
        result, plain = list[ast.stmt](), list[ast.stmt]()
        for node in self._simple(body):
            if not _yields(node):
                plain.append(node)
                continue
            if plain:
                result.append(self._when(place, at, [*plain, *self._set(place, at + 1, node)], plain[0]))
                plain, at = [], at + 1
            before, again = self._parts(node, place, at)
            left = isinstance(node, (ast.Expr, ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Yield)
            before += [] if left else self._set(place, at + 1, node)
            result.append(self._when(place, at, before, node))
            result.append(self._when(place, at + 1, [*again, *self._set(place, at + 2, node)], node))
            at += 2
        if plain:
            result.append(self._when(place, at, [*plain, *self._set(place, at + 1, plain[-1])], plain[0]))
        return result

    def _simple(self, body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
        """The statements, each with at most one `yield`, where `_parts` knows it."""
        for node in body:
            if isinstance(node, (ast.Global, ast.Nonlocal)):
                continue
            if isinstance(node, (ast.For, ast.AsyncFor, ast.While)) and node.orelse and _yields(node):
                over, orelse = self.fresh('False'), node.orelse
                node.orelse = []
                loop = ast.copy_location(_Loop(node, over), node)
                yield loop
                yield ast.copy_location(ast.If(ast.Name(over, ast.Load()), orelse, []), node)
            elif isinstance(node, (ast.With, ast.AsyncWith)) and _yields(node):
                yield from self._entered(node)
            elif isinstance(node, (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.If)):
                yield from self._taken_out(node)
            else:
                yield node

    def _taken_out(self, node: ast.stmt) -> Iterator[ast.stmt]:
        """`x = f((yield y))` as `y_1 = yield y` and `x = f(y_1)`."""
        value = node.test if isinstance(node, ast.If) else getattr(node, 'value', None)
        if (
            value is None
            or not _yields(value)
            or (isinstance(value, _YIELDS) and not isinstance(node, (ast.Return, ast.AugAssign, ast.If)))
        ):
            yield node
            return
        found = [part for part in _own_nodes([value]) if isinstance(part, _YIELDS)]
        holder = [part for part in walk(value) if found[0] in walk(part)]
        before = [
            part
            for part in walk(value)
            if part not in holder and part not in walk(found[0]) and _precedes(part, found[0])
        ]
        hidden = any(isinstance(part, (ast.BoolOp, ast.IfExp, ast.Compare, *_COMPREHENSIONS)) for part in holder)
        still = all(isinstance(part, _STILL) for part in before)
        if len(found) > 1 or hidden or isinstance(node, ast.AugAssign) or not still:
            raise Refused([refusal(found[0], _INSIDE)])
        kept = self.fresh()
        yield ast.copy_location(ast.Assign([ast.Name(kept, ast.Store())], found[0]), node)
        _Replaced(found[0], kept).generic_visit(node)
        yield node

    def _entered(self, node: ast.With | ast.AsyncWith) -> list[ast.stmt]:
        item = node.items[0]
        inner: list[ast.stmt] = node.body
        if len(node.items) > 1:
            rest: ast.stmt = ast.copy_location(type(node)(node.items[1:], node.body), node)
            inner = [rest]
        manager, fine = self.fresh(), self.fresh('True')
        error = f'_error_{next(self._numbers)}'
        text = f"""\
{manager} = None
_ = {manager}.__enter__()
{fine} = True
try: pass
except BaseException as {error}:
    {fine} = False
    if not {manager}.__exit__(type({error}), {error}, None): raise
finally:
    if {fine}: {manager}.__exit__(None, None, None)
"""
        if isinstance(node, ast.AsyncWith):
            text = text.replace('__enter__', '__aenter__').replace('__exit__', '__aexit__')
            text = text.replace(f'{manager}.__a', f'await {manager}.__a')
            text = text.replace(f'not await {manager}', f'not await {manager}')
        made, entered, start, attempt = _made(text, node)
        assert isinstance(made, ast.Assign)
        assert isinstance(entered, ast.Assign)
        assert isinstance(attempt, ast.Try)
        made.value = item.context_expr
        first: ast.stmt = ast.copy_location(ast.Expr(entered.value), node)
        if item.optional_vars is not None:
            entered.targets, first = [item.optional_vars], entered
        attempt.body = inner
        return [made, first, start, *self._simple([attempt])]

    def _parts(self, node: ast.stmt, place: str, at: int) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """What is done before the place is reached, and what there, each time."""
        match node:
            case ast.Expr(value=ast.Yield() as given) | ast.Assign(value=ast.Yield() as given):
                return self._yield(node, given, place, at)
            case ast.AnnAssign(value=ast.Yield() as given):
                return self._yield(ast.copy_location(ast.Assign([node.target], given), node), given, place, at)
            case ast.Expr(value=ast.YieldFrom() as given) | ast.Assign(value=ast.YieldFrom() as given):
                return self._delegate(node, given)
            case _Loop():
                return self._loop(node.loop, node.over)
            case ast.For() | ast.AsyncFor() | ast.While():
                return self._loop(node, None)
            case ast.If():
                return self._if(node)
            case ast.Try() if node.finalbody:
                return self._finally(node)
            case ast.Try():
                return self._try(node)
            case ast.Match():
                return self._match(node)
            case _:
                message = (
                    'A `yield` cannot stand here. Write `name = yield value` on a line of its own, or build a list.'
                )
                raise Refused([refusal(node, message)])

    def _yield(self, node: ast.stmt, given: ast.Yield, place: str, at: int) -> tuple[list[ast.stmt], list[ast.stmt]]:
        value = given.value or ast.Constant(None)
        kept = Line(f'{place} = {at + 1}', node.lineno)
        stop = Line(f'return _it.gives({ast.unparse(value)})', node.lineno)
        # The value is computed before the place moves on: where that fails, the generator is over anyway.
        targets = node.targets if isinstance(node, ast.Assign) else []
        again = Line(''.join(f'{ast.unparse(target)} = ' for target in targets) + '_it.received()', node.lineno)
        return [kept, stop], [again]

    def _delegate(self, node: ast.stmt, given: ast.YieldFrom) -> tuple[list[ast.stmt], list[ast.stmt]]:
        inner = self.fresh()
        [made] = _made(f'{inner} = {_piece("Delegate")}(0)', node)
        assert isinstance(made, ast.Assign)
        assert isinstance(made.value, ast.Call)
        made.value.args = [given.value]
        again = _made(f'if {inner}.goes_on(_it): return _it.gives({inner}.value)\n_ = {inner}.value', node)
        last = again.pop()
        if isinstance(node, ast.Assign):
            assert isinstance(last, ast.Assign)
            last.targets = node.targets
            again.append(last)
        return [made], again

    def _loop(
        self, node: ast.For | ast.AsyncFor | ast.While, over: str | None
    ) -> tuple[list[ast.stmt], list[ast.stmt]]:
        place = self.fresh('0')
        ended = f'{over} = True; ' if over else ''
        before: list[ast.stmt] = [Line(f'{place} = 0' + (f'; {over} = False' if over else ''), node.lineno)]
        if isinstance(node, ast.While):
            opening: list[ast.stmt] = [Line(f'if not ({ast.unparse(node.test)}): {ended}break', node.lineno)]
        else:
            items = self.fresh()
            asks = isinstance(node, ast.AsyncFor)
            made = f'{items} = {_piece("Stream") if asks else _native("iter")}({ast.unparse(node.iter)})'
            before.append(Line(made, node.lineno))
            item = f'{items}.value' if asks else f'_item_{place}'
            stop = f'{over} = True; break' if over else 'break'
            if asks:
                lines = [f'if not await {items}.more(): {stop}']
            else:
                end = _piece('END')
                lines = [f'{item} = {_native("next")}({items}, {end})', f'if {item} is {end}: {stop}']
            lines.append(f'{ast.unparse(node.target)} = {item}')
            opening = [Line(line, node.lineno) for line in lines]
        opening += self._set(place, 1, node)
        body = [_Continuing(place).within(part) for part in node.body]
        loop = ast.copy_location(ast.While(ast.Constant(True), [], []), node)
        loop.body = [self._when(place, 0, opening, node), *self.block(body, place, 1), *self._set(place, 0, node)]
        return before, [loop]

    def _if(self, node: ast.If) -> tuple[list[ast.stmt], list[ast.stmt]]:
        branch, place = self.fresh(), self.fresh('0')
        [chosen, start] = _made(f'{branch} = bool(0)\n{place} = 0', node)
        assert isinstance(chosen, ast.Assign)
        assert isinstance(chosen.value, ast.Call)
        chosen.value = ast.copy_location(ast.IfExp(node.test, ast.Constant(True), ast.Constant(False)), node)
        [again] = _made(f'if {branch}: pass', node)
        assert isinstance(again, ast.If)
        again.body = self.block(node.body, place, 0)
        again.orelse = self.block(node.orelse, place, 0)
        return [chosen, start], [again]

    def _match(self, node: ast.Match) -> tuple[list[ast.stmt], list[ast.stmt]]:
        branch, place = self.fresh('0'), self.fresh('0')
        before, again = _made(f'{branch} = 0\n{place} = 0', node), list[ast.stmt]()
        for number, case in enumerate(node.cases, 1):
            again.append(self._when(branch, number, self.block(case.body, place, 0), case.body[0]))
            case.body = self._set(branch, number, case.body[0])
        return [*before, node], again

    def _finally(self, node: ast.Try) -> tuple[list[ast.stmt], list[ast.stmt]]:
        if any(_yields(part) for part in node.finalbody):
            message = 'A `yield` inside `finally` cannot be had here. Yield before or after the `try`.'
            raise Refused([refusal(node.finalbody[0], message)])
        place = self.fresh('0')
        inner: list[ast.stmt] = node.body
        if node.handlers:
            inner = [ast.copy_location(ast.Try(node.body, node.handlers, node.orelse, []), node)]
        [again] = _made('try: pass\nfinally:\n    if not _it.waits: pass', node)
        assert isinstance(again, ast.Try)
        assert isinstance(again.finalbody[0], ast.If)
        again.body, again.finalbody[0].body = self.block(inner, place, 0), node.finalbody
        return _made(f'{place} = 0', node), [again]

    def _try(self, node: ast.Try) -> tuple[list[ast.stmt], list[ast.stmt]]:
        branch, place = self.fresh('0'), self.fresh('0')
        later = list[ast.stmt]()
        for number, handler in enumerate(node.handlers, 1):
            if any(_yields(part) for part in handler.body):
                later.append(self._handled_later(handler, number, branch, place))
        [again] = _made(f'if {branch} == 0: pass', node)
        [attempt] = _made('try: pass\nfinally: pass', node)
        assert isinstance(again, ast.If)
        assert isinstance(attempt, ast.Try)
        attempt.body, attempt.handlers, attempt.finalbody = self.block(node.body, place, 0), node.handlers, []
        if node.orelse and any(_yields(part) for part in node.orelse):
            number = len(node.handlers) + 1
            attempt.orelse = _made(f'{branch} = {number}\n{place} = 0', node)
            later.append(self._when(branch, number, self.block(node.orelse, place, 0), node.orelse[0]))
        else:
            attempt.orelse = node.orelse
        again.body = [attempt]
        return _made(f'{branch} = 0\n{place} = 0', node), [again, *later]

    def _handled_later(self, handler: ast.ExceptHandler, number: int, branch: str, place: str) -> ast.stmt:
        """A handler that yields is left first; what it caught is kept."""
        kept, caught, body = self.fresh(), f'_error_{next(self._numbers)}', handler.body
        named = _made(f'{handler.name} = {kept}', body[0]) if handler.name else []
        body = [_Reraising(kept).within(part) for part in body]
        handler.name, handler.body = caught, _made(f'{kept} = {caught}\n{branch} = {number}\n{place} = 0', body[0])
        if handler.type is None:
            handler.type = ast.copy_location(ast.Name('BaseException', ast.Load()), body[0])
        return self._when(branch, number, self.block([*named, *body], place, 0), body[0])

    def _when(self, name: str, number: int, body: list[ast.stmt], node: ast.stmt) -> ast.stmt:
        test = ast.Name(f'{name} == {number}', ast.Load())
        return ast.copy_location(ast.If(test, body or [Line('pass', node.lineno)], []), node)

    def _set(self, name: str, number: int, node: ast.stmt) -> list[ast.stmt]:
        return [Line(f'{name} = {number}', node.lineno)]


class _Loop(ast.stmt):
    """A loop whose `else` stands behind it."""

    _fields = ('loop',)

    def __init__(self, loop: ast.For | ast.AsyncFor | ast.While, over: str) -> None:
        super().__init__()
        self.loop = loop
        self.over = over


class _Continuing(ast.NodeTransformer):
    """Lets `continue` begin the loop's body anew."""

    def __init__(self, place: str) -> None:
        self._place = place

    def within(self, node: ast.stmt) -> ast.stmt:
        changed = self.visit(node)
        assert isinstance(changed, ast.stmt)
        return changed

    def visit_Continue(self, node: ast.Continue) -> ast.stmt:
        [made] = _made(f'if True:\n    {self._place} = 0\n    continue', node)
        return made

    def visit(self, node: ast.AST) -> ast.AST:
        return node if isinstance(node, (*_SCOPES, ast.For, ast.AsyncFor, ast.While, ast.expr)) else super().visit(node)


class _Reraising(ast.NodeTransformer):
    """Lets a bare `raise` raise what was kept."""

    def __init__(self, kept: str) -> None:
        self._kept = kept

    def within(self, node: ast.stmt) -> ast.stmt:
        changed = self.visit(node)
        assert isinstance(changed, ast.stmt)
        return changed

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        return node if node.exc is not None else _made(f'raise {self._kept}', node)[0]

    def visit(self, node: ast.AST) -> ast.AST:
        return node if isinstance(node, (*_SCOPES, ast.ExceptHandler, ast.expr)) else super().visit(node)


class _Replaced(ast.NodeTransformer):
    """Puts a name in a node's place."""

    def __init__(self, old: ast.AST, name: str) -> None:
        self._old = old
        self._name = name

    def visit(self, node: ast.AST) -> ast.AST:
        return ast.Name(self._name, ast.Load()) if node is self._old else super().visit(node)


class _Collected(ast.NodeTransformer):
    """`[x async for x in xs]`, over values that are waited for first."""

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        self.generic_visit(node)
        if node.is_async:
            [made] = _made(f'await {_piece("collected")}(0)', ast.Pass(lineno=1, col_offset=0))
            assert isinstance(made, ast.Expr)
            assert isinstance(made.value, ast.Await)
            assert isinstance(made.value.value, ast.Call)
            made.value.value.args = [node.iter]
            node.iter, node.is_async = made.value, 0
        return node

    def visit(self, node: ast.AST) -> ast.AST:
        return node if isinstance(node, _SCOPES) else super().visit(node)


def _made(text: str, node: ast.stmt) -> list[ast.stmt]:
    """Statements in the node's line. `_` and `0` in them are there to be replaced."""
    body = module_of(text).body
    for part in (inner for statement in body for inner in ast.walk(statement)):
        if hasattr(part, 'lineno'):
            ast.copy_location(part, node)
    return body


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The lists of statements in a node, to be changed in place."""
    for _, value in ast.iter_fields(node):
        if isinstance(value, list):
            parts = cast('list[object]', value)
            if parts and isinstance(parts[0], ast.stmt):
                yield cast('list[ast.stmt]', value)
            yield from (part.body for part in parts if isinstance(part, (ast.ExceptHandler, ast.match_case)))


def _yields_itself(node: Generating) -> bool:
    return any(isinstance(part, _YIELDS) for part in _own_nodes(node.body))


def _yields(node: ast.AST) -> bool:
    if isinstance(node, _Loop):
        node = node.loop
    return isinstance(node, _YIELDS) or (
        not isinstance(node, _SCOPES) and any(isinstance(part, _YIELDS) for part in _own_nodes(children(node)))
    )


def _own_nodes(nodes: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """All nodes of a function, without those of functions in it."""
    waiting = list(nodes)[::-1]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _SCOPES):
            waiting += children(node.loop if isinstance(node, _Loop) else node)[::-1]


def _parameters(node: Generating) -> list[ast.arg]:
    given = node.args
    some = [argument for argument in (given.vararg, given.kwarg) if argument is not None]
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *some]


def _unique(declared: Sequence[ast.Global | ast.Nonlocal]) -> list[ast.stmt]:
    seen, kept = set[str](), list[ast.stmt]()
    for node in declared:
        node.names = [name for name in node.names if name not in seen]
        seen |= set(node.names)
        kept += [node] if node.names else []
    return kept


def _precedes(part: ast.AST, other: ast.AST) -> bool:
    if not isinstance(part, ast.expr) or not isinstance(other, ast.expr):
        return False
    return (part.lineno, part.col_offset) < (other.lineno, other.col_offset)


_INSIDE = (
    'A `yield` inside an expression is taken here only as `name = yield value`. '
    'Write that line first, then use the name.'
)
_ASYNC = frozenset(['AsyncGenerator', 'Stream', 'collected'])
_YIELDS = (ast.Yield, ast.YieldFrom)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_STILL = (ast.Name, ast.Attribute, ast.Constant)
_LACKING = (ast.Yield, ast.YieldFrom, ast.AsyncFor)
