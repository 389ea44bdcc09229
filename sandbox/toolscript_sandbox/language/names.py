"""The names that a script uses and binds, and the names of polyfills, which it may not bind."""

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from .scopes import bound_by, scopes_of
from .syntax import all_of, walk


def polyfill(module: str, name: str) -> str:
    """Return the name of a polyfill's definition in a session: `'_heapq__heappush'`."""
    return f'_{module.replace(".", "_")}__{name}'


class NameUses(NamedTuple):
    """The uses of names in a script, regardless of order."""

    used: frozenset[str]
    """Names that are read, including in annotations."""
    computed: frozenset[str]
    """Names that are read outside annotations."""
    defined: frozenset[str]
    """Names bound at the top level to callables (`def`, `class`, `import`, `f = g`), or called without `await`."""
    bound: frozenset[str]
    """Names bound at the top level, which exist in later scripts too."""


@lru_cache(maxsize=4)
def names_of(tree: ast.Module) -> NameUses:
    """Return the names of a whole script. Cached for recent trees, which must not change."""
    augmented = {node.target for node in all_of(tree, ast.AugAssign)}
    annotations = list(annotations_of(tree))
    annotated = {name for part in annotations for name in _annotated(part)}
    inside = {node for part in annotations for node in walk(part)}
    read = (node for node in all_of(tree, ast.Name) if not isinstance(node.ctx, ast.Store) or node in augmented)
    computed = {node.id for node in read if node not in inside}
    bound = {
        name
        for name, nodes in scopes_of(tree).module.bound.items()
        # `total += 1` needs an existing total.
        if not augmented.issuperset(nodes)
    }
    bound |= {name for node in all_of(tree, ast.Global) for name in node.names}
    defined = frozenset(_defined(tree))
    return NameUses(frozenset(computed | annotated), frozenset(computed), defined, frozenset(bound))


def _defined(tree: ast.Module) -> Iterator[str]:
    scopes = scopes_of(tree)
    for kind in _DEFINING:
        for node in all_of(tree, kind):
            if scopes.around(node) is scopes.module:
                yield from bound_by(node)
    awaited = {node.value for node in all_of(tree, ast.Await)}
    calls = (node.func for node in all_of(tree, ast.Call) if node not in awaited)
    called = {func.id for func in calls if isinstance(func, ast.Name)}
    yield from called & scopes.module.bound.keys()
    for node in all_of(tree, ast.Assign):
        if scopes.around(node) is scopes.module and isinstance(node.value, (ast.Lambda, ast.Name)):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def annotations_of(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield the annotations of a tree."""
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
RESERVED = re.compile(r'_[a-z][a-z0-9_]*?__\w+')
"""Generated names: `_heapq__heappush` of a polyfill, `_item__3` of a transform. A script must not bind them."""
