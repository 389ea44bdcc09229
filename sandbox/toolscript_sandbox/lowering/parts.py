"""What rules for calls have in common."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from toolscript_sandbox.text.syntax import all_of, walk

from .class_features import ENUMERATIONS
from .file_words import asks_for_files
from .guest_modules import NATIVES, guest
from .program import Program
from .rewriter import Rewriter

BYTE_ARRAYS = 'bytearray'
"""Stands among the classes of a session that has such arrays, whose methods are those of bytes and of lists."""
CallRule: TypeAlias = Callable[[ast.Call, Rewriter], str | None]


def piece(r: Rewriter, module: str, name: str) -> str:
    """The name of a guest's definition, which the snippet then gets."""
    version = guest(module)
    assert version is not None
    r.scene.pieces.add(version.homes.get(name, module))
    return version.prefixed(name)


def native(r: Rewriter, name: str) -> str:
    """A builtin in the text of a rule, where a variable may have its name."""
    return piece(r, NATIVES, name) if name in r.scene.names.bound or name in r.scene.known else name


def as_method(r: Rewriter, func: ast.Attribute, stand_in: str, given: str) -> str:
    """A call of a guest's definition in a method's stead, unless a class of the script has that method itself.

    Only at run time is it known whose method it is; where there are no such classes, nobody needs to ask.
    """
    if not all_of(r.source.tree, ast.ClassDef) and not r.scene.known and BYTE_ARRAYS not in r.scene.kin:
        return f'{stand_in}({r.text(func.value)}{", " if given else ""}{given})'
    return f'{piece(r, "builtins", "method_of")}({r.text(func.value)}, {func.attr!r}, {stand_in})({given})'


def arguments(node: ast.Call, r: Rewriter) -> str:
    """The text between the parentheses."""
    parts = [r.text(argument) for argument in node.args]
    parts += [f'{k.arg}={r.text(k.value)}' if k.arg else f'**{r.text(k.value)}' for k in node.keywords]
    return ', '.join(parts)


def keyword(node: ast.Call, name: str) -> ast.expr | None:
    """What is given for a keyword."""
    return next((keyword.value for keyword in node.keywords if keyword.arg == name), None)


def is_host_call(node: ast.AST, r: Rewriter) -> bool:
    """Whether the node calls a function of the host; `time.sleep` and `open` are, as no builtin can wait for them."""
    if not isinstance(node, ast.Call):
        return False
    is_called = r.scene.called(node.func) is not None or r.scene.member(node.func) == ('time', 'sleep')
    return is_called or asks_for_files(node, r.scene)


def calls_host(node: ast.AST, r: Rewriter) -> bool:
    """Whether a call of a function of the host is in the node."""
    return any(is_host_call(part, r) for part in walk(node))


def reaches_host(function: ast.FunctionDef, r: Rewriter) -> bool:
    """Whether a call of a function of the host is in a function of the snippet; looked for once in each."""
    if function not in r.reaching:
        r.reaching[function] = calls_host(function, r)
    return r.reaching[function]


def sequential(node: ast.expr, r: Rewriter) -> bool:
    """Whether the node calls a function of the host that is called without `await`."""
    function = r.scene.called(node.func) if isinstance(node, ast.Call) else None
    return function is not None and function.sequential


def is_builtin(node: ast.expr, name: str, r: Rewriter) -> bool:
    """Whether it is a call of the builtin of that name."""
    if not isinstance(node, ast.Call):
        return False
    return isinstance(node.func, ast.Name) and node.func.id == name and r.scene.is_free(node.func)


def has_method(program: Program, method: str) -> bool:
    """Whether a class of the snippet, or of an earlier one, has the method."""
    return method in program.scene.kin or method in method_names(program.tree)


def defines(r: Rewriter, method: str) -> bool:
    """Whether a class of the snippet has the method."""
    if method == '__len__' and ENUMERATIONS in r.scene.kin:
        return True
    return method in method_names(r.source.tree) or method in r.scene.kin


@lru_cache(maxsize=4)
def method_names(tree: ast.Module) -> frozenset[str]:
    """Names of the functions that stand in a class of the snippet."""
    classes = all_of(tree, ast.ClassDef)
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(part.name for node in classes for part in node.body if isinstance(part, functions))


def is_repeatable(target: ast.expr) -> bool:
    """Whether the target of an assignment can be read once more: nothing is called for it."""
    match target:
        case ast.Name() | ast.Constant():
            return True
        case ast.Attribute(value=value):
            return is_repeatable(value)
        case ast.Subscript(value=value, slice=key):
            return is_repeatable(value) and is_repeatable(key)
        case _:
            return False
