"""Names that a snippet uses and binds."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from .syntax import children, walk


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


@lru_cache(maxsize=4)
def names_of(tree: ast.Module) -> Names:
    """The names of a whole snippet, which must not change; the last trees are remembered."""
    nodes, outside = walk(tree), _same_scope(tree)
    annotations = [part for node in nodes for part in _annotations(node)]
    annotated = {name for part in annotations for name in _annotated(part)}
    inside = {node for part in annotations for node in walk(part)}
    computed = {name for node in nodes if node not in inside for name in _read(node)}
    bound = {name for node in outside for name in bound_by(node)} | _global_names(nodes)
    defined = {name for node in outside for name in _defined_by(node)}
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


def _same_scope(tree: ast.Module) -> list[ast.AST]:
    found, scopes = list[ast.AST](), list[ast.AST]([tree])
    for node in scopes:
        for child in children(node):
            if not (isinstance(node, ast.AugAssign) and child is node.target):
                # `total += 1` needs a total that is there already.
                found.append(child)
            if isinstance(child, _COMPREHENSIONS):
                found += _walruses(child)
            elif not isinstance(child, _SCOPES):
                scopes.append(child)
    return found


def _walruses(node: ast.AST) -> Iterator[ast.AST]:
    # A comprehension keeps its loop variables, and hands out what `:=` binds in it.
    return (inner.target for inner in walk(node) if isinstance(inner, ast.NamedExpr))


def _global_names(nodes: Iterable[ast.AST]) -> set[str]:
    return {name for node in nodes if isinstance(node, ast.Global) for name in node.names}


def _read(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store):
        yield node.id
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        yield node.target.id


def _annotations(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, (ast.AnnAssign, ast.arg)) and node.annotation is not None:
        yield node.annotation
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.returns is not None:
        yield node.returns


def _annotated(annotation: ast.expr) -> Iterator[str]:
    for part in walk(annotation):
        if isinstance(part, ast.Name):
            yield part.id
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield from re.findall(r'[A-Za-z_]\w*', part.value)


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
