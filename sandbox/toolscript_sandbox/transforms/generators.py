"""Generator functions, which Monty lacks, as functions that resume where they stopped; and `async for`.

The object that a generator function returns has a function `step` that runs to the next `yield`. The generator's
variables live outside of `step`. Each block of statements that yields has a variable with the number of the statement
where it stopped, and `step` re-enters the blocks down to that statement. So `try`, loops and conditions keep their
form, and a generator survives Monty's dumps, like closures.

Each `for` and `with` around a `yield` is first rewritten as `while` and `try`.

Refused: a `yield` that is not a statement or the value of `name =`, and one in `finally`.
"""

import ast
from collections.abc import Sequence
from types import MappingProxyType

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.refusals import Refused, refusal
from toolscript_sandbox.language.scopes import bound_by
from toolscript_sandbox.language.syntax import children, own_nodes, walk

from .closing import yields
from .contexts import written_out
from .iteration import in_steps, while_next
from .transform import Context, Renaming
from .tree import Transformer, constant, placed, quoted, quoted_expression, set_changed

FACT = 'generators'
"""The session has generators."""
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Generators(Renaming):
    feature = 'generator functions, and loops over asynchronous iterators'
    after = ('exceptions', 'comparisons', 'provided_names')

    @staticmethod
    def needed(analysis: Analysis) -> bool:
        if analysis.kinds & {ast.Yield, ast.YieldFrom, ast.AsyncFor}:
            return True
        if not analysis.meant.isdisjoint(['builtins.anext', 'builtins.aiter']):
            return True
        if analysis.has(FACT) and not analysis.meant.isdisjoint(_ENDS):
            return True
        return any(loop.is_async for loop in analysis.all(ast.comprehension))

    names = MappingProxyType({f'builtins.{name}': f'_generators__{name}' for name in ('anext', 'aiter')})

    def applied(self, tree: ast.Module) -> ast.Module:
        self._context.facts.add(FACT)
        tree = self.below(tree)
        if self._context.has('exceptions'):
            tree.body[:0] = quoted('_exceptions__own', tree.body[0])
        return tree

    def visit_FunctionDef(self, node: _Function) -> ast.AST:
        generates = yields(*node.body)
        node = self.below(node)
        return _Generator(self._context, node).function() if generates else node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        if yields(node.body):
            raise Refused([refusal(node, 'A `lambda` cannot yield here. Write a function with `def`.')])
        return self.below(node)

    def visit_AsyncFor(self, node: ast.AsyncFor) -> list[ast.stmt]:
        node = self.below(node)
        stream = self._context.fresh('stream')
        return quoted(
            'STREAM = _generators__Stream(ITER)\n'
            'while await STREAM.more():\n TARGET = STREAM.value\n BODY\nelse: ORELSE',
            node,
            STREAM=stream,
            ITER=node.iter,
            TARGET=node.target,
            BODY=node.body,
            ORELSE=node.orelse,
        )

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.DictComp) -> ast.AST:
        return in_steps(self.below(node), self._context, lambda loop: bool(loop.is_async), _STREAM)

    visit_SetComp = visit_DictComp = visit_ListComp


