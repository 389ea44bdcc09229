"""Generators that must stay lazy, endless ones and asynchronous ones, as functions that take one turn of their loop.

Monty has no `yield`. What the loop of a generator yields in one turn is collected; the next turn is taken when somebody
asks for more.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.text.names import bound_by
from toolscript_sandbox.text.source import NEW_LINE, Edit, Source
from toolscript_sandbox.text.syntax import children, walk

from .guest_modules import guest
from .program import Program

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Loop = ast.While | ast.For


def with_turns(program: Program) -> Program:
    """The snippet with its lazy generators, and what asks for their values, written without `yield`."""
    source, scene = program.source, program.scene
    nodes = walk(source.tree)
    edits = list[Edit]()
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and _is_lazy(node):
            scene.note(f'Let {node.name} take one turn at a time.')
            edits += _generator(node, source)
            edits += () if isinstance(node, ast.AsyncFunctionDef) else _counting(source)
        elif isinstance(node, ast.AsyncFor):
            edits += _asked(node, source)
        elif isinstance(node, ast.comprehension) and node.is_async:
            edits += _collected(node, source)
    if not edits:
        return program
    scene.pieces.add('generators')
    return program.edited(dict.fromkeys(edits))


def _piece(name: str) -> str:
    version = guest('generators')
    assert version is not None
    return version.prefixed(name)


def is_endless(part: ast.AST) -> bool:
    """Whether the node is a loop that nothing ends."""
    endless = isinstance(part, ast.While) and isinstance(part.test, ast.Constant) and bool(part.test.value)
    return endless and not any(isinstance(inner, (ast.Break, ast.Return)) for inner in walk(part))


def _is_lazy(node: _Function) -> bool:
    parts = list(_own(node))
    yields = [part for part in parts if isinstance(part, (ast.Yield, ast.YieldFrom))]
    statements = [part.value for part in parts if isinstance(part, ast.Expr)]
    if not yields or not all(part in statements for part in yields):
        return False
    return isinstance(node, ast.AsyncFunctionDef) or (_loop(node) is not None and any(map(is_endless, parts)))


def _loop(node: _Function) -> _Loop | None:
    """The loop that the function ends with, where that can be cut into turns."""
    last = node.body[-1]
    if not isinstance(last, (ast.While, ast.For)) or last.orelse or last.body[0].lineno == last.lineno:
        return None
    return last


def _generator(node: _Function, source: Source) -> Iterator[Edit]:
    first, last, loop = node.body[0], node.body[-1], _loop(node)
    glue = NEW_LINE + ' ' * first.col_offset if first.lineno > node.lineno else '; '
    names = sorted(_variables(node) - _declared(node) - _parameters(node))
    start = f'{" = ".join(names)} = None{glue}' if names and loop is not None else ''
    yield Edit(source.start(first), source.start(first), f'_yielded = []{glue}{start}')
    done = 'return _yielded' if loop is None else f'return {_piece(_KINDS[type(node)])}(_turn, _yielded)'
    closing = '' if loop is None else f'{NEW_LINE}{" " * loop.body[0].col_offset}return True'
    yield from _values(node, source)
    yield Edit(source.end(last), source.end(last), f'{closing}{glue}{done}')
    if loop is not None:
        yield from _turn(node, loop, source)


def _values(node: _Function, source: Source) -> Iterator[Edit]:
    """What is yielded, collected."""
    loop = _loop(node)
    in_loop = set(walk(loop)) if loop is not None else set[ast.AST]()
    for part in _own(node):
        match part:
            case ast.Expr(value=ast.Yield(value=value)):
                yield from _wrapped(part, value, '_yielded.append((', source)
            case ast.Expr(value=ast.YieldFrom(value=value)):
                yield from _wrapped(part, value, '_yielded.extend((', source)
            case ast.Return():
                yield source.replace(part, 'return False' if part in in_loop else 'return _yielded')
            case _:
                pass


def _wrapped(statement: ast.Expr, value: ast.expr | None, before: str, source: Source) -> Iterator[Edit]:
    if value is None:
        yield source.replace(statement, f'{before}None))')
    else:
        yield Edit(source.start(statement), source.start(value), before)
        yield Edit(source.end(value), source.end(statement), '))')


def _turn(node: _Function, loop: _Loop, source: Source) -> Iterator[Edit]:
    """The loop as a function that returns whether there may be another turn."""
    first = loop.body[0]
    glue = NEW_LINE + ' ' * first.col_offset
    outside = [part for part in node.body if part is not loop]
    kept = _variables(node) - _declared(node)
    lines = [f'nonlocal {", ".join(sorted(kept))}'] if kept else []
    lines += [
        f'{type(part).__name__.lower()} {", ".join(part.names)}' for part in outside if isinstance(part, _DECLARING)
    ]
    word = 'async def' if isinstance(node, ast.AsyncFunctionDef) else 'def'
    head = f'{word} _turn():'
    if isinstance(loop, ast.For):
        head = f'_items = iter({source.segment(loop.iter)}){NEW_LINE}{" " * loop.col_offset}{head}'
        lines += ['_item = next(_items, _yielded)', 'if _item is _yielded: return False']
        lines += [f'{source.segment(loop.target)} = _item']
    else:
        lines += [f'if not ({source.segment(loop.test)}): return False']
    end = source.end(loop.iter if isinstance(loop, ast.For) else loop.test)
    yield Edit(source.start(loop), source.text.index(':', end) + 1, head)
    yield Edit(source.start(first), source.start(first), ''.join(f'{line}{glue}' for line in lines))
    for part in _of_loop(loop):
        yield source.replace(part, 'return True' if isinstance(part, ast.Continue) else 'return False')


def _of_loop(node: ast.AST) -> Iterator[ast.Break | ast.Continue]:
    for child in children(node):
        if isinstance(child, (ast.Break, ast.Continue)):
            yield child
        elif not isinstance(child, (ast.For, ast.AsyncFor, ast.While, *_SCOPES)):
            yield from _of_loop(child)


def _asked(node: ast.AsyncFor, source: Source) -> Iterator[Edit]:
    """`async for`, as a loop that asks for one value after the other."""
    stream, indent, first = f'_stream_{node.lineno}', ' ' * node.col_offset, node.body[0]
    head = f'{stream} = {_piece("Stream")}({source.segment(node.iter)}){NEW_LINE}{indent}while await {stream}.more():'
    yield Edit(source.start(node), source.text.index(':', source.end(node.iter)) + 1, head)
    glue = NEW_LINE + ' ' * first.col_offset if first.lineno > node.lineno else '; '
    yield Edit(source.start(first), source.start(first), f'{source.segment(node.target)} = {stream}.value{glue}')


def _collected(node: ast.comprehension, source: Source) -> Iterator[Edit]:
    word = source.text.rindex('async', 0, source.start(node.target))
    yield Edit(word, word + len('async '), '')
    yield from source.wrap(node.iter, f'(await {_piece("collected")}(', '))')


def _counting(source: Source) -> Iterator[Edit]:
    """`enumerate`, which would ask for all values at once."""
    for node in walk(source.tree):
        match node:
            case ast.Call(func=ast.Name(id='enumerate') as func):
                yield source.replace(func, _piece('counted'))
            case _:
                pass


def _own(node: ast.AST) -> Iterator[ast.AST]:
    for child in children(node):
        yield child
        if not isinstance(child, _SCOPES):
            yield from _own(child)


def _variables(node: _Function) -> set[str]:
    inner = {part for made in _own(node) if isinstance(made, _COMPREHENSIONS) for part in walk(made)}
    return _parameters(node) | {name for part in _own(node) if part not in inner for name in bound_by(part)}


def _parameters(node: _Function) -> set[str]:
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    return {argument.arg for argument in every if argument is not None}


def _declared(node: _Function) -> set[str]:
    return {name for part in _own(node) if isinstance(part, _DECLARING) for name in part.names}


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_DECLARING = (ast.Global, ast.Nonlocal)
_KINDS: dict[type[_Function], str] = {ast.FunctionDef: 'Turns', ast.AsyncFunctionDef: 'AsyncTurns'}
