"""The syntax tree of Python text."""

from __future__ import annotations

import ast
import gc
from collections.abc import Callable
from typing import TypeVar

_TreeT = TypeVar('_TreeT', bound=ast.AST)


def module_of(text: str) -> ast.Module:
    """The tree of statements. Raises `SyntaxError`, or `ValueError` for null bytes."""
    return _parsed(lambda: ast.parse(text))


def expression_of(text: str) -> ast.expr:
    """The tree of one expression. Raises as `module_of` does."""
    return _parsed(lambda: ast.parse(text, mode='eval')).body


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
