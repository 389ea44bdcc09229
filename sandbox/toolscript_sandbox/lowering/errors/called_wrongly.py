"""Calls with wrong arguments: of a method Python says `A.m()`, of a function inside `f.<locals>.g()`, and Monty `m()`.

Only where a handler may look at the message. Where several functions have the name, the message says which it may be.
"""

from __future__ import annotations

import ast

from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.text.syntax import all_of, index_of

from .failures import kinds_looked_at


def with_places_of_functions(program: Program) -> Program:
    """The snippet, to which is said where its functions stand (`guest/wording.py`)."""
    if not kinds_looked_at(program.tree) & _OF_TYPES:
        return program
    functions = [*all_of(program.tree, ast.FunctionDef), *all_of(program.tree, ast.AsyncFunctionDef)]
    parents, table = index_of(program.tree).parents, dict[str, list[tuple[str, list[str], int]]]()
    for node in functions:
        parameters = [part.arg for part in (*node.args.posonlyargs, *node.args.args)]
        names = [*parameters, *(part.arg for part in node.args.kwonlyargs)]
        table.setdefault(node.name, []).append((_place(node, parents), names, len(parameters)))
    nested = {name: found for name, found in table.items() if any(place != name for place, _, _ in found)}
    if nested:
        program.scene.imports.append(f'_function_places = {nested!r}')
    return program


def _place(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> str:
    names = [getattr(node, 'name', '')]
    while (outer := parents.get(node)) is not None:
        if isinstance(outer, ast.ClassDef):
            names.append(outer.name)
        elif isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef)):
            names += ['<locals>', outer.name]
        node = outer
    return '.'.join(reversed(names))


_OF_TYPES = frozenset(['BaseException', 'Exception', 'TypeError'])
