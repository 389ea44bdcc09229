"""Rules for names, attributes and awaits."""

from __future__ import annotations

import ast
import builtins

from toolscript_sandbox.contract.functions import HOST
from toolscript_sandbox.text.syntax import all_of

from .guest_modules import offers
from .monty_features import METHODS_OF_TYPES
from .own_errors import OF_SYSTEM
from .parts import defines, piece
from .rewriter import Node, Rewriter
from .tasks import awaited, native_gather


def expressions(node: Node, r: Rewriter) -> str | None:
    """The first rule that knows the expression."""
    if isinstance(node, ast.Await):
        return _needless_await(node, r) or awaited(node, r)
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        return _guest_member(node, r) or _method_as_value(node, r)
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        return _hidden_function(node, r) or _guest_builtin(node, r)
    if isinstance(node, ast.Compare):
        return _compared(node, r)
    if isinstance(node, ast.BinOp):
        return _scaled(node, r)
    return None


def _needless_await(node: ast.Await, r: Rewriter) -> str | None:
    """`await f()` where f is called without."""
    called = node.value
    function = r.scene.called(called.func) if isinstance(called, ast.Call) else None
    if function is None or not function.sequential:
        return None
    r.scene.note(f'Dropped `await` before {function.name}, which is called without it.')
    return f'({r.text(called)})'


def _guest_member(node: ast.Attribute, r: Rewriter) -> str | None:
    member = r.scene.member(node)
    if member is None or not offers(*member) or member in _HANDLED:
        return None
    if member[0] == 'asyncio' and (not r.scene.tasks or native_gather(node, r)):
        return None
    return piece(r, *member)


def _method_as_value(node: ast.Attribute, r: Rewriter) -> str | None:
    """`key=d.get`, `map(str.lower, xs)`: methods of builtin types are no values in Monty."""
    parent = r.parent(node)
    if node.attr not in METHODS_OF_TYPES or (isinstance(parent, ast.Call) and parent.func is node):
        return None
    if r.scene.module(node.value) is not None:
        return None
    if isinstance(node.value, ast.Name) and node.value.id in _TYPES and _is_type(node.value, r):
        return f'(lambda _it, *_rest: _it.{node.attr}(*_rest))'
    if not _is_passed_on(node, r):
        return None
    return f'(lambda *_rest: {r.text(node.value)}.{node.attr}(*_rest))'


def _is_type(node: ast.Name, r: Rewriter) -> bool:
    return r.scene.is_free(node) or r.scene.member(node) == ('datetime', node.id)


def _is_passed_on(node: ast.Attribute, r: Rewriter) -> bool:
    parent = r.parent(node)
    if isinstance(parent, ast.keyword):
        return parent.arg == 'key'
    if not isinstance(parent, ast.Call) or not parent.args or parent.args[0] is not node:
        return False
    return isinstance(parent.func, ast.Name) and parent.func.id in ('map', 'filter', 'reduce', 'callable')


def _hidden_function(node: ast.Name, r: Rewriter) -> str | None:
    """`user = await user(1)`: the variable must not hide the function from the next call."""
    parent = r.parent(node)
    if not (isinstance(parent, ast.Call) and parent.func is node) or not r.scene.hidden(node):
        return None
    r.scene.hosts.add(node.id)
    return f'{HOST}{node.id}'


def _guest_builtin(node: ast.Name, r: Rewriter) -> str | None:
    name = node.id
    home = _STAND_INS.get(name, ('builtins', name))
    if not hasattr(builtins, name) or not offers(*home):
        return None
    taken = not r.scene.is_free(node) or r.scene.called(node) is not None
    return None if taken else piece(r, *home)


def _compared(node: ast.Compare, r: Rewriter) -> str | None:
    """`a < b` where a class of the snippet says what that means."""
    if len(node.ops) != 1 or not any(defines(r, method) for method in _ORDERS.values()):
        return None
    order = next((name for kind, name in _ORDERS.items() if isinstance(node.ops[0], kind)), None)
    if order is None or any(isinstance(o, ast.FunctionDef) and o.name in _ORDERS.values() for o in r.above(node)):
        return None
    left, right = r.text(node.left), r.text(node.comparators[0])
    return f'{piece(r, "builtins", _COMPARISONS[order])}({left}, {right})'


def _scaled(node: ast.BinOp, r: Rewriter) -> str | None:
    """`span * 1.5`, where the snippet has to do with spans of time: Monty multiplies them by whole numbers."""
    name = 'times' if isinstance(node.op, ast.Mult) else 'divided' if isinstance(node.op, ast.Div) else None
    if name is None or not r.once('timedelta', lambda: _spans(r)):
        return None
    sides = [part for part in (node.left, node.right) if isinstance(part, (ast.Constant, ast.JoinedStr))]
    if any(not (isinstance(part, ast.Constant) and isinstance(part.value, float)) for part in sides):
        return None
    return f'{piece(r, "datetime", name)}({r.text(node.left)}, {r.text(node.right)})'


def _spans(r: Rewriter) -> list[str]:
    tree = r.source.tree
    named = {node.attr for node in all_of(tree, ast.Attribute)} | {node.id for node in all_of(tree, ast.Name)}
    return ['timedelta'] if 'timedelta' in named else []


_ORDERS = {ast.Lt: '__lt__', ast.Gt: '__gt__', ast.LtE: '__le__', ast.GtE: '__ge__'}
_COMPARISONS = {'__lt__': 'less', '__gt__': 'greater', '__le__': 'at_most', '__ge__': 'at_least'}
_TYPES = frozenset(['str', 'bytes', 'list', 'dict', 'set', 'int', 'float', 'tuple', 'datetime', 'date'])
_STAND_INS = {'round': ('rounding', 'rounded'), **{name: ('errors', name) for name in OF_SYSTEM}}
_HANDLED = {('json', 'dumps'), ('json', 'loads')}
