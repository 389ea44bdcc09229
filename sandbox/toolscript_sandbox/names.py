"""Names that a snippet uses and binds."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Names:
    """What a snippet says of names, without regard to order."""

    used: frozenset[str]
    """Read somewhere, annotations included."""
    bound: frozenset[str]
    """Bound at the top level, so that the next snippet has them too."""


def names_of(tree: ast.Module) -> Names:
    """The names of a whole snippet."""
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store)}
    quoted = {name for node in ast.walk(tree) for name in _quoted(node)}
    bound = {name for node in _same_scope(tree) for name in bound_by(node)} | _global_names(tree)
    return Names(frozenset(used | quoted), frozenset(bound))


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


def _same_scope(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
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


def _quoted(node: ast.AST) -> Iterator[str]:
    annotation = node.annotation if isinstance(node, (ast.AnnAssign, ast.arg)) else None
    for part in ast.walk(annotation) if annotation is not None else ():
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.isidentifier():
            yield part.value


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
