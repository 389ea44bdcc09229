"""`def tag(name, /, **attributes)`, which may be called as `tag('a', name='x')`: Monty takes that for the parameter.

Such parameters get a name that nobody gives, and the function starts by calling them what they are called.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.text.source import NEW_LINE, Edit, Source
from toolscript_sandbox.text.syntax import all_of


def with_positional_only(program: Program) -> Program:
    """The snippet with such parameters renamed."""
    tree = program.tree
    functions = (*all_of(tree, ast.FunctionDef), *all_of(tree, ast.AsyncFunctionDef), *all_of(tree, ast.Lambda))
    found = [node for node in functions if node.args.posonlyargs and node.args.kwarg]
    return program.edited(edit for node in found for edit in _edits(node, program.source))


def _edits(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, source: Source) -> Iterator[Edit]:
    names = [part.arg for part in node.args.posonlyargs]
    for part in node.args.posonlyargs:
        start = source.offset(part.lineno, part.col_offset)
        yield Edit(start, start, _PREFIX)
    if isinstance(node, ast.Lambda):
        given = ', '.join(f'{_PREFIX}{name}' for name in names)
        start, end = source.text.index(':', _end_of(node.args, source)) + 1, source.end(node)
        yield Edit(start, start, f' (lambda {", ".join(names)}:')
        yield Edit(end, end, f')({given})')
        return
    first = node.body[0]
    place = source.start(first)
    if isinstance(first, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and first.decorator_list:
        place = source.start(first.decorator_list[0]) - 1
    glue = f'{NEW_LINE}{" " * first.col_offset}' if first.lineno > node.lineno else '; '
    yield Edit(place, place, f'{"; ".join(f"{name} = {_PREFIX}{name}" for name in names)}{glue}')


def _end_of(given: ast.arguments, source: Source) -> int:
    """Behind the parameters, of which the one with two stars is the last."""
    assert given.kwarg is not None
    return source.offset(given.kwarg.end_lineno or 0, given.kwarg.end_col_offset or 0)


_PREFIX = '_only_'
