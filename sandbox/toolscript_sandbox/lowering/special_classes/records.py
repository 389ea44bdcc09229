"""`NamedTuple` with methods, as a frozen dataclass that is a tuple too: stands in for heirs of tuples.

What is shown, compared, taken apart and given away is that of a tuple. One without methods becomes a
`namedtuple` (`statements.py`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.lowering.classes.kinds import LINES
from toolscript_sandbox.lowering.classes.lineage import last_name, methods
from toolscript_sandbox.lowering.classes.ordering import COMPARISONS
from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.source import NEW_LINE, Edit, Source
from toolscript_sandbox.text.syntax import all_of


def with_records(program: Program) -> Program:
    """The snippet with such classes made dataclasses."""
    source, scene = program.source, program.scene
    found = [node for node in all_of(program.tree, ast.ClassDef) if is_record(node)]
    if not found:
        return program
    scene.pieces.add('records')
    scene.flattened = True
    scene.kin.update(dict.fromkeys([RECORDS, LINES, *COMPARISONS, '__len__'], ()))
    scene.imports.append('from dataclasses import dataclass as _dataclass')
    return program.edited(edit for node in found for edit in _edits(node, source))


RECORDS = 'typing.NamedTuple'
"""Among the kin of a session: that it has named tuples with methods."""


def is_record(node: ast.ClassDef) -> bool:
    """Whether it is a named tuple with methods."""
    return [last_name(base) for base in node.bases] == ['NamedTuple'] and bool(methods(node)) and not node.keywords


def _edits(node: ast.ClassDef, source: Source) -> Iterator[Edit]:
    if node.body[0].lineno == node.lineno:
        raise Refused([refusal(node, 'Write the fields on lines of their own.')])
    indent = NEW_LINE + ' ' * node.col_offset
    start = source.start(node.decorator_list[-1]) - 1 if node.decorator_list else source.start(node)
    yield Edit(start, start, f'@_dataclass(frozen=True){indent}')
    opening = source.text.index('(', source.start(node))
    yield Edit(opening, source.text.index(')', source.end(node.bases[-1])) + 1, '')
    own = {method.name for method in methods(node)}
    inner, end = NEW_LINE + ' ' * node.body[0].col_offset, source.end(node)
    members = ''.join(f'{inner}{name} = {_piece(stand_in)}' for name, stand_in in _MEMBERS.items() if name not in own)
    yield Edit(end, end, f'{members}{indent}{_piece("made")}({node.name})')


def _piece(name: str) -> str:
    version = guest('records')
    assert version is not None
    return version.prefixed(name)


_MEMBERS = {
    '__iter__': 'walked',
    '__getitem__': 'at',
    '__len__': 'size',
    '__eq__': 'equal',
    '__hash__': 'hashed',
    '__contains__': 'has',
    '__lt__': 'less',
    '__le__': 'at_most',
    '__gt__': 'greater',
    '__ge__': 'at_least',
    '__add__': 'joined',
    '__mul__': 'repeated',
    'index': 'index',
    'count': 'count',
    '_asdict': 'as_dict',
    '_replace': 'replaced',
}
