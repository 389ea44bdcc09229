"""Calls that are not awaited where they stand.

A function of the host that is called starts at once in Monty. In Python a coroutine starts when somebody awaits it, and
belongs to the task that does. So a call whose coroutine goes elsewhere first is put off until then, as are the calls of
a function that is kept as a value. Done behind the checks, which are about the call as it was written.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from pydantic_monty import AsyncMontySession, MontyError

from toolscript_sandbox.contract.functions import HOST, Functions
from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.text.scopes import scopes_of
from toolscript_sandbox.text.source import Edit, Source
from toolscript_sandbox.text.syntax import children

from .values import to_json

PIECE = 'coroutines'
"""The guest module that puts calls off."""


def deferred(source: Source, hosts: Collection[str]) -> Iterator[Edit]:
    """The edits that put calls of these functions off."""
    scopes = scopes_of(source.tree)
    for name in _kept(source.tree):
        if name.id in hosts and scopes.owner(name) is None:
            yield source.replace(
                name, f'{_piece("function")}({name.lineno}, {name.id.removeprefix(HOST)!r}, {name.id})'
            )
    for call in _values(source.tree, awaited=False):
        # A parameter may have the function's name.
        if isinstance(call.func, ast.Name) and call.func.id in hosts and scopes.owner(call.func) is None:
            yield from _put_off(call, call.func.id, source)


def called(tree: ast.Module) -> set[str]:
    """The names of what is called without being awaited where it stands."""
    return {call.func.id for call in _values(tree, awaited=False) if isinstance(call.func, ast.Name)}


def kept(tree: ast.Module) -> set[str]:
    """The names of what is a value, and may be called where nobody sees its name."""
    return {name.id for name in _kept(tree)}


def is_awaited(name: str, functions: Functions) -> bool:
    """Whether the name is one of a function of the host that must be awaited."""
    function = functions.get(name.removeprefix(HOST))
    return function is not None and not function.sequential


def defers(text: str) -> bool:
    """Whether the code to run puts calls off."""
    return f'_{PIECE}_later(' in text or f'_{PIECE}_function(' in text


async def left_behind(worker: AsyncMontySession) -> list[tuple[str, int]]:
    """The functions whose calls nobody awaited, and the lines of the code that made the calls."""
    try:
        found = await worker.feed_run(f'{_piece("left")}()', skip_type_check=True)
    except MontyError:
        return []
    return [(str(name), int(line)) for name, line in to_json(found)]


def _values(node: ast.AST, *, awaited: bool) -> Iterator[ast.Call]:
    if isinstance(node, ast.JoinedStr):
        return  # Before Python 3.12 the tree does not say where its parts are.
    if isinstance(node, ast.Call) and not awaited:
        yield node
    gathers = isinstance(node, ast.Call) and awaited and _is_gather(node.func)
    comprehends = awaited and isinstance(node, (ast.Starred, ast.ListComp, ast.GeneratorExp))
    for child in children(node):
        kept = isinstance(node, ast.Await) or (gathers and child is not getattr(node, 'func', None))
        element = comprehends and not isinstance(child, ast.comprehension)
        yield from _values(child, awaited=kept or element)


def _kept(node: ast.AST) -> Iterator[ast.Name]:
    if isinstance(node, ast.JoinedStr):
        return
    for child in children(node):
        if isinstance(child, ast.Name):
            if isinstance(child.ctx, ast.Load) and not (isinstance(node, ast.Call) and node.func is child):
                yield child
        else:
            yield from _kept(child)


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
