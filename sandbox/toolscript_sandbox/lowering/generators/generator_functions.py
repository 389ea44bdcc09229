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
from typing import cast

from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.text.scopes import Scope, Scopes
from toolscript_sandbox.text.source import Edit
from toolscript_sandbox.text.syntax import all_of, module_of, walk

from .resumed_blocks import Blocks
from .written import Line, written
from .yields import SCOPES, Generating, Variables, made_as, own_nodes, piece_named, yields, yields_itself


def resumable(program: Program) -> Program:
    """The program with each generator function written as one that goes on where it stopped."""
    stops = [*all_of(program.tree, ast.Yield), *all_of(program.tree, ast.YieldFrom)]
    streams = [*all_of(program.tree, ast.AsyncFor)]
    if not stops and not streams and not any(loop.is_async for loop in all_of(program.tree, ast.comprehension)):
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
            generates = yields_itself(node)
            scope = self._scopes.opened[node]
            node.body = self.changed(node.body)
            return [self._generator(node, scope) if generates else node]
        for block in _blocks(node):
            block[:] = self.changed(block)
        _Collected().visit(node)
        return self._streamed(node) if isinstance(node, ast.AsyncFor) and not yields(node) else [node]

    def _streamed(self, node: ast.AsyncFor) -> list[ast.stmt]:
        stream = f'_stream_{next(self._numbers)}'
        opened, loop, value = made_as(
            f'{stream} = {piece_named("Stream")}(0)\nwhile await {stream}.more(): pass\n_ = {stream}.value', node
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
        variables = Variables(self._numbers)
        place = variables.fresh('0')
        body = Blocks(variables).block(node.body, place, 0)
        parameters = {argument.arg for argument in _parameters(node)}
        declared = [part for part in own_nodes(node.body) if isinstance(part, (ast.Global, ast.Nonlocal))]
        word, kind = ('async def', 'AsyncGenerator') if isinstance(node, ast.AsyncFunctionDef) else ('def', 'Generator')
        kept = [*names, *variables.starts]
        [step] = made_as(f'{word} _step(_it): pass', node)
        assert isinstance(step, (ast.FunctionDef, ast.AsyncFunctionDef))
        step.body = [Line(f'nonlocal {", ".join(kept)}', node.lineno), *_unique(declared), *body]
        unbound = [name for name in names if name not in parameters]
        start = [Line(f'if False: {" = ".join(unbound)} = None', node.lineno)] if unbound else []
        state = [Line('; '.join(f'{name} = {value}' for name, value in variables.starts.items()), node.lineno)]
        end = Line(f'return {piece_named(kind)}(_step, {node.name!r})', node.lineno)
        made = ast.FunctionDef(node.name, node.args, [*start, *state, step, end], node.decorator_list, node.returns)
        return ast.copy_location(made, node)


class _Collected(ast.NodeTransformer):
    """`[x async for x in xs]`, over values that are waited for first."""

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        self.generic_visit(node)
        if node.is_async:
            [made] = made_as(f'await {piece_named("collected")}(0)', ast.Pass(lineno=1, col_offset=0))
            assert isinstance(made, ast.Expr)
            assert isinstance(made.value, ast.Await)
            assert isinstance(made.value.value, ast.Call)
            made.value.value.args = [node.iter]
            node.iter, node.is_async = made.value, 0
        return node

    def visit(self, node: ast.AST) -> ast.AST:
        return node if isinstance(node, SCOPES) else super().visit(node)


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The lists of statements in a node, to be changed in place."""
    for _, value in ast.iter_fields(node):
        if isinstance(value, list):
            parts = cast('list[object]', value)
            if parts and isinstance(parts[0], ast.stmt):
                yield cast('list[ast.stmt]', value)
            yield from (part.body for part in parts if isinstance(part, (ast.ExceptHandler, ast.match_case)))


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


_LACKING = (ast.Yield, ast.YieldFrom, ast.AsyncFor)
