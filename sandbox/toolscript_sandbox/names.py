"""Names that a snippet uses and binds."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Names:
    """What a snippet says of names, without regard to order."""

    used: frozenset[str]
    """Read somewhere, annotations included."""
    computed: frozenset[str]
    """Read outside annotations."""
    defined: frozenset[str]
    """Bound at the top level to something that can be called: by `def`, `class`, `import` or `f = g`."""
    bound: frozenset[str]
    """Bound at the top level, so that the next snippet has them too."""


def names_of(tree: ast.Module) -> Names:
    """The names of a whole snippet."""
    computed = set(_read(tree))
    annotated = {name for node in ast.walk(tree) for part in _annotations(node) for name in _annotated(part)}
    bound = {name for node in _same_scope(tree) for name in bound_by(node)} | _global_names(tree)
    defined = {name for node in _same_scope(tree) for name in _defined_by(node)}
    return Names(frozenset(computed | annotated), frozenset(computed), frozenset(defined), frozenset(bound))


def bound_by(node: ast.AST) -> Iterator[str]:
    """The names that this node by itself binds in the scope where it stands."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=aliases):
            yield from ((alias.asname or alias.name).split('.')[0] for alias in aliases)
        case ast.ImportFrom(names=aliases):
            yield from (alias.asname or alias.name for alias in aliases)
        case ast.ExceptHandler(name=str(name)):
            yield name
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name
        case _:
            pass


def _defined_by(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Import() | ast.ImportFrom():
            yield from bound_by(node)
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda() | ast.Name()):
            yield name
        case _:
            pass


def _same_scope(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.AugAssign) and child is node.target):
            # `total += 1` needs a total that is there already.
            yield child
        if isinstance(child, _COMPREHENSIONS):
            yield from _walruses(child)
        elif not isinstance(child, _SCOPES):
            yield from _same_scope(child)


def _walruses(node: ast.AST) -> Iterator[ast.AST]:
    # A comprehension keeps its loop variables, and hands out what `:=` binds in it.
    return (inner.target for inner in ast.walk(node) if isinstance(inner, ast.NamedExpr))


def _global_names(tree: ast.Module) -> set[str]:
    return {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}


def _read(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store):
        yield node.id
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        yield node.target.id
    annotations = list(_annotations(node))
    for child in ast.iter_child_nodes(node):
        if child not in annotations:
            yield from _read(child)


def _annotations(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, (ast.AnnAssign, ast.arg)) and node.annotation is not None:
        yield node.annotation
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.returns is not None:
        yield node.returns


def _annotated(annotation: ast.expr) -> Iterator[str]:
    for part in ast.walk(annotation):
        if isinstance(part, ast.Name):
            yield part.id
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield from re.findall(r'[A-Za-z_]\w*', part.value)


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
