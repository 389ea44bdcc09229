"""Variables of comprehensions that are named like builtins (`[id for id in ids]`).

At the top level of a script Monty takes them for the builtins.
"""

from __future__ import annotations

import ast
import builtins

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.scopes import Scope

from .transform import Context, Transform
from .tree import Transformer, placed


def _needed(analysis: Analysis) -> bool:
    return bool(_taken(analysis))


def _taken(analysis: Analysis) -> set[Scope | None]:
    scopes = (scope for scope in analysis.scopes.opened.values() if scope.kind == 'comprehension')
    return {scope for scope in scopes if any(hasattr(builtins, name) for name in scope.bound)}


def _apply(tree: ast.Module, context: Context) -> ast.Module:
    return _Renamed(context.analysis).below(tree)


class _Renamed(Transformer):
    def __init__(self, analysis: Analysis) -> None:
        self._scopes = analysis.scopes
        self._taken = _taken(analysis)

    def visit_Name(self, node: ast.Name) -> ast.Name:
        is_taken = hasattr(builtins, node.id) and self._scopes.owner(node) in self._taken
        return placed(ast.Name(f'_own__{node.id}', node.ctx), node) if is_taken else node


COMPREHENSION_NAMES = Transform(
    'variables of comprehensions that have the names of builtins',
    _apply,
    _needed,
    probe='assert [max for max in [1, 2]] == [1, 2]',
)
