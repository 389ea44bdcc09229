"""Rules for methods that Monty never asks: `a += b`, `a != b`, `del a[b]` and `reversed(a)` of a class's own.

Only snippets with a class that has such a method (and sessions that have had one) are rewritten.
"""

from __future__ import annotations

import ast

from toolscript_sandbox.lowering.parts import BYTE_ARRAYS, defines, is_builtin, is_repeatable, piece
from toolscript_sandbox.lowering.rewriter import Node, Rewriter, named
from toolscript_sandbox.lowering.values.set_changes import SET_CHANGES
from toolscript_sandbox.text.refusals import Refused, refusal


def operators(node: Node, r: Rewriter) -> str | None:
    """The operator as a call that asks the method first."""
    match node:
        case ast.AugAssign(op=op) if defines(r, _IN_PLACE[type(op)][0]) or _extends_bytes(node, r):
            return _in_place(node, r)
        case ast.Compare(ops=ops) if any(isinstance(sign, ast.NotEq) for sign in ops) and defines(r, '__ne__'):
            if len(ops) > 1:
                raise Refused([refusal(node, 'Write != by itself here, where a class says what it means.')])
            return f'{piece(r, "members", "unequal")}({r.text(node.left)}, {r.text(node.comparators[0])})'
        case _:
            return None


def _extends_bytes(node: ast.AugAssign, r: Rewriter) -> bool:
    """`data += part` and `data *= 2`, where there are byte arrays."""
    is_number = isinstance(node.value, ast.Constant) and isinstance(node.value.value, (int, float, str))
    is_added = isinstance(node.op, ast.Add) and not is_number
    return BYTE_ARRAYS in r.scene.kin and (is_added or isinstance(node.op, ast.Mult))


def _in_place(node: ast.AugAssign, r: Rewriter) -> str:
    if not is_repeatable(node.target):
        raise Refused([refusal(node.target, 'Write this as a = a.method(b), or keep the object in a variable first.')])
    name, sign = _IN_PLACE[type(node.op)]
    target = r.text(node.target)
    plain = SET_CHANGES.get(type(node.op))
    other = piece(r, 'sets', plain) if plain else f'lambda _left, _right: _left {sign} _right'
    other = piece(r, 'members', 'extended') if isinstance(node.op, ast.Add) else other
    other = piece(r, 'builtins', 'repeated') if isinstance(node.op, ast.Mult) else other
    return f'{target} = {piece(r, "members", "in_place")}({target}, {r.text(node.value)}, {name!r}, {other})'


def _asked(node: ast.Call, r: Rewriter) -> str | None:
    """`reversed(queue)`."""
    if is_builtin(node, 'reversed', r) and len(node.args) == 1:
        asked = defines(r, '__reversed__') or defines(r, '__getitem__')
        return f'{piece(r, "iterators", "reversed")}({r.text(node.args[0])})' if asked else None
    return None


_IN_PLACE: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ('__iadd__', '+'),
    ast.Sub: ('__isub__', '-'),
    ast.Mult: ('__imul__', '*'),
    ast.Div: ('__itruediv__', '/'),
    ast.FloorDiv: ('__ifloordiv__', '//'),
    ast.Mod: ('__imod__', '%'),
    ast.Pow: ('__ipow__', '**'),
    ast.MatMult: ('__imatmul__', '@'),
    ast.BitAnd: ('__iand__', '&'),
    ast.BitOr: ('__ior__', '|'),
    ast.BitXor: ('__ixor__', '^'),
    ast.LShift: ('__ilshift__', '<<'),
    ast.RShift: ('__irshift__', '>>'),
}
ASKED_BY_RULES = frozenset(['__ne__', '__delitem__', '__reversed__', *(name for name, _ in _IN_PLACE.values())])
"""Methods that these rules ask."""
OPERATOR_RULES = (named(_asked, 'reversed'),)
