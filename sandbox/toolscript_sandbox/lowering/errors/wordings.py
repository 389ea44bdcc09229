"""Messages of exceptions that a handler looks at, in Python's words (`guest/wording.py`).

Where exceptions are objects of the guest's (`own_errors.py`), these have been worded by then.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.text.source import NEW_LINE, Edit, Source
from toolscript_sandbox.text.syntax import all_of, walk


def with_wordings(program: Program) -> Program:
    """The snippet with its handlers given such exceptions."""
    scene = program.scene
    if scene.errors or 'errors' in scene.pieces:
        return program
    edits = [edit for node in all_of(program.tree, ast.ExceptHandler) for edit in _worded(node, program.source)]
    if edits:
        scene.pieces.add('wording')
    return program.edited(edits)


def _worded(node: ast.ExceptHandler, source: Source) -> Iterator[Edit]:
    name, first = node.name, node.body[0]
    if name is None or not any(
        isinstance(part, ast.Name) and part.id == name for body in node.body for part in walk(body)
    ):
        return
    version = guest('wording')
    assert version is not None
    glue = '; ' if first.lineno == node.lineno else f'{NEW_LINE}{" " * first.col_offset}'
    start = source.start(first)
    yield Edit(start, start, f'{name} = {version.prefixed("worded")}({name}){glue}')
