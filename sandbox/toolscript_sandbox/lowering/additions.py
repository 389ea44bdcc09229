"""`items += (1, 2)`: a list takes whatever can be iterated over, which Monty's does not."""

from __future__ import annotations

import ast

from toolscript_sandbox.text.syntax import all_of

from .guest_modules import guest
from .program import Program


def extended(program: Program) -> Program:
    """The snippet with what is added to lists made lists, where it is plainly none."""
    found = [node for node in all_of(program.tree, ast.AugAssign) if isinstance(node.op, ast.Add)]
    found = [node for node in found if _is_iterable(node.value) and is_plain(node.target)]
    if not found:
        return program
    version = guest('builtins')
    assert version is not None
    program.scene.pieces.add('builtins')
    addend, source = version.prefixed('addend'), program.source
    targets = [(source.segment(node.target), node.value) for node in found]
    return program.edited(
        edit for target, value in targets for edit in source.wrap(value, f'{addend}({target}, (', '))')
    )


def _is_iterable(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        name = value.func.attr if isinstance(value.func, ast.Attribute) else ''
        name = value.func.id if isinstance(value.func, ast.Name) else name
        return name in _ITERABLES
    return isinstance(value, (ast.Tuple, ast.Set, ast.SetComp, ast.Dict, ast.DictComp, ast.GeneratorExp))


def is_plain(target: ast.expr) -> bool:
    """Whether it can be read once more."""
    match target:
        case ast.Name() | ast.Constant():
            return True
        case ast.Attribute(value=value):
            return is_plain(value)
        case ast.Subscript(value=value, slice=key):
            return is_plain(value) and is_plain(key)
        case _:
            return False


_ITERABLES = frozenset(
    ['dict', 'enumerate', 'filter', 'items', 'keys', 'map', 'range', 'reversed', 'set', 'tuple', 'values', 'zip']
)
