"""Rules for zones of time, in scripts that name `zoneinfo`: guest functions ask them what Python's `datetime` does."""

from __future__ import annotations

import ast

from toolscript_sandbox.lowering.parts import arguments, as_method, is_builtin, is_repeatable, keyword, piece
from toolscript_sandbox.lowering.rewriter import Rewriter, named
from toolscript_sandbox.text.refusals import Refused, refusal


def _called(node: ast.Call, r: Rewriter) -> str | None:
    return (_made(node, r) or _method(node, r) or _told(node, r)) if r.scene.zones else None


def _read(node: ast.Attribute, r: Rewriter) -> str | None:
    """`moment.tzinfo`."""
    if not r.scene.zones or not isinstance(node.ctx, ast.Load) or r.scene.module(node.value) is not None:
        return None
    return f'{_piece(r, f"{node.attr}_of")}({r.text(node.value)})'


def sums_in_zones(node: ast.BinOp | ast.AugAssign, r: Rewriter) -> str | None:
    """`moment + span`."""
    if not r.scene.zones:
        return None
    match node:
        case ast.BinOp(op=ast.Add() | ast.Sub()) if not _is_number(node.left) and not _is_number(node.right):
            name = 'plus' if isinstance(node.op, ast.Add) else 'minus'
            return f'{_piece(r, name)}({r.text(node.left)}, {r.text(node.right)})'
        case ast.AugAssign(op=ast.Add() | ast.Sub()) if is_repeatable(node.target) and not _is_number(node.value):
            name = 'increased' if isinstance(node.op, ast.Add) else 'decreased'
            target = r.source.segment(node.target)
            return f'{target} = {_piece(r, name)}({target}, {r.text(node.value)})'
        case _:
            return None


def _made(node: ast.Call, r: Rewriter) -> str | None:
    member = r.scene.member(node.func)
    if member == ('datetime', 'time') and (len(node.args) > 4 or keyword(node, 'tzinfo') is not None):
        said = 'A time of day has no zone here. Leave tzinfo out, and use datetime.combine(day, time, tzinfo=zone).'
        raise Refused([refusal(node, said)])
    if member != ('datetime', 'datetime') or (len(node.args) < 8 and keyword(node, 'tzinfo') is None):
        return None
    return f'{_piece(r, "made")}({arguments(node, r)})'


def _method(node: ast.Call, r: Rewriter) -> str | None:
    func = node.func
    if not isinstance(func, ast.Attribute) or r.scene.module(func.value) is not None:
        return None
    if func.attr == 'timetz':
        raise Refused([refusal(node, 'A time of day has no zone here. Use .time(), and keep the zone beside it.')])
    if func.attr not in _METHODS or (func.attr in ('tzname', 'dst') and node.args):
        return None
    return as_method(r, func, _piece(r, _METHODS[func.attr]), arguments(node, r))


def _told(node: ast.Call, r: Rewriter) -> str | None:
    """`print(moments)`: what holds moments shows them with their zones."""
    if is_builtin(node, 'repr', r) and len(node.args) == 1:
        return f'{_piece(r, "repr_of")}({arguments(node, r)})'
    if not (is_builtin(node, 'print', r) or (is_builtin(node, 'str', r) and len(node.args) == 1)):
        return None
    parts = [_text(argument, r) for argument in node.args]
    parts += [f'{part.arg}={r.text(part.value)}' if part.arg else f'**{r.text(part.value)}' for part in node.keywords]
    assert isinstance(node.func, ast.Name)
    return f'{node.func.id}({", ".join(parts)})'


def _text(argument: ast.expr, r: Rewriter) -> str:
    if isinstance(argument, ast.Starred):
        return f'*map({_piece(r, "text_of")}, {r.text(argument.value)})'
    if isinstance(argument, (ast.Constant, ast.JoinedStr)):
        return r.text(argument)
    return f'{_piece(r, "text_of")}({r.text(argument)})'


def _is_number(value: ast.expr) -> bool:
    return isinstance(value, (ast.Constant, ast.JoinedStr, ast.List, ast.Tuple))


def _piece(r: Rewriter, name: str) -> str:
    r.scene.pieces.add('date_methods')
    return piece(r, 'zoneinfo', name)


_METHODS = {
    'astimezone': 'astimezone',
    'combine': 'combine',
    'dst': 'dst_of',
    'fromtimestamp': 'fromtimestamp',
    'now': 'now',
    'replace': 'replace',
    'strftime': 'strftime',
    'timetuple': 'timetuple',
    'tzname': 'name_of',
}
CALLS_OF_ZONES = (named(_called, 'datetime', 'time', 'timetz', 'repr', 'print', 'str', *_METHODS),)
PARTS_OF_ZONES = (named(_read, 'tzinfo', 'fold'),)
