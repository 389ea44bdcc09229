"""`async with`, which Monty lacks: contexts are entered and left by hand. `print` into a stream of the script's own.

After the calls of tools, whose `await` it reads; before the exceptions, which change its handlers as any others.
"""

from __future__ import annotations

import ast

from toolscript_sandbox.language.analysis import Analysis

from .transform import Context, Transform
from .tree import Transformer, as_target, meaning, quoted, quoted_expression

_REDIRECTED = 'contextlib.redirect_stdout'
FACT = 'redirected print'
"""A script of the session may have a context open in which `print` writes to a stream."""


def _needed(analysis: Analysis) -> bool:
    return ast.AsyncWith in analysis.kinds or _REDIRECTED in analysis.meant or analysis.has(FACT)


def _apply(tree: ast.Module, context: Context) -> ast.Module:
    if _REDIRECTED in context.analysis.meant:
        context.facts.add(FACT)
    return _Contexts(context).below(tree)


class _Contexts(Transformer):
    def __init__(self, context: Context) -> None:
        self._fresh = context.fresh
        self._redirects = context.has(FACT)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if self._redirects and meaning(node) == 'builtins.print':
            return quoted_expression('_redirection__printed', node)
        return node

    def visit_AsyncWith(self, node: ast.AsyncWith) -> list[ast.stmt]:
        self.below(node)
        body = node.body
        for item in reversed(node.items):
            body = self._entered(node, item, body)
        return body

    def _entered(self, node: ast.AsyncWith, item: ast.withitem, body: list[ast.stmt]) -> list[ast.stmt]:
        entered = quoted_expression('await CONTEXT.__aenter__()', node, CONTEXT=(context := self._fresh('context')))
        if item.optional_vars is None:
            entering = quoted('ENTERED', node, ENTERED=entered)
        else:
            entering = quoted('TARGET = ENTERED', node, TARGET=as_target(item.optional_vars), ENTERED=entered)
        return quoted(
            _LEFT_ONCE,
            node,
            CONTEXT=context,
            VALUE=item.context_expr,
            ENTERING=entering,
            BODY=body,
            ERROR=self._fresh('error'),
            LEFT=self._fresh('left'),
        )


_LEFT_ONCE = """
CONTEXT = VALUE
LEFT = False
ENTERING
try:
    BODY
except BaseException as ERROR:
    LEFT = True
    if not await CONTEXT.__aexit__(_natives__type(ERROR), ERROR, None):
        raise
finally:
    if not LEFT:
        await CONTEXT.__aexit__(None, None, None)
"""

CONTEXTS = Transform(
    'asynchronous contexts, and print into a stream',
    _apply,
    _needed,
    after=('calls',),
    probe='class C:\n    async def __aenter__(self): pass\n    async def __aexit__(self, *a): pass\nasync with C(): pass',
)
