"""`async with`, which Monty lacks, as calls of `__aenter__` and `__aexit__`; and `print` into a stream of the script.

The same for `with` if exceptions are objects, which Monty would not pass to `__exit__`. It runs after the calls of
tools, whose `await` it reads, and before the exceptions, which change its handlers like all others.
"""

import ast

from toolscript_sandbox.language.analysis import Analysis

from .exceptions import FACT as OBJECTS
from .exceptions import Exceptions
from .transform import Context, Renaming
from .tree import as_target, quoted

_REDIRECTED = 'contextlib.redirect_stdout'
FACT = 'redirected print'
"""A script of the session may be in a context in which `print` writes to a stream."""


def _has_objects(context: Context) -> bool:
    """Return whether exceptions may be objects."""
    return Exceptions.needed(context.analysis) or context.has(OBJECTS)


class Contexts(Renaming):
    feature = 'asynchronous contexts, and print into a stream'
    after = ('calls',)

    @staticmethod
    def needed(analysis: Analysis) -> bool:
        return bool(analysis.kinds & {ast.With, ast.AsyncWith}) or _REDIRECTED in analysis.meant or analysis.has(FACT)

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        if _REDIRECTED in context.analysis.meant:
            context.facts.add(FACT)
        if context.has(FACT):
            self.names = {'builtins.print': '_contextlib__printed'}

    def visit_With(self, node: ast.With | ast.AsyncWith) -> ast.AST | list[ast.stmt]:
        node = self.below(node)
        is_native = isinstance(node, ast.With) and not _has_objects(self._context)
        return node if is_native else written_out(node, self._context)

    visit_AsyncWith = visit_With


def written_out(node: ast.With | ast.AsyncWith, context: Context) -> list[ast.stmt]:
    """Expand a `with` to the equivalent code in Python's language reference."""
    body, template = node.body, _LEFT_ONCE
    if isinstance(node, ast.With):
        template = template.replace('await ', '').replace('__a', '__')
    for item in reversed(node.items):
        target = item.optional_vars
        body = quoted(
            template.replace('TARGET = ', '') if target is None else template,
            node,
            CONTEXT=context.fresh('context'),
            VALUE=item.context_expr,
            TARGET='_' if target is None else as_target(target),
            BODY=body,
            ERROR=context.fresh('error'),
            TYPE='_exceptions__type_of' if _has_objects(context) else '_natives__type',
            LEFT=context.fresh('left'),
        )
    return body


_LEFT_ONCE = """
CONTEXT = VALUE
LEFT = False
TARGET = await CONTEXT.__aenter__()
try:
    BODY
except BaseException as ERROR:
    LEFT = True
    if not await CONTEXT.__aexit__(TYPE(ERROR), ERROR, None):
        raise
finally:
    if not LEFT:
        await CONTEXT.__aexit__(None, None, None)
"""
