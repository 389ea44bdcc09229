"""Names that single nodes bind."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator


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


def all_bound_by(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that these nodes by themselves bind."""
    return {name for node in nodes if type(node) in BINDING for name in bound_by(node)}


BINDING = frozenset[type[ast.AST]](
    [
        ast.Name,
        ast.FunctionDef,
        ast.AsyncFunctionDef,
        ast.ClassDef,
        ast.Import,
        ast.ImportFrom,
        ast.ExceptHandler,
        ast.MatchAs,
        ast.MatchStar,
        ast.MatchMapping,
    ]
)
"""The kinds of nodes that may bind names by themselves."""
