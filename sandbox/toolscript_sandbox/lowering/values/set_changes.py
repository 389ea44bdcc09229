"""`seen |= new`: a set changes where it is, which Monty's does not: it makes another one, and other names keep the old.

Only where the text has to do with sets is anything written otherwise, and never what is plainly done to numbers.
"""

from __future__ import annotations

import ast

from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.parts import is_repeatable
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.text.source import Edit
from toolscript_sandbox.text.syntax import all_of


def in_place(program: Program) -> Program:
    """The snippet with sets that are changed, not replaced."""
    found = [node for node in all_of(program.tree, ast.AugAssign) if type(node.op) in SET_CHANGES]
    found = [node for node in found if not _is_number(node.value)]
    if not found or not _may_have_sets(program):
        return program
    program.scene.pieces.add('sets')
    return program.edited([edit for node in found for edit in _edits(node, program)])


def _may_have_sets(program: Program) -> bool:
    tree = program.tree
    if all_of(tree, ast.Set) or all_of(tree, ast.SetComp) or program.scene.known:
        return True
    return any(node.id == 'set' for node in all_of(tree, ast.Name))


def _edits(node: ast.AugAssign, program: Program) -> list[Edit]:
    source, target = program.source, node.target
    version = guest('sets')
    assert version is not None
    changed, sign = version.prefixed(SET_CHANGES[type(node.op)]), _SIGNS[type(node.op)]
    start, end = source.start(node), source.end(node)
    place = source.text.index(sign, source.end(target))
    behind = place + len(sign)
    text = source.segment(target)
    if is_repeatable(target):
        return [Edit(place, behind, f'= {changed}({text},'), Edit(end, end, ')')]
    if isinstance(target, ast.Subscript):
        value, key = source.segment(target.value), source.segment(target.slice)
        key = f'({key})' if isinstance(target.slice, ast.Tuple) else key
        before = f'{version.prefixed("with_item")}({value}, {key}, {changed},'
    elif isinstance(target, ast.Attribute):
        before = f'{version.prefixed("with_attribute")}({source.segment(target.value)}, {target.attr!r}, {changed},'
    else:
        return []
    return [Edit(start, behind, before), Edit(end, end, ')')]


def _is_number(value: ast.expr) -> bool:
    match value:
        case ast.Constant():
            return True
        case ast.BinOp(
            op=ast.Mult() | ast.Div() | ast.FloorDiv() | ast.Mod() | ast.Pow() | ast.LShift() | ast.RShift()
        ):
            return True
        case ast.Call(func=ast.Name(id='len' | 'int' | 'float' | 'abs' | 'round' | 'sum' | 'ord' | 'bool')):
            return True
        case ast.UnaryOp() | ast.Compare():
            return True
        case _:
            return False


SET_CHANGES: dict[type[ast.operator], str] = {
    ast.BitOr: 'with_all_of',
    ast.BitAnd: 'with_shared',
    ast.Sub: 'without',
    ast.BitXor: 'with_one_of_both',
}
"""What changes a set where it is, by the sign."""
_SIGNS: dict[type[ast.operator], str] = {ast.BitOr: '|=', ast.BitAnd: '&=', ast.Sub: '-=', ast.BitXor: '^='}
