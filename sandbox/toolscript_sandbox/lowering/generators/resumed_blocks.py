"""Blocks of statements that can be entered again, down to the place where a generator stopped."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from toolscript_sandbox.text.refusals import Refused, refusal

from .single_yields import with_single_yields
from .written import Line
from .yields import SCOPES, LoopWithElse, Variables, made_as, native_named, piece_named, yields


class Blocks:
    """One generator function: its blocks, each with the place where it stands."""

    def __init__(self, variables: Variables) -> None:
        self._variables = variables

    def block(self, body: Sequence[ast.stmt], place: str, at: int) -> list[ast.stmt]:
        """Statements that can be entered again; `place` says before which of them, `at` at the first."""
        result, plain = list[ast.stmt](), list[ast.stmt]()
        for node in with_single_yields(body, self._variables):
            if not yields(node):
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

    def _parts(self, node: ast.stmt, place: str, at: int) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """What is done before the place is reached, and what there, each time."""
        match node:
            case ast.Expr(value=ast.Yield() as given) | ast.Assign(value=ast.Yield() as given):
                return self._yield(node, given, place, at)
            case ast.AnnAssign(value=ast.Yield() as given):
                return self._yield(ast.copy_location(ast.Assign([node.target], given), node), given, place, at)
            case ast.Expr(value=ast.YieldFrom() as given) | ast.Assign(value=ast.YieldFrom() as given):
                return self._delegate(node, given)
            case LoopWithElse():
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
        inner = self._variables.fresh()
        [made] = made_as(f'{inner} = {piece_named("Delegate")}(0)', node)
        assert isinstance(made, ast.Assign)
        assert isinstance(made.value, ast.Call)
        made.value.args = [given.value]
        again = made_as(f'if {inner}.goes_on(_it): return _it.gives({inner}.value)\n_ = {inner}.value', node)
        last = again.pop()
        if isinstance(node, ast.Assign):
            assert isinstance(last, ast.Assign)
            last.targets = node.targets
            again.append(last)
        return [made], again

    def _loop(
        self, node: ast.For | ast.AsyncFor | ast.While, over: str | None
    ) -> tuple[list[ast.stmt], list[ast.stmt]]:
        place = self._variables.fresh('0')
        ended = f'{over} = True; ' if over else ''
        before: list[ast.stmt] = [Line(f'{place} = 0' + (f'; {over} = False' if over else ''), node.lineno)]
        if isinstance(node, ast.While):
            opening: list[ast.stmt] = [Line(f'if not ({ast.unparse(node.test)}): {ended}break', node.lineno)]
        else:
            items = self._variables.fresh()
            asks = isinstance(node, ast.AsyncFor)
            made = f'{items} = {piece_named("Stream") if asks else native_named("iter")}({ast.unparse(node.iter)})'
            before.append(Line(made, node.lineno))
            item = f'{items}.value' if asks else f'_item_{place}'
            stop = f'{over} = True; break' if over else 'break'
            if asks:
                lines = [f'if not await {items}.more(): {stop}']
            else:
                end = piece_named('END')
                lines = [f'{item} = {native_named("next")}({items}, {end})', f'if {item} is {end}: {stop}']
            lines.append(f'{ast.unparse(node.target)} = {item}')
            opening = [Line(line, node.lineno) for line in lines]
        opening += self._set(place, 1, node)
        body = [_Continuing(place).within(part) for part in node.body]
        loop = ast.copy_location(ast.While(ast.Constant(True), [], []), node)
        loop.body = [self._when(place, 0, opening, node), *self.block(body, place, 1), *self._set(place, 0, node)]
        return before, [loop]

    def _if(self, node: ast.If) -> tuple[list[ast.stmt], list[ast.stmt]]:
        branch, place = self._variables.fresh(), self._variables.fresh('0')
        [chosen, start] = made_as(f'{branch} = bool(0)\n{place} = 0', node)
        assert isinstance(chosen, ast.Assign)
        assert isinstance(chosen.value, ast.Call)
        chosen.value = ast.copy_location(ast.IfExp(node.test, ast.Constant(True), ast.Constant(False)), node)
        [again] = made_as(f'if {branch}: pass', node)
        assert isinstance(again, ast.If)
        again.body = self.block(node.body, place, 0)
        again.orelse = self.block(node.orelse, place, 0)
        return [chosen, start], [again]

    def _match(self, node: ast.Match) -> tuple[list[ast.stmt], list[ast.stmt]]:
        branch, place = self._variables.fresh('0'), self._variables.fresh('0')
        before, again = made_as(f'{branch} = 0\n{place} = 0', node), list[ast.stmt]()
        for number, case in enumerate(node.cases, 1):
            again.append(self._when(branch, number, self.block(case.body, place, 0), case.body[0]))
            case.body = self._set(branch, number, case.body[0])
        return [*before, node], again

    def _finally(self, node: ast.Try) -> tuple[list[ast.stmt], list[ast.stmt]]:
        if any(yields(part) for part in node.finalbody):
            message = 'A `yield` inside `finally` cannot be had here. Yield before or after the `try`.'
            raise Refused([refusal(node.finalbody[0], message)])
        place = self._variables.fresh('0')
        inner: list[ast.stmt] = node.body
        if node.handlers:
            inner = [ast.copy_location(ast.Try(node.body, node.handlers, node.orelse, []), node)]
        [again] = made_as('try: pass\nfinally:\n    if not _it.waits: pass', node)
        assert isinstance(again, ast.Try)
        assert isinstance(again.finalbody[0], ast.If)
        again.body, again.finalbody[0].body = self.block(inner, place, 0), node.finalbody
        return made_as(f'{place} = 0', node), [again]

    def _try(self, node: ast.Try) -> tuple[list[ast.stmt], list[ast.stmt]]:
        branch, place = self._variables.fresh('0'), self._variables.fresh('0')
        later = list[ast.stmt]()
        for number, handler in enumerate(node.handlers, 1):
            if any(yields(part) for part in handler.body):
                later.append(self._handled_later(handler, number, branch, place))
        [again] = made_as(f'if {branch} == 0: pass', node)
        [attempt] = made_as('try: pass\nfinally: pass', node)
        assert isinstance(again, ast.If)
        assert isinstance(attempt, ast.Try)
        attempt.body, attempt.handlers, attempt.finalbody = self.block(node.body, place, 0), node.handlers, []
        if node.orelse and any(yields(part) for part in node.orelse):
            number = len(node.handlers) + 1
            attempt.orelse = made_as(f'{branch} = {number}\n{place} = 0', node)
            later.append(self._when(branch, number, self.block(node.orelse, place, 0), node.orelse[0]))
        else:
            attempt.orelse = node.orelse
        again.body = [attempt]
        return made_as(f'{branch} = 0\n{place} = 0', node), [again, *later]

    def _handled_later(self, handler: ast.ExceptHandler, number: int, branch: str, place: str) -> ast.stmt:
        """A handler that yields is left first; what it caught is kept."""
        kept, caught, body = self._variables.fresh(), self._variables.error(), handler.body
        named = made_as(f'{handler.name} = {kept}', body[0]) if handler.name else []
        body = [_Reraising(kept).within(part) for part in body]
        handler.name, handler.body = caught, made_as(f'{kept} = {caught}\n{branch} = {number}\n{place} = 0', body[0])
        if handler.type is None:
            handler.type = ast.copy_location(ast.Name('BaseException', ast.Load()), body[0])
        return self._when(branch, number, self.block([*named, *body], place, 0), body[0])

    def _when(self, name: str, number: int, body: list[ast.stmt], node: ast.stmt) -> ast.stmt:
        test = ast.Name(f'{name} == {number}', ast.Load())
        return ast.copy_location(ast.If(test, body or [Line('pass', node.lineno)], []), node)

    def _set(self, name: str, number: int, node: ast.stmt) -> list[ast.stmt]:
        return [Line(f'{name} = {number}', node.lineno)]


class _Continuing(ast.NodeTransformer):
    """Lets `continue` begin the loop's body anew."""

    def __init__(self, place: str) -> None:
        self._place = place

    def within(self, node: ast.stmt) -> ast.stmt:
        changed = self.visit(node)
        assert isinstance(changed, ast.stmt)
        return changed

    def visit_Continue(self, node: ast.Continue) -> ast.stmt:
        [made] = made_as(f'if True:\n    {self._place} = 0\n    continue', node)
        return made

    def visit(self, node: ast.AST) -> ast.AST:
        return node if isinstance(node, (*SCOPES, ast.For, ast.AsyncFor, ast.While, ast.expr)) else super().visit(node)


class _Reraising(ast.NodeTransformer):
    """Lets a bare `raise` raise what was kept."""

    def __init__(self, kept: str) -> None:
        self._kept = kept

    def within(self, node: ast.stmt) -> ast.stmt:
        changed = self.visit(node)
        assert isinstance(changed, ast.stmt)
        return changed

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        return node if node.exc is not None else made_as(f'raise {self._kept}', node)[0]

    def visit(self, node: ast.AST) -> ast.AST:
        return node if isinstance(node, (*SCOPES, ast.ExceptHandler, ast.expr)) else super().visit(node)
