"""What rules for calls have in common."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

from toolscript_sandbox.text.syntax import walk

from .guest_modules import guest
from .rewriter import Rewriter

CallRule: TypeAlias = Callable[[ast.Call, Rewriter], str | None]


def piece(r: Rewriter, module: str, name: str) -> str:
    """The name of a guest's definition, which the snippet then gets."""
    version = guest(module)
    assert version is not None
    r.scene.pieces.add(module)
    return version.prefixed(name)


def arguments(node: ast.Call, r: Rewriter) -> str:
    """The text between the parentheses."""
    parts = [r.text(argument) for argument in node.args]
    parts += [f'{k.arg}={r.text(k.value)}' if k.arg else f'**{r.text(k.value)}' for k in node.keywords]
    return ', '.join(parts)


def keyword(node: ast.Call, name: str) -> ast.expr | None:
    """What is given for a keyword."""
    return next((keyword.value for keyword in node.keywords if keyword.arg == name), None)


def is_host_call(node: ast.AST, r: Rewriter) -> bool:
    """Whether the node calls a function of the host."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and r.scene.function(node.func.id) is not None


def calls_host(node: ast.AST, r: Rewriter) -> bool:
    """Whether a call of a function of the host is in the node."""
    return any(is_host_call(part, r) for part in walk(node))


def sequential(node: ast.expr, r: Rewriter) -> bool:
    """Whether the node calls a function of the host that is called without `await`."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
        return False
    function = r.scene.function(node.func.id)
    return function is not None and function.sequential


def is_builtin(node: ast.Call, name: str, r: Rewriter) -> bool:
    """Whether the call is one of the builtin of that name."""
    known = name in r.scene.names.bound or name in r.scene.known
    return isinstance(node.func, ast.Name) and node.func.id == name and not known


def defines(r: Rewriter, method: str) -> bool:
    """Whether a class of the snippet has the method."""
    if method == '__len__' and 'enum' in r.scene.pieces:
        return True
    return any(isinstance(part, ast.FunctionDef) and part.name == method for part in walk(r.source.tree))
