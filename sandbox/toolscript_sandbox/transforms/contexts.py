"""`async with`, which Monty lacks: contexts are entered and left by hand. `print` into a stream of the script's own.

So is `with` where exceptions are objects, which Monty would not pass to `__exit__`. After the calls of tools, whose
`await` it reads; before the exceptions, which change its handlers as any others.
"""

from __future__ import annotations

import ast

from toolscript_sandbox.language.analysis import Analysis

from .exceptions import EXCEPTIONS
from .exceptions import FACT as OBJECTS
from .transform import Context, Transform
from .tree import Transformer, as_target, meaning, quoted, quoted_expression

_REDIRECTED = 'contextlib.redirect_stdout'
FACT = 'redirected print'
"""A script of the session may have a context open in which `print` writes to a stream."""


def _needed(analysis: Analysis) -> bool:
    return bool(analysis.kinds & {ast.With, ast.AsyncWith}) or _REDIRECTED in analysis.meant or analysis.has(FACT)


def _apply(tree: ast.Module, context: Context) -> ast.Module:
    if _REDIRECTED in context.analysis.meant:
        context.facts.add(FACT)
    return _Contexts(context).below(tree)


class _Contexts(Transformer):
    def __init__(self, context: Context) -> None:
        self._context = context
        self._redirects = context.has(FACT)
        self._has_objects = EXCEPTIONS.needed(context.analysis) or context.has(OBJECTS)
        """Whether exceptions may be objects."""

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._named(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return self.below(node) if (new := self._named(node)) is node else new

    def _named(self, node: ast.Name | ast.Attribute) -> ast.AST:
        dotted = meaning(node)
        if self._redirects and dotted == 'builtins.print':
            return quoted_expression('_redirection__printed', node)
        if self._has_objects and dotted == 'contextlib.suppress':
            return quoted_expression('_own_suppression__suppress', node)
        return node

    def visit_With(self, node: ast.With) -> ast.AST | list[ast.stmt]:
        return written_out(self.below(node), self._context) if self._has_objects else self.below(node)

    def visit_AsyncWith(self, node: ast.AsyncWith) -> list[ast.stmt]:
        return written_out(self.below(node), self._context)


def written_out(node: ast.With | ast.AsyncWith, context: Context) -> list[ast.stmt]:
    """A `with` as what Python's reference says that it does."""
    body = node.body
    for item in reversed(node.items):
        body = _entered(node, item, body, context)
    return body


def _entered(
    node: ast.With | ast.AsyncWith, item: ast.withitem, body: list[ast.stmt], context: Context
) -> list[ast.stmt]:
    manager, waits = context.fresh('context'), isinstance(node, ast.AsyncWith)
    entered = quoted_expression('await CONTEXT.__aenter__()' if waits else 'CONTEXT.__enter__()', node, CONTEXT=manager)
    if item.optional_vars is None:
        entering = quoted('ENTERED', node, ENTERED=entered)
    else:
        entering = quoted('TARGET = ENTERED', node, TARGET=as_target(item.optional_vars), ENTERED=entered)
    return quoted(
        _LEFT_ONCE if waits else _LEFT_ONCE.replace('await ', '').replace('__aexit__', '__exit__'),
        node,
        CONTEXT=manager,
        VALUE=item.context_expr,
        ENTERING=entering,
        BODY=body,
        ERROR=context.fresh('error'),
        LEFT=context.fresh('left'),
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
    probe='class C:\n    async def __aenter__(self): pass\n    async def __aexit__(self, *a): pass\n'
    'async with C(): pass',
)
