"""`a == b` of lists and dicts that may hold themselves: Monty compares until its stack ends, Python raises an error."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.lowering.rewriter import Rewriter
from toolscript_sandbox.text.source import Edit
from toolscript_sandbox.text.syntax import all_of

from .circles import may_be_circles, may_hold_itself
from .shown_values import has_ordered_dicts


def with_bounded_comparisons(program: Program) -> Program:
    """The snippet with such comparisons made by a guest's function, down to a certain depth."""
    tree, scene = program.tree, program.scene
    nodes = [node for node in all_of(tree, ast.Compare) if isinstance(node.ops[0], (ast.Eq, ast.NotEq))]
    # Ordered dicts are compared in a way of their own.
    if not nodes or not may_hold_itself(tree) or has_ordered_dicts(tree, scene):
        return program
    r = Rewriter(program)
    edits = [edit for node in nodes for edit in _compared(node, r)]
    if edits:
        scene.pieces.add('whole')
    return program.edited(edits)


def _compared(node: ast.Compare, r: Rewriter) -> Iterator[Edit]:
    if len(node.ops) > 1 or not may_be_circles([node.left, *node.comparators], r.source.tree):
        return
    if any(isinstance(outer, ast.JoinedStr) and not r.is_placed(outer) for outer in r.above(node)):
        return
    word, function = ('==', 'equal') if isinstance(node.ops[0], ast.Eq) else ('!=', 'unequal')
    start, end = r.source.end(node.left), r.source.start(node.comparators[0])
    version = guest('whole')
    assert version is not None
    yield Edit(start, end, r.source.text[start:end].replace(word, ',', 1))
    yield from r.source.wrap(node, f'{version.prefixed(function)}(', ')')
