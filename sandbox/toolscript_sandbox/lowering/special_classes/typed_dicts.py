"""`class Row(TypedDict)`: at run time a typed dict is a dict, whatever it is told and whoever inherits from it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.lowering.classes.lineage import last_name
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.text.source import Edit
from toolscript_sandbox.text.syntax import all_of


def with_typed_dicts(program: Program) -> Program:
    """The program with such classes, and calls that make them, as other names of `dict`."""
    if 'TypedDict' not in program.scene.names.used:
        return program
    return program.edited(_edits(program))


def _edits(program: Program) -> Iterator[Edit]:
    known = {'TypedDict'}
    for node in sorted(all_of(program.tree, ast.ClassDef), key=lambda node: node.lineno):
        if any(last_name(base) in known for base in node.bases):
            known.add(node.name)
            yield program.source.replace(node, f'{node.name} = dict')
    for call in all_of(program.tree, ast.Call):
        if program.scene.member(call.func) == ('typing', 'TypedDict'):
            yield program.source.replace(call, 'dict')
