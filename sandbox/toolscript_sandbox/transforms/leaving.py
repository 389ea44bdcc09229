"""Values that leave the sandbox: arguments of tools, and the result.

Monty hands out a view of a dict, a range or an iterator as text, and cannot hand out an object that is a key or in a
set. So a view, a range or an iterator becomes a list, and in scripts with enumerations a polyfill replaces members by
their values.
"""

from __future__ import annotations

import ast

from toolscript_sandbox.language.analysis import Analysis

from .transform import Context, Transform
from .tree import Transformer, meaning, quoted_expression, set_changed


def _needed(analysis: Analysis) -> bool:
    makes_lists = not (_LAZY.isdisjoint(analysis.meant) and _VIEWS.isdisjoint(analysis.index.attributes))
    return _has_members(analysis) or (makes_lists and any(name.startswith('tools.') for name in analysis.meant))


def _has_members(analysis: Analysis) -> bool:
    return analysis.means_module('enum') or analysis.has('enums')


def _apply(tree: ast.Module, context: Context) -> ast.Module:
    has_members = _has_members(context.analysis)
    last = tree.body[-1] if tree.body else None
    if has_members and isinstance(last, ast.Expr) and isinstance(last.value, ast.Name):
        # The statement that gives the result.
        last.value = _outward(last.value)
        set_changed(last)
    return _Leaving(has_members=has_members).below(tree)


class _Leaving(Transformer):
    def __init__(self, *, has_members: bool) -> None:
        self._has_members = has_members
        self._is_inside = False
        """Whether what is visited is in a function."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.below(node)
        if not (meaning(node.func) or '').startswith('tools.'):
            return node
        old = [*node.args, *(word.value for word in node.keywords)]
        new = [self._left(value) for value in old]
        if new != old:
            node.args = new[: len(node.args)]
            for word, value in zip(node.keywords, new[len(node.args) :], strict=True):
                word.value = value
            set_changed(node)
        return node

    def _left(self, value: ast.expr) -> ast.expr:
        value = _Lists().expression(value)
        is_plain = not self._has_members or isinstance(value, (ast.Constant, ast.JoinedStr, ast.Starred))
        return value if is_plain else _outward(value)

    def visit_Return(self, node: ast.Return) -> ast.AST:
        self.below(node)
        if node.value is None or not self._has_members or self._is_inside:
            return node
        node.value = _outward(node.value)
        return set_changed(node)

    def visit_FunctionDef(self, node: ast.AST) -> ast.AST:
        before, self._is_inside = self._is_inside, True
        node = self.below(node)
        self._is_inside = before
        return node

    visit_AsyncFunctionDef = visit_FunctionDef


class _Lists(Transformer):
    """Makes lists of views and iterators, in displays too."""

    def visit(self, node: ast.AST) -> ast.AST | list[ast.stmt]:
        match node:
            case ast.List() | ast.Tuple() | ast.Set() | ast.Dict() | ast.Starred():
                return self.below(node)
            case ast.Call(func=ast.Attribute(attr=name) as func, args=[]) if name in _VIEWS and meaning(func) is None:
                return quoted_expression('_natives__list(X)', node, X=node)
            case ast.Call(func=func) if meaning(func) in _LAZY:
                return quoted_expression('_natives__list(X)', node, X=node)
            case _:
                return node


def _outward(value: ast.expr) -> ast.expr:
    return quoted_expression('_leaving__outward(X)', value, X=value)


_VIEWS = frozenset(['items', 'keys', 'values'])
_LAZY = frozenset(f'builtins.{name}' for name in ('enumerate', 'filter', 'iter', 'map', 'range', 'reversed', 'zip'))

LEAVING = Transform(
    'views and members of enumerations as values of tools and results',
    _apply,
    _needed,
)
