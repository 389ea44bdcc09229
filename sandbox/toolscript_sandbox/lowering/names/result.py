"""The value of a snippet, kept under a name."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from itertools import count

from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.text.source import NEW_LINE, Edit, Source
from toolscript_sandbox.text.syntax import all_of, children


def named_result(program: Program, taken: Container[str]) -> tuple[Program, str | None]:
    """The snippet with its final value kept in a variable, and that variable's name; None where it has no value.

    A final `total = ...` counts as an expression, for models end on an assignment and mean its value; so do the ends of
    the branches of a final `if`, `try` or `with`, and top-level `return`s.
    """
    source, body = program.source, program.tree.body
    if not body:
        return program, None
    simple = _simple_name(body[-1])
    returns = list(_returns(source.tree)) if all_of(source.tree, ast.Return) else []
    if simple is not None and not returns:
        end = source.end(body[-1])
        bare = isinstance(body[-1], ast.Expr)
        return (program if bare else program.edited([Edit(end, end, f'; {simple}')])), simple
    ends = list(_ends(body[-1]))
    if not ends and not returns:
        return program, None
    name = next(name for number in count(1) if (name := f'result_{number}') not in taken)
    named = program.edited(_kept(source, name, ends, returns))
    return (program, None) if named is program else (named, name)


def _kept(source: Source, name: str, ends: list[ast.stmt], returns: list[ast.Return]) -> list[Edit]:
    first, last = source.tree.body[0], source.tree.body[-1]
    edits = list[Edit]()
    if returns or ends != [last]:
        edits.append(Edit(source.start(_decorated(first)), source.start(_decorated(first)), f'{name} = None{NEW_LINE}'))
    for end in ends:
        edits += _kept_end(source, name, end)
    for node in returns:
        if node.value is not None:
            start = source.start(node)
            edits.append(Edit(start, start + len('return'), f'{name} = ('))
            edits.append(Edit(source.end(node), source.end(node), f'); return {name}'))
    behind = source.end(last)
    glue = '; ' if ends == [last] else NEW_LINE
    return [*edits, Edit(behind, behind, f'{glue}{name}')]


def _kept_end(source: Source, name: str, end: ast.stmt) -> list[Edit]:
    if isinstance(end, ast.Expr):
        return source.wrap(end, f'{name} = (', ')')
    if isinstance(end, ast.Assign):
        return [Edit(source.start(end), source.start(end), f'{name} = ')]
    target = end.target if isinstance(end, (ast.AnnAssign, ast.AugAssign)) else None
    text = '' if target is None else f'; {name} = {source.segment(target)}'
    return [Edit(source.end(end), source.end(end), text)]


def _decorated(node: ast.stmt) -> ast.stmt | ast.expr:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.decorator_list:
        return ast.copy_location(ast.Pass(), _at_sign(node.decorator_list[0]))
    return node


def _at_sign(decorator: ast.expr) -> ast.expr:
    place = ast.Name('_')
    place.lineno, place.col_offset = decorator.lineno, decorator.col_offset - 1
    place.end_lineno, place.end_col_offset = decorator.end_lineno, decorator.end_col_offset
    return place


def _ends(node: ast.stmt) -> Iterator[ast.stmt]:
    match node:
        case ast.Expr(value=value):
            if not _is_silent(value):
                yield node
        case ast.Assign(targets=[ast.Name()]) | ast.AnnAssign(value=ast.expr()) | ast.AugAssign():
            yield node
        case ast.If(body=body, orelse=orelse):
            yield from _ends(body[-1])
            yield from _ends(orelse[-1]) if orelse else ()
        case ast.With(body=body):
            yield from _ends(body[-1])
        case ast.Try(body=body, handlers=handlers, orelse=orelse):
            yield from _ends((orelse or body)[-1])
            for handler in handlers:
                yield from _ends(handler.body[-1])
        case _:
            pass


def _simple_name(last: ast.stmt) -> str | None:
    match last:
        case ast.Expr(value=ast.Name(id=name)):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
            return name
        case ast.AugAssign(target=ast.Name(id=name)):
            return name
        case _:
            return None


def _is_silent(value: ast.expr) -> bool:
    call = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == 'print'
    return call or (isinstance(value, ast.Constant) and (value.value is None or value.value is ...))


def _returns(node: ast.AST) -> Iterator[ast.Return]:
    for child in children(node):
        if isinstance(child, ast.Return):
            yield child
        elif not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)):
            yield from _returns(child)
