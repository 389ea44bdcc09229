"""Names that a snippet uses and binds."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from .bindings import bound_by
from .scopes import scopes_of
from .syntax import all_of, walk


@dataclass(frozen=True)
class Names:
    """What a snippet says of names, without regard to order."""

    used: frozenset[str]
    """Read somewhere, annotations included."""
    computed: frozenset[str]
    """Read outside annotations."""
    defined: frozenset[str]
    """Bound at the top level to something that can be called: by `def`, `class`, `import`, `f = g`, `f = x.g`."""
    bound: frozenset[str]
    """Bound at the top level, so that the next snippet has them too."""


@lru_cache(maxsize=4)
def names_of(tree: ast.Module) -> Names:
    """The names of a whole snippet, which must not change; the last trees are remembered."""
    augmented = {node.target for node in all_of(tree, ast.AugAssign)}
    annotations = list(_annotations(tree))
    annotated = {name for part in annotations for name in _annotated(part)}
    inside = {node for part in annotations for node in walk(part)}
    read = (node for node in all_of(tree, ast.Name) if not isinstance(node.ctx, ast.Store) or node in augmented)
    computed = {node.id for node in read if node not in inside}
    bound = {
        name
        for name, nodes in scopes_of(tree).module.bound.items()
        # `total += 1` needs a total that is there already.
        if not augmented.issuperset(nodes)
    }
    bound |= {name for node in all_of(tree, ast.Global) for name in node.names}
    defined = frozenset(_defined(tree))
    return Names(frozenset(computed | annotated), frozenset(computed), defined, frozenset(bound))


def _defined(tree: ast.Module) -> Iterator[str]:
    scopes = scopes_of(tree)
    for kind in _DEFINING:
        for node in all_of(tree, kind):
            if scopes.around(node) is scopes.module:
                yield from bound_by(node)
    called = _called_plainly(tree)
    for node in all_of(tree, ast.Assign):
        if scopes.around(node) is scopes.module:
            for target in node.targets:
                yield from _named_functions(target, node.value, called)
    for node in all_of(tree, ast.For):
        if scopes.around(node) is scopes.module and isinstance(node.target, ast.Name) and node.target.id in called:
            yield node.target.id


def _called_plainly(tree: ast.Module) -> frozenset[str]:
    """Names that are called without `await`."""
    awaited = {node.value for node in all_of(tree, ast.Await)}
    calls = (node for node in all_of(tree, ast.Call) if node not in awaited)
    return frozenset(node.func.id for node in calls if isinstance(node.func, ast.Name))


def _named_functions(target: ast.expr, value: ast.expr | None, called: frozenset[str]) -> Iterator[str]:
    """Names that get a function, or what may be one and is called: `add = seen.add`, `add, get = counter()`."""
    match target, value:
        case ast.Name(id=name), ast.Lambda() | ast.Name():
            yield name
        case ast.Name(id=name), ast.Attribute() | ast.Subscript() if name in called:
            yield name
        case ast.Name(id=name), ast.Call(func=func) if name in called:
            own = isinstance(func, ast.Name) and (func.id == name or hasattr(builtins, func.id))
            yield from () if own else (name,)
        case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
            for part, given in zip(targets, values, strict=True):
                yield from _named_functions(part, given, called)
        case ast.Tuple(elts=targets), ast.Call():
            yield from (part.id for part in targets if isinstance(part, ast.Name) and part.id in called)
        case _:
            pass


def _annotations(tree: ast.Module) -> Iterator[ast.expr]:
    for node in (*all_of(tree, ast.AnnAssign), *all_of(tree, ast.arg)):
        if node.annotation is not None:
            yield node.annotation
    for node in (*all_of(tree, ast.FunctionDef), *all_of(tree, ast.AsyncFunctionDef)):
        if node.returns is not None:
            yield node.returns


def _annotated(annotation: ast.expr) -> Iterator[str]:
    for part in walk(annotation):
        if isinstance(part, ast.Name):
            yield part.id
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield from re.findall(r'[A-Za-z_]\w*', part.value)


_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
