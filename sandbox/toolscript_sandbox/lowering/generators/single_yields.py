"""Statements of which each has at most one `yield`, in a place where a generator can stop and go on."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.syntax import walk

from .yields import YIELDS, LoopWithElse, Variables, made_as, own_nodes, yields


def with_single_yields(body: Sequence[ast.stmt], variables: Variables) -> Iterator[ast.stmt]:
    """The statements, each with at most one `yield`, where the blocks know it."""
    for node in body:
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            continue
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)) and node.orelse and yields(node):
            over, orelse = variables.fresh('False'), node.orelse
            node.orelse = []
            loop = ast.copy_location(LoopWithElse(node, over), node)
            yield loop
            yield ast.copy_location(ast.If(ast.Name(over, ast.Load()), orelse, []), node)
        elif isinstance(node, (ast.With, ast.AsyncWith)) and yields(node):
            yield from _entered(node, variables)
        elif isinstance(node, (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.If)):
            yield from _taken_out(node, variables)
        else:
            yield node


def _taken_out(node: ast.stmt, variables: Variables) -> Iterator[ast.stmt]:
    """`x = f((yield y))` as `y_1 = yield y` and `x = f(y_1)`."""
    value = node.test if isinstance(node, ast.If) else getattr(node, 'value', None)
    if (
        value is None
        or not yields(value)
        or (isinstance(value, YIELDS) and not isinstance(node, (ast.Return, ast.AugAssign, ast.If)))
    ):
        yield node
        return
    found = [part for part in own_nodes([value]) if isinstance(part, YIELDS)]
    holder = [part for part in walk(value) if found[0] in walk(part)]
    before = [
        part for part in walk(value) if part not in holder and part not in walk(found[0]) and _precedes(part, found[0])
    ]
    hidden = any(isinstance(part, (ast.BoolOp, ast.IfExp, ast.Compare, *_COMPREHENSIONS)) for part in holder)
    still = all(isinstance(part, _STILL) for part in before)
    if len(found) > 1 or hidden or isinstance(node, ast.AugAssign) or not still:
        raise Refused([refusal(found[0], _INSIDE)])
    kept = variables.fresh()
    yield ast.copy_location(ast.Assign([ast.Name(kept, ast.Store())], found[0]), node)
    _Replaced(found[0], kept).generic_visit(node)
    yield node


def _entered(node: ast.With | ast.AsyncWith, variables: Variables) -> list[ast.stmt]:
    item = node.items[0]
    inner: list[ast.stmt] = node.body
    if len(node.items) > 1:
        rest: ast.stmt = ast.copy_location(type(node)(node.items[1:], node.body), node)
        inner = [rest]
    manager, fine = variables.fresh(), variables.fresh('True')
    error = variables.error()
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
    made, entered, start, attempt = made_as(text, node)
    assert isinstance(made, ast.Assign)
    assert isinstance(entered, ast.Assign)
    assert isinstance(attempt, ast.Try)
    made.value = item.context_expr
    first: ast.stmt = ast.copy_location(ast.Expr(entered.value), node)
    if item.optional_vars is not None:
        entered.targets, first = [item.optional_vars], entered
    attempt.body = inner
    return [made, first, start, *with_single_yields([attempt], variables)]


class _Replaced(ast.NodeTransformer):
    """Puts a name in a node's place."""

    def __init__(self, old: ast.AST, name: str) -> None:
        self._old = old
        self._name = name

    def visit(self, node: ast.AST) -> ast.AST:
        return ast.Name(self._name, ast.Load()) if node is self._old else super().visit(node)


def _precedes(part: ast.AST, other: ast.AST) -> bool:
    if not isinstance(part, ast.expr) or not isinstance(other, ast.expr):
        return False
    return (part.lineno, part.col_offset) < (other.lineno, other.col_offset)


_INSIDE = (
    'A `yield` inside an expression is taken here only as `name = yield value`. '
    'Write that line first, then use the name.'
)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_STILL = (ast.Name, ast.Attribute, ast.Constant)
