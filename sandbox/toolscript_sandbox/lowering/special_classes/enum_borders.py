"""Members of enumerations on their way out: those that are keys or stand in sets are given as their values.

Monty hands objects of classes out as what cannot be a key on the other side.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.contract.functions import HOST
from toolscript_sandbox.lowering.class_features import ENUMERATIONS
from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.text.syntax import all_of, index_of

from .records import RECORDS


def with_values_of_members(program: Program) -> Program:
    """The snippet, giving values instead of members to functions of the host, and to whoever asked for its result."""
    if program.scene.kin.keys().isdisjoint([ENUMERATIONS, RECORDS]):
        return program
    version = guest('enum')
    assert version is not None
    program.scene.pieces.add('enum')
    outward = version.prefixed('outward')
    leaving = [*_results(program), *_arguments(program)]
    source = program.source
    return program.edited(edit for node in leaving for edit in source.wrap(node, f'{outward}(', ')'))


def _results(program: Program) -> Iterator[ast.expr]:
    name, body = program.scene.result, program.tree.body
    match body[-1] if body else None:
        case ast.Expr(value=ast.Name() as value) if value.id == name:
            yield value
        case _:
            pass
    parents = index_of(program.tree).parents
    for node in all_of(program.tree, ast.Return):
        outer: ast.AST | None = node
        while outer is not None and not isinstance(outer, _FUNCTIONS):
            outer = parents.get(outer)
        if outer is None and node.value is not None:
            yield node.value


def _arguments(program: Program) -> Iterator[ast.expr]:
    for call in all_of(program.tree, ast.Call):
        if isinstance(call.func, ast.Name) and _is_host(call.func.id, program):
            given = [part.value if isinstance(part, ast.Starred) else part for part in call.args]
            given += [word.value for word in call.keywords]
            yield from (part for part in given if not isinstance(part, (ast.Constant, ast.JoinedStr)))


def _is_host(name: str, program: Program) -> bool:
    scene = program.scene
    return name.startswith(HOST) or (scene.functions.get(name) is not None and name not in scene.names.bound)


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
