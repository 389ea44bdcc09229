"""Builtin exceptions that are kept as values (`kind = KeyError`), so that no text shows where they are called.

Monty's take one text and nothing else, so whatever may be such a call is made by a guest's function.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.text.syntax import all_of, index_of, walk


def is_builtin_error(name: str) -> bool:
    """Whether an exception has that name in Python."""
    return name in BUILTIN_ERRORS


def keeps_kinds(tree: ast.Module, scene: Scene) -> bool:
    """Whether a builtin exception is more than called, raised, caught or asked for."""
    if not (index_of(tree).names & BUILTIN_ERRORS) - scene.names.bound:
        return False
    names = [node for node in all_of(tree, ast.Name) if is_builtin_error(node.id)]
    parents = index_of(tree).parents
    plain = {part for node in walk(tree) for part in _plain(node)}
    return any(node not in plain and not isinstance(parents.get(node), ast.ClassDef) for node in names)


def _plain(node: ast.AST) -> Iterator[ast.AST]:
    """Where the name of an exception is no value that is kept."""
    match node:
        case ast.Call(func=ast.Name(id='isinstance' | 'issubclass' | 'suppress'), args=args):
            yield from (part for argument in args for part in walk(argument))
        case ast.Call(func=ast.Attribute(attr='suppress'), args=args):
            yield from args
        case ast.Call(func=func):
            yield func
        case ast.Raise(exc=exc, cause=cause):
            yield from (part for part in (exc, cause) if part is not None)
        case ast.ExceptHandler(type=kinds) if kinds is not None:
            yield from walk(kinds)
        case ast.Compare():
            yield from walk(node)
        case ast.Attribute(value=value):
            yield value
        case ast.AnnAssign(annotation=annotation):
            yield from walk(annotation)
        case ast.arg(annotation=annotation) if annotation is not None:
            yield from walk(annotation)
        case ast.FunctionDef(returns=returns) | ast.AsyncFunctionDef(returns=returns) if returns is not None:
            yield from walk(returns)
        case _:
            return


def calls_of_kept(tree: ast.Module) -> Iterator[ast.Call]:
    """Calls of variables, parameters and items, but for those that are awaited, as no exception is."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    defined = {node.name for kind in kinds for node in all_of(tree, kind)}
    stored = {node.id for node in all_of(tree, ast.Name) if isinstance(node.ctx, ast.Store)}
    stored |= {node.arg for node in all_of(tree, ast.arg)}
    attributes = {node.attr for node in all_of(tree, ast.Attribute) if isinstance(node.ctx, ast.Store)}
    awaited = {node.value for node in all_of(tree, ast.Await)}
    for node in all_of(tree, ast.Call):
        if node in awaited:
            continue
        match node.func:
            case ast.Name(id=name) if name in stored and name not in defined:
                yield node
            case ast.Attribute(attr=name) if name in attributes:
                yield node
            case ast.Subscript():
                yield node
            case _:
                pass


BUILTIN_ERRORS = frozenset(
    [
        'JSONDecodeError',
        *(name for name, kind in vars(builtins).items() if isinstance(kind, type) and issubclass(kind, BaseException)),
    ]
)
"""The exceptions that need no import, and the one of `json`."""
