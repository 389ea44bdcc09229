"""Where a function yields, and what is written in the place of a statement that does."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from toolscript_sandbox.lowering.guest_modules import NATIVES, guest
from toolscript_sandbox.text.syntax import children, module_of

Generating: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


class Variables:
    """Those that one generator function needs for itself."""

    def __init__(self, numbers: Iterator[int]) -> None:
        self.starts: dict[str, str] = {}
        """What they are at the start, by their names."""
        self._numbers = numbers

    def fresh(self, start: str = 'None') -> str:
        """One more."""
        name = f'_at_{next(self._numbers)}'
        self.starts[name] = start
        return name

    def error(self) -> str:
        """The name of what a handler catches."""
        return f'_error_{next(self._numbers)}'


class LoopWithElse(ast.stmt):
    """A loop whose `else` stands behind it."""

    _fields = ('loop',)

    def __init__(self, loop: ast.For | ast.AsyncFor | ast.While, over: str) -> None:
        super().__init__()
        self.loop = loop
        self.over = over


def yields_itself(node: Generating) -> bool:
    """Whether it is a generator function."""
    return any(isinstance(part, YIELDS) for part in own_nodes(node.body))


def yields(node: ast.AST) -> bool:
    """Whether a statement, or an expression, yields."""
    if isinstance(node, LoopWithElse):
        node = node.loop
    return isinstance(node, YIELDS) or (
        not isinstance(node, SCOPES) and any(isinstance(part, YIELDS) for part in own_nodes(children(node)))
    )


def own_nodes(nodes: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """All nodes of a function, without those of functions in it."""
    waiting = list(nodes)[::-1]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, SCOPES):
            waiting += children(node.loop if isinstance(node, LoopWithElse) else node)[::-1]


def made_as(text: str, node: ast.stmt) -> list[ast.stmt]:
    """Statements in the node's line. `_` and `0` in them are there to be replaced."""
    body = module_of(text).body
    for part in (inner for statement in body for inner in ast.walk(statement)):
        if hasattr(part, 'lineno'):
            ast.copy_location(part, node)
    return body


def piece_named(name: str) -> str:
    """A guest's definition."""
    version = guest('async_generators' if name in _ASYNC else 'generators')
    assert version is not None
    return version.prefixed(name)


def native_named(name: str) -> str:
    """A builtin: the generator's own variables may be called `next` and `iter`."""
    version = guest(NATIVES)
    assert version is not None
    return version.prefixed(name)


YIELDS = (ast.Yield, ast.YieldFrom)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_ASYNC = frozenset(['AsyncGenerator', 'Stream', 'collected'])
