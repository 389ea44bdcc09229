"""Calls that are not awaited in place.

A function of the host that is called starts at once in Monty. In Python a coroutine starts when it is awaited, and
belongs to the task that does. So a call whose coroutine goes elsewhere first is put off until then, as are the calls of
a function that is used as a value. Done behind the checks, which are about the call as it was written.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from pydantic_monty import AsyncMontySession, MontyError

from toolscript_sandbox.contract.functions import HOST, Functions
from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.text.scopes import scopes_of
from toolscript_sandbox.text.source import Edit, Source
from toolscript_sandbox.text.syntax import Index, index_of
from toolscript_sandbox.values.crossing import to_json

PIECE = 'coroutines'
"""The guest module that puts calls off."""


def deferred(source: Source, hosts: Collection[str]) -> Iterator[Edit]:
    """The edits that put calls of these functions off."""
    index = index_of(source.tree)
    # Before Python 3.12 the tree does not say where the parts of an f-string are.
    for node in index.outside(_STRINGS):
        if isinstance(node, ast.Name) and node.id in hosts and isinstance(node.ctx, ast.Load):
            yield from _of_name(node, source, index)


def _of_name(name: ast.Name, source: Source, index: Index) -> Iterator[Edit]:
    outer = index.parents.get(name)
    call = outer if isinstance(outer, ast.Call) and outer.func is name else None
    # A parameter may have the function's name.
    if (call is not None and _is_awaited(call, index)) or scopes_of(source.tree).owner(name) is not None:
        return
    if call is not None:
        yield from _put_off(call, name.id, source)
    else:
        yield source.replace(name, f'{_piece("function")}({name.lineno}, {name.id.removeprefix(HOST)!r}, {name.id})')


def is_awaited(name: str, functions: Functions) -> bool:
    """Whether the name is one of a function of the host that must be awaited."""
    function = functions.get(name.removeprefix(HOST))
    return function is not None and not function.sequential


def defers(text: str) -> bool:
    """Whether the code to run puts calls off."""
    return f'_{PIECE}_later(' in text or f'_{PIECE}_function(' in text


async def left_behind(worker: AsyncMontySession) -> list[tuple[str, int]]:
    """The functions whose calls were not awaited, and the lines of the code that made the calls."""
    try:
        found = await worker.feed_run(f'{_piece("left")}()', skip_type_check=True)
    except MontyError:
        return []
    return [(str(name), int(line)) for name, line in to_json(found)]


def _is_awaited(node: ast.AST, index: Index) -> bool:
    """Whether what a node gives is awaited in place, maybe together with others."""
    outer = index.parents.get(node)
    if isinstance(outer, ast.Call) and _is_gather(outer.func):
        return node is not outer.func and _is_awaited(outer, index)
    if isinstance(outer, (ast.Starred, ast.ListComp, ast.GeneratorExp)):
        return not isinstance(node, ast.comprehension) and _is_awaited(outer, index)
    return isinstance(outer, ast.Await)


def _piece(name: str) -> str:
    version = guest(PIECE)
    assert version is not None
    return version.prefixed(name)


def _is_gather(func: ast.expr) -> bool:
    return (isinstance(func, ast.Attribute) and func.attr == 'gather') or (
        isinstance(func, ast.Name) and func.id == 'gather'
    )


def _put_off(call: ast.Call, name: str, source: Source) -> Iterator[Edit]:
    opening = source.text.index('(', source.end(call.func)) + 1
    yield Edit(source.start(call), opening, f'{_piece("later")}({call.lineno}, {name!r}, {name}, ')
    if len(call.args) == 1 and isinstance(call.args[0], ast.GeneratorExp) and not call.keywords:
        yield Edit(opening, opening, '(')
        yield Edit(source.end(call), source.end(call), ')')


_STRINGS = frozenset[type[ast.AST]]([ast.JoinedStr])
