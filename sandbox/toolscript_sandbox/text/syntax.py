"""The syntax tree of Python text."""

from __future__ import annotations

import ast
import gc
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import TypeVar, cast

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
        value: object = getattr(node, name, None)
        if isinstance(value, ast.AST):
            found.append(value)
        elif isinstance(value, list):
            found += [part for part in cast('list[object]', value) if isinstance(part, ast.AST)]
    return found


def walk(node: ast.AST) -> Sequence[ast.AST]:
    """The node and all below it, from the outside in, without marks such as `Load` and `Add`.

    Many rules look at the whole of one tree, so what is said of the last ones is remembered; they must not change.
    """
    return _walked_tree(node) if isinstance(node, ast.Module) else _walked(node)


def all_of(tree: ast.Module, kind: type[_TreeT]) -> Sequence[_TreeT]:
    """The nodes of one kind in a whole tree, from the outside in. Sorted once for all that ask."""
    return cast('list[_TreeT]', _by_kind(tree).get(kind, []))


@lru_cache(maxsize=4)
def _by_kind(tree: ast.Module) -> dict[type[ast.AST], list[ast.AST]]:
    found = dict[type[ast.AST], list[ast.AST]]()
    for node in walk(tree):
        found.setdefault(type(node), []).append(node)
    return found


@lru_cache(maxsize=4)
def _walked_tree(tree: ast.Module) -> Sequence[ast.AST]:
    return _walked(tree)


def _walked(node: ast.AST) -> Sequence[ast.AST]:
    found = [node]
    for part in found:
        found += children(part)
    return found


@cache
def _parts(kind: type[ast.AST]) -> tuple[str, ...]:
    return tuple(name for name in kind._fields if name not in _PLAIN)


_PLAIN = frozenset(['ctx', 'op', 'ops', 'id', 'attr', 'arg', 'kind', 'module', 'level', 'asname', 'simple'])
"""Fields that never hold more than marks, names and numbers, whatever the node."""


def _parsed(parse: Callable[[], _TreeT]) -> _TreeT:
    # Python 3.11 and 3.12 keep one count of depth for all trees under construction. When the garbage collector lets
    # other code in, and that code parses too, the counts mix: a `SystemError` about nothing.
    # https://github.com/python/cpython/issues/106905
    try:
        return parse()
    except SystemError:
        return _without_collecting(parse)


def _without_collecting(parse: Callable[[], _TreeT]) -> _TreeT:
    collected = gc.isenabled()
    gc.disable()
    try:
        return parse()
    finally:
        if collected:
            gc.enable()
