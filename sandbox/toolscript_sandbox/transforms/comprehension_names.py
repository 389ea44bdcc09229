"""Variables of comprehensions with the name of a builtin: `[id for id in ids]`.

At the top level of a script, Monty reads the builtin instead of the variable.
"""

import ast
import builtins
from collections.abc import Iterator

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.scopes import Scope

from .transform import Context, Transform
from .tree import placed


def _misread(analysis: Analysis) -> Iterator[tuple[Scope, str]]:
    """Yield the comprehensions at the top level, each with a name that Monty misreads."""
    module = analysis.scopes.module
    for scope in analysis.scopes.opened.values():
        above = scope.above
        while above is not None and above.kind == 'comprehension':
            above = above.above
        if scope.kind == 'comprehension' and above is module:
            yield from ((scope, name) for name in scope.bound if hasattr(builtins, name) and name not in module.bound)


class ComprehensionNames(Transform):
    feature = 'variables of comprehensions that are named as a builtin'

    @staticmethod
    def needed(analysis: Analysis) -> bool:
        return any(True for _ in _misread(analysis))

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._new = {place: context.fresh(place[1]) for place in _misread(context.analysis)}

    def visit_Name(self, node: ast.Name) -> ast.AST:
        owner = self._analysis.scopes.owner(node)
        new = None if owner is None else self._new.get((owner, node.id))
        return node if new is None else placed(ast.Name(new, node.ctx), node)
