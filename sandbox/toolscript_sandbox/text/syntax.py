"""The syntax tree of Python text."""

from __future__ import annotations

import ast
import gc
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any, TypeVar

_TreeT = TypeVar('_TreeT', bound=ast.AST)


def module_of(text: str) -> ast.Module:
    """The tree of statements. Raises `SyntaxError`, or `ValueError` for null bytes."""
    return _parsed(lambda: ast.parse(text))


@lru_cache(maxsize=4)
def tree_of(text: str) -> ast.Module:
    """As `module_of`, but the last trees are remembered: they are for reading, and must not change."""
    return module_of(text)


def expression_of(text: str) -> ast.expr:
    """The tree of one expression. Raises as `module_of` does."""
    return _parsed(lambda: ast.parse(text, mode='eval')).body


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below a node, without marks such as `Load` and `Add`."""
    found = list[ast.AST]()
    for name in _parts(type(node)):
        value: ast.AST | list[ast.AST | None] | None = getattr(node, name, None)
        if isinstance(value, list):
            # Keys of a dict and defaults of keywords have holes.
            found.extend(filter(None, value))
        elif value is not None:
            found.append(value)
    return found


def walk(node: ast.AST) -> Sequence[ast.AST]:
    """The node and all below it, from the outside in, without marks such as `Load` and `Add`.

    Many rules look at the whole of one tree, so what is said of the last ones is remembered; they must not change.
    """
    return index_of(node).nodes if isinstance(node, ast.Module) else _walked(node)


def all_of(tree: ast.Module, kind: type[_TreeT]) -> Sequence[_TreeT]:
    """The nodes of one kind in a whole tree, from the outside in. Sorted once for all that ask."""
    return index_of(tree).kinds.get(kind, _NONE)


class Index:
    """A whole tree, taken apart once for all that ask: most of the work of preparing is to go through nodes."""

    __slots__ = ('below', 'kinds', 'nodes', 'parents')

    def __init__(self, tree: ast.Module) -> None:
        self.nodes: list[ast.AST] = [tree]
        """All nodes, from the outside in."""
        self.parents = dict[ast.AST, ast.AST]()
        """What each node stands in."""
        self.below = dict[ast.AST, list[ast.AST]]()
        """The nodes directly below each node that has such."""
        self.kinds = dict[type[ast.AST], list[Any]]()
        """The nodes of each kind."""
        nodes, parents, below, kinds = self.nodes, self.parents, self.below, self.kinds
        for node in nodes:
            kind = type(node)
            if kind in kinds:
                kinds[kind].append(node)
            else:
                kinds[kind] = [node]
            if _parts(kind):
                inner = children(node)
                if inner:
                    below[node] = inner
                    nodes += inner
                    for child in inner:
                        parents[child] = node


@lru_cache(maxsize=4)
def index_of(tree: ast.Module) -> Index:
    """The index of a tree, which must not change; those of the last trees are remembered."""
    return Index(tree)


def _walked(node: ast.AST) -> Sequence[ast.AST]:
    found = [node]
    for part in found:
        if _parts(type(part)):
            found += children(part)
    return found


@cache
def _parts(kind: type[ast.AST]) -> tuple[str, ...]:
    if kind in _LEAVES:
        return ()
    return tuple(name for name in kind._fields if name not in _PLAIN or (kind.__name__, name) == ('TypeAlias', 'name'))


_NONE: list[Any] = []
_LEAVES = frozenset([ast.Constant, ast.MatchSingleton, ast.Global, ast.Nonlocal, ast.alias])
_PLAIN = frozenset(
    [
        *('ctx', 'op', 'ops', 'id', 'attr', 'arg', 'kind', 'module', 'level', 'asname', 'simple', 'name', 'rest'),
        *('is_async', 'conversion', 'type_comment', 'type_ignores', 'kwd_attrs'),
    ]
)
"""Fields that never hold more than marks, names and numbers, in all nodes but one."""


def _parsed(parse: Callable[[], _TreeT]) -> _TreeT:
    # Python 3.11 and 3.12 keep one count of depth for all trees under construction. When the garbage collector lets
    # other code in, and that code parses too, the counts mix: a `SystemError` about nothing.
    # https://github.com/python/cpython/issues/106905
    try:
        return parse()
    except SystemError:
        with uncollected():
            return parse()


@contextmanager
def uncollected() -> Generator[None, None, None]:
    """Without the garbage collector in between.

    It would look through all nodes of a long text again and again, which took up to half of the time of preparing one,
    and find nothing: trees have no cycles. Several threads may be in here: the first that came in lets it go on.
    """
    collected = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collected:
            gc.enable()
