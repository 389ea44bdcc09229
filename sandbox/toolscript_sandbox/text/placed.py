"""Whether what stands inside an f-string is where its tree says: before Python 3.12, `ast` misplaces some of it."""

from __future__ import annotations

import ast
import sys
from functools import lru_cache

from .source import Source
from .syntax import children, expression_of


def is_placed(string: ast.JoinedStr, source: Source) -> bool:
    """Whether edits inside of it hit what they are meant for."""
    if sys.version_info >= (3, 12):
        return True
    known = _of_tree(source.tree)
    if string not in known:
        known[string] = _is_placed(string, source)
    return known[string]


@lru_cache(maxsize=4)
def _of_tree(tree: ast.Module) -> dict[ast.JoinedStr, bool]:
    """What was found of the f-strings of a tree, which many ask for; it must not change."""
    return {}


def _is_placed(string: ast.JoinedStr, source: Source) -> bool:
    start, text = source.start(string), source.segment(string)
    parts = [part.value for part in string.values if isinstance(part, ast.FormattedValue)]
    places = [(source.start(part) - start, source.end(part) - start) for part in parts]
    if any(not 0 <= first < last <= len(text) for first, last in places):
        return False
    # A string is taken over by most lowerings as it was: what its text says does not depend on where it stands.
    found = _found.get((text, *places))
    if found is None:
        found = all(_says(part, text[slice(*place)].strip()) for part, place in zip(parts, places, strict=True))
        if len(_found) >= _MOST:
            _found.clear()
        if len(text) < _LONG:
            _found[text, *places] = found
    return found


def _says(node: ast.expr, text: str) -> bool:
    if isinstance(node, ast.Name):
        return text == node.id
    try:
        return _alike(expression_of(text), node)
    except (SyntaxError, IndexError):
        return False


def _alike(one: ast.AST, other: ast.AST) -> bool:
    """Whether two trees say the same, wherever they stand."""
    waiting = [(one, other)]
    while waiting:
        one, other = waiting.pop()
        if type(one) is not type(other) or _said(one) != _said(other):
            return False
        these, those = children(one), children(other)
        if len(these) != len(those):
            return False
        waiting += zip(these, those, strict=True)
    return True


def _said(node: ast.AST) -> object:
    """What a node says itself; as text where it is a constant, in which -0.0 is not 0.0 and 1 is not True."""
    if isinstance(node, ast.Constant):
        return repr(node.value)
    return [getattr(node, name) for name in _SAYING if name in node._fields]


_SAYING = ('id', 'attr', 'arg', 'op', 'ops', 'conversion', 'is_async')
"""Fields of expressions that hold no nodes; the same sign is the same object in every tree."""
_found = dict[tuple[object, ...], bool]()
"""What was found of texts of f-strings, with the places of what stands inside."""
_MOST, _LONG = 500, 1_000
