"""Generator functions, which Monty lacks, as functions that collect what they would yield."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.text.source import NEW_LINE, Edit, Source
from toolscript_sandbox.text.syntax import children, walk

from .program import Program
from .turns import is_endless

_Function = ast.FunctionDef


def collected(program: Program) -> Program:
    """The snippet with each finite generator function collecting its values in a list."""
    source, scene = program.source, program.scene
    edits = list[Edit]()
    for node in walk(source.tree):
        if isinstance(node, _Function) and _can_be_collected(node):
            scene.note(f'Let {node.name} collect what it yields.')
            edits += _edits(node, source)
    return program.edited(edits) if edits else program


def _can_be_collected(node: ast.FunctionDef) -> bool:
    parts = list(_own(node))
    yields = [part for part in parts if isinstance(part, (ast.Yield, ast.YieldFrom))]
    statements = [part.value for part in parts if isinstance(part, ast.Expr)]
    return bool(yields) and all(part in statements for part in yields) and not any(map(is_endless, parts))


def _edits(node: ast.FunctionDef, source: Source) -> Iterator[Edit]:
    first, last = node.body[0], node.body[-1]
    on_own_lines = first.lineno > node.lineno
    glue = NEW_LINE + ' ' * first.col_offset if on_own_lines else '; '
    yield Edit(source.start(first), source.start(first), f'_yielded = []{glue}')
    yield Edit(source.end(last), source.end(last), f'{glue}return iter(_yielded)')
    for part in _own(node):
        match part:
            case ast.Expr(value=ast.Yield(value=value)):
                text = 'None' if value is None else source.segment(value)
                yield source.replace(part, f'_yielded.append(({text}))')
            case ast.Expr(value=ast.YieldFrom(value=value)):
                yield source.replace(part, f'_yielded.extend(({source.segment(value)}))')
            case ast.Return():
                yield source.replace(part, 'return iter(_yielded)')
            case _:
                pass


def _own(node: ast.AST) -> Iterator[ast.AST]:
    for child in children(node):
        yield child
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            yield from _own(child)
