"""Variables of comprehensions that are named like builtins: Monty takes them for these (`[max for max in xs]`)."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.scopes import Scope, scopes_of
from toolscript_sandbox.text.source import Edit
from toolscript_sandbox.text.syntax import all_of, walk


def renamed(program: Program) -> Program:
    """The program with such variables under another name."""
    if not any(all_of(program.tree, kind) for kind in _COMPREHENSIONS):
        return program
    scopes = scopes_of(program.tree)
    taken = [
        scope
        for scope in scopes.opened.values()
        if scope.kind == 'comprehension' and any(hasattr(builtins, name) for name in scope.bound)
    ]
    return program.edited(_edits(program, taken)) if taken else program


def _edits(program: Program, taken: list[Scope]) -> Iterator[Edit]:
    scopes, odd = scopes_of(program.tree), set[Scope | None](taken)
    found = [
        node for node in all_of(program.tree, ast.Name) if hasattr(builtins, node.id) and scopes.owner(node) in odd
    ]
    misplaced = {part for text in all_of(program.tree, ast.JoinedStr) for part in walk(text)}
    for node in found:
        if node in misplaced and program.source.segment(node) != node.id:
            message = f'Inside an f-string, a comprehension cannot call its variable {node.id}. Take another name.'
            raise Refused([refusal(node, message)])
        yield program.source.replace(node, f'_own_{node.id}')


_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
