"""Classes of the library that scripts inherit from (`class Encoder(json.JSONEncoder)`), put into the script as text.

What inherits is written with what it inherits (`inheritance.py`), so that a base has to stand in the script itself.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.text.source import NEW_LINE, Edit
from toolscript_sandbox.text.syntax import all_of


def with_library_bases(program: Program) -> Program:
    """The program with such classes in front, under names of their own."""
    if not program.scene.has_modules:
        return program
    places = [
        node
        for kind in (ast.Name, ast.Attribute)
        for node in all_of(program.tree, kind)
        if isinstance(node.ctx, ast.Load) and program.scene.member(node) == ENCODER
    ]
    imports = _imports(program.tree)
    if not places and not imports:
        return program
    program.scene.pieces.add('json')
    edits = [program.source.replace(node, _NAME) for node in places]
    edits += [edit for node in imports for edit in _without(node, program)]
    return program.edited([*_in_front(program), *edits])


def _imports(tree: ast.Module) -> list[ast.ImportFrom]:
    found = (node for node in all_of(tree, ast.ImportFrom) if node.module == ENCODER[0])
    return [node for node in found if any(alias.name == ENCODER[1] for alias in node.names)]


def _without(node: ast.ImportFrom, program: Program) -> Iterator[Edit]:
    kept = [ast.unparse(alias) for alias in node.names if alias.name != ENCODER[1]]
    named = [f'{alias.asname or alias.name} = {_NAME}' for alias in node.names if alias.name == ENCODER[1]]
    start = [f'from {ENCODER[0]} import {", ".join(kept)}'] if kept else []
    yield program.source.replace(node, '; '.join([*start, *named]))


def _in_front(program: Program) -> Iterator[Edit]:
    first = next(node for node in program.tree.body if not _must_be_first(node))
    marks = getattr(first, 'decorator_list', [])
    place = program.source.start(marks[0]) - 1 if marks else program.source.start(first)
    version = guest('json')
    assert version is not None
    text = _ENCODER.format(name=_NAME, dumps=version.prefixed('dumps')).replace('\n', NEW_LINE)
    yield Edit(place, place, text)


def _must_be_first(node: ast.stmt) -> bool:
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_text or (isinstance(node, ast.ImportFrom) and node.module == '__future__')


ENCODER = ('json', 'JSONEncoder')
_NAME = '_JSONEncoder'
_ENCODER = """\
class {name}:
    def __init__(self, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, sort_keys=False,\
 indent=None, separators=None, default=None):
        self._options = dict(skipkeys=skipkeys, ensure_ascii=ensure_ascii, allow_nan=allow_nan, sort_keys=sort_keys,\
 indent=indent, separators=separators)
        self._default = default
    def default(self, o):
        if self._default is not None: return self._default(o)
        raise TypeError(f'Object of type {{type(o).__name__}} is not JSON serializable')
    def encode(self, o):
        return {dumps}(o, default=self.default, **self._options)
    def iterencode(self, o, _one_shot=False):
        return iter([self.encode(o)])
"""
"""Not its `item_separator` and `key_separator`, which nobody sets."""