class _Generator:
    """Rewrites one generator function, whose own `for`, `with` and `yield` have not been changed yet."""

    def __init__(self, context: Context, node: _Function) -> None:
        self._context = context
        self._node = node
        self._it = context.fresh('it')
        self._places = list[str]()
        """The generated variables with the numbers, from 0, of the statements to resume at."""

    def function(self) -> ast.AST:
        node = self._node
        body = self._block(node.body, self._place())
        declared = [part for part in own_nodes(node.body) if isinstance(part, (ast.Global, ast.Nonlocal))]
        elsewhere = {name for part in declared for name in part.names}
        arguments = [part.arg for part in children(node.args) if isinstance(part, ast.arg)]
        inner = sorted(_bound(body) - elsewhere - {*self._places, *arguments})
        names = [placed(type(part)([*part.names]), node) for part in declared]
        word, kind = ('async def', 'AsyncGenerator') if isinstance(node, ast.AsyncFunctionDef) else ('def', 'Generator')
        new = quoted(
            f'if False: UNBOUND\nSTATE\n{word} STEP(IT):\n NAMES\n BODY\nreturn _generators__{kind}(STEP, NAME)',
            node,
            UNBOUND=[part for name in inner or ['_'] for part in quoted('NAME = None', node, NAME=name)],
            STATE=[part for name in self._places for part in self._set(name, 0, node)],
            STEP=self._context.fresh('step'),
            IT=self._it,
            NAMES=[*names, placed(ast.Nonlocal([*arguments, *inner, *self._places]), node)],
            BODY=body,
            NAME=constant(node.name, node),
        )
        return placed(ast.FunctionDef(node.name, node.args, new, node.decorator_list, node.returns), node)

    def _place(self) -> str:
        self._places.append(self._context.fresh('at'))
        return self._places[-1]

    def _set(self, place: str, number: int, at: ast.AST) -> list[ast.stmt]:
        return quoted('P = N', at, P=place, N=constant(number, at))

    def _when(self, place: str, number: int, body: list[ast.stmt]) -> list[ast.stmt]:
        return quoted('if P == N: BODY', body[0], P=place, N=ast.Constant(number), BODY=body) if body else []

    def _block(self, body: Sequence[ast.stmt], place: str) -> list[ast.stmt]:
        """Make statements re-enterable: `place` is the variable with the number, from 0, of the one to resume at."""
        result, number = list[ast.stmt](), 0
        chunk = list[ast.stmt]()
        for node in (part for statement in body for part in self._simpler(statement)):
            if isinstance(node, (ast.Global, ast.Nonlocal)):
                continue
            if not yields(node):
                chunk.append(node)
                continue
            before, again = self._resumed(node, self._set(place, number + 1, node))
            result += self._when(place, number, [*chunk, *before])
            number += 1
            chunk = again
            if not isinstance(node, (ast.Expr, ast.Assign)):
                # This statement is itself re-entered; a chunk may start with the value received by a `yield`.
                result += self._when(place, number, [*chunk, *self._set(place, number + 1, node)])
                number, chunk = number + 1, []
        return result + self._when(place, number, [*chunk, *self._set(place, number + 1, chunk[-1])] if chunk else [])

    def _simpler(self, node: ast.stmt) -> list[ast.stmt]:
        """Rewrite the statement as statements that `_resumed` supports, each with at most one `yield`."""
        if not yields(node):
            return [node]
        match node:
            case (
                ast.Expr(value=ast.Yield() | ast.YieldFrom() as given)
                | ast.Assign(value=ast.Yield() | ast.YieldFrom() as given)
            ) if not yields(*children(given)):
                return [node]
            case ast.For() | ast.While() if yields(*node.orelse):
                done = self._context.fresh('done')
                last, node.orelse = node.orelse, quoted('DONE = True', node, DONE=done)
                parts = quoted(
                    'DONE = False\nLOOP\nif DONE: LAST', node, DONE=done, LOOP=[set_changed(node)], LAST=last
                )
            case ast.For() if not yields(node.iter):
                return while_next(node, self._context)
            case ast.With() | ast.AsyncWith() if not yields(*node.items):
                return written_out(node, self._context)
            case ast.While() if not yields(node.test):
                return [node]
            case ast.If(test=asked) | ast.Match(subject=asked) if not yields(asked):
                return [node]
            case ast.Try() if not yields(*node.finalbody):
                return [node]
            case _:
                raise Refused([refusal(node, _INSIDE)])
        return [one for part in parts for one in self._simpler(part)]

    def _resumed(self, node: ast.stmt, here: list[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """Return the statements up to the place where the generator stops, and those for each resume there."""
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
                inside = self._place()
                again = quoted(
                    'while IT.resumes or TEST:\n if not IT.resumes: P = 0\n BODY\nelse: ORELSE',
                    node,
                    IT=self._it,
                    P=inside,
                    TEST=node.test,
                    BODY=self._block(node.body, inside),
                    ORELSE=node.orelse,
                )
                return here, again
            case ast.If():
                return self._branches(node, [(node, 'body'), (node, 'orelse')], here)
            case ast.Match():
                return self._branches(node, [(case, 'body') for case in node.cases], here)
            case ast.Try() if node.finalbody:
                return self._finally(node, here)
            case _:
                assert isinstance(node, ast.Try)
                return self._try(node, here)

    def _branches(
        self, node: ast.stmt, branches: list[tuple[ast.AST, str]], here: list[ast.stmt]
    ) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """Rewrite a statement so that it first chooses a branch, and then enters it."""
        branch, inside = self._place(), self._place()
        again = list[ast.stmt]()
        for number, (holder, field) in enumerate(branches, 1):
            body: list[ast.stmt] = getattr(holder, field)
            if body:
                again += self._when(branch, number, self._block(body, inside))
                setattr(holder, field, self._set(branch, number, body[0]))
        return [*quoted('B = P = 0', node, B=branch, P=inside), set_changed(node), *here], again

    def _finally(self, node: ast.Try, here: list[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]]:
        inside, inner = self._place(), node.body
        if node.handlers:
            inner = [placed(ast.Try(node.body, node.handlers, node.orelse, []), node)]
        again = quoted(
            'try: BODY\nfinally:\n if not IT.waits: FINAL',
            node,
            BODY=self._block(inner, inside),
            IT=self._it,
            FINAL=node.finalbody,
        )
        return [*self._set(inside, 0, node), *here], again

    def _try(self, node: ast.Try, here: list[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]]:
        branch, inside = self._place(), self._place()
        later = list[ast.stmt]()
        for number, handler in enumerate(node.handlers, 1):
            if yields(*handler.body):
                later += self._handled(handler, number, branch, inside)
        orelse = node.orelse
        if yields(*orelse):
            number = len(node.handlers) + 1
            later += self._when(branch, number, self._block(orelse, inside))
            orelse = quoted('B = N\nP = 0', orelse[0], B=branch, N=ast.Constant(number), P=inside)
        attempt = placed(ast.Try(self._block(node.body, inside), node.handlers, orelse, []), node)
        again = self._when(branch, 0, [attempt])
        return [*quoted('B = P = 0', node, B=branch, P=inside), *here], [*again, *later]

    def _handled(self, handler: ast.ExceptHandler, number: int, branch: str, inside: str) -> list[ast.stmt]:
        """Move the body of a handler that yields behind the `try`, and save the error that it caught."""
        caught, error = self._context.fresh('caught'), self._context.fresh('error')
        first = handler.body[0]
        named = quoted('NAME = CAUGHT', first, NAME=handler.name, CAUGHT=caught) if handler.name else []
        body = self._block([*named, *_Reraises(caught).body(handler.body)], inside)
        handler.type = handler.type or quoted_expression('BaseException', first)
        handler.name = error
        handler.body = quoted(
            'CAUGHT = E\nB = N\nP = 0', first, CAUGHT=caught, E=error, B=branch, N=ast.Constant(number), P=inside
        )
        return self._when(branch, number, body)


class _Reraises(Transformer):
    """Makes a bare `raise` raise the saved error."""

    def __init__(self, caught: str) -> None:
        self._caught = caught

    def visit(self, node: ast.AST) -> ast.AST | list[ast.stmt]:
        if isinstance(node, ast.Raise) and node.exc is None:
            return quoted('raise CAUGHT', node, CAUGHT=self._caught)
        return node if isinstance(node, (*_SCOPES, ast.ExceptHandler, ast.expr)) else super().visit(node)


def _bound(body: Sequence[ast.stmt]) -> set[str]:
    """Return the names that statements of a function bind, without those of comprehensions."""
    nodes = [*own_nodes(body)]
    theirs = {part for node in nodes if isinstance(node, ast.comprehension) for part in walk(node.target)}
    return {name for node in nodes if node not in theirs for name in bound_by(node)}


_ENDS = frozenset(['builtins.StopIteration', 'builtins.StopAsyncIteration', 'builtins.GeneratorExit'])
"""Errors that generators raise and that handlers of the script may catch."""
_STREAM = '[0 for S in [_generators__Stream(ITER)] for _ in S if await S.more() for TARGET in [S.value]]'
_INSIDE = (
    'A `yield` cannot be inside another expression or in `finally` here. Write `name = yield value` on a line of '
    'its own before, then use the name.'
)
