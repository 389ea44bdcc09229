"""The line of an error that leaves a `try` or a `with`: Monty tells the last statement of the handler, or of the block.

That is where it compiled what passes the error on. A statement of no effect behind the last one takes its place, and
bears the number of the statement that failed where only one could, otherwise that of the `try` or `with` itself. What
ends with `return` or `raise` gets a condition that always holds, since nothing behind it would be compiled.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.text.source import NEW_LINE, Edit, Source, line_of
from toolscript_sandbox.text.syntax import all_of, walk


def with_block_ends(program: Program) -> Program:
    """The program with the ends of such blocks marked."""
    kinds = (ast.Try, ast.With, ast.AsyncWith)
    blocks = [node for kind in kinds for node in all_of(program.tree, kind)]
    # Of blocks that end at one place, the inner one ends first.
    blocks.sort(key=lambda node: (node.lineno, node.col_offset), reverse=True)
    return program.edited(edit for node in blocks for edit in _marked(node, program.source))


def _marked(node: ast.Try | ast.With | ast.AsyncWith, source: Source) -> Iterator[Edit]:
    if not isinstance(node, ast.Try):
        yield from _ended(node.body, node, [node.body], source)
        return
    for handler in node.handlers:
        last = handler is node.handlers[-1]
        around = node if last else handler
        yield from _ended(handler.body, around, [node.body, handler.body] if last else [handler.body], source, handler)
    if node.finalbody:
        within = [node.body, *(handler.body for handler in node.handlers), node.orelse, node.finalbody]
        yield from _ended(node.finalbody, node, within, source)


def _ended(
    body: Sequence[ast.stmt],
    around: ast.stmt | ast.ExceptHandler,
    within: Sequence[Sequence[ast.stmt]],
    source: Source,
    handler: ast.ExceptHandler | None = None,
) -> Iterator[Edit]:
    """The block with a mark behind it, which bears the number of what may have failed."""
    first, last = body[0], body[-1]
    start = source.start(_decorated(first))
    margin = source.text[source.text.rfind('\n', 0, start) + 1 : start]
    if margin.strip():
        # The block stands on the line of its head.
        outer = (handler or around).col_offset
        margin = ' ' * (outer + 1)
        yield Edit(start, start, f'{NEW_LINE}{margin}')
    if isinstance(last, (ast.Return, ast.Raise, ast.Continue, ast.Break)):
        place = source.start(last)
        before = source.text[source.text.rfind('\n', 0, place) + 1 : place]
        alone = last is first or not before.strip()
        yield Edit(place, place, 'if True: ' if alone else f'{NEW_LINE}{margin}if True: ')
    failing = [part for block in within for part in _failing(block)]
    number = source.number(failing[0].lineno if len(failing) == 1 else around.lineno)
    end = source.end(last)
    yield Edit(end, end, f'{line_of(number)}{margin}...')


def _decorated(node: ast.stmt) -> ast.stmt:
    marks: list[ast.expr] = getattr(node, 'decorator_list', [])
    return ast.Pass(lineno=marks[0].lineno, col_offset=marks[0].col_offset - 1) if marks else node


def _failing(block: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that may fail."""
    for node in block:
        inner = [part for name in ('body', 'orelse', 'finalbody') for part in getattr(node, name, [])]
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if isinstance(node, (ast.If, ast.For, ast.While, ast.With, ast.Try)):
            handlers = getattr(node, 'handlers', [])
            yield from _failing([*inner, *(part for handler in handlers for part in handler.body)])
            heads = [getattr(node, name) for name in ('test', 'iter') if hasattr(node, name)]
            heads += [item.context_expr for item in getattr(node, 'items', [])]
            if any(_may_fail(head) for head in heads):
                yield node
        elif _may_fail(node):
            yield node


def _may_fail(node: ast.AST) -> bool:
    return any(isinstance(part, _FAILING) and not _is_print(part) for part in walk(node))


def _is_print(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == 'print'


_FAILING = (
    *(ast.Call, ast.Subscript, ast.Attribute, ast.BinOp, ast.UnaryOp, ast.Raise, ast.Assert, ast.Await),
    *(ast.Import, ast.ImportFrom, ast.Starred, ast.Delete, ast.Match),
)
