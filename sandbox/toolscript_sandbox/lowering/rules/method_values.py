"""Methods of builtin types that are kept or passed on (`add = seen.add`): in Monty they can only be called.

What has the method is known only at run time: the object may be one of a class of the script, whose methods and
variables are values. Where no function can be meant (`orders = page.items`, and nothing ever calls `orders`; a list of
`row.title`), it is left alone, so that it is told at that place what is wrong.
"""

from __future__ import annotations

import ast
import random
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta

from toolscript_sandbox.lowering.parts import is_builtin, piece
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.lowering.rewriter import Node, Rewriter, Rules
from toolscript_sandbox.text.syntax import all_of


def with_method_values(program: Program) -> Program:
    """The program with functions in the place of such methods."""
    if not any(_could_be(node) for node in all_of(program.tree, ast.Attribute)):
        return program
    return program.edited(Rewriter(program, _RULES).edits())


def _as_function(node: Node, r: Rewriter) -> str | None:
    if not isinstance(node, ast.Attribute) or not _could_be(node) or r.scene.module(node.value) is not None:
        return None
    is_called = _is_called(node, r)
    kind = _type_of(node.value, r)
    if kind is not None and node.attr in _SIGNS:
        return f'{piece(r, "signs", "meant")}({node.attr!r})' if hasattr(kind, node.attr) else None
    if kind is not None:
        return None if is_called else _of_type(node, kind, r)
    if node.attr in _SIGNS:
        if _is_of_class(node.value, r):
            return None
        function = f'{piece(r, "signs", "meant")}({node.attr!r})'
    elif is_called or not _is_kept(node, r):
        return None
    else:
        function = _calling(node.attr)
    kinds = ' '.join(sorted(_KINDS_BY_METHOD.get(node.attr, ())))
    return f'{piece(r, "builtins", "method_value")}({r.text(node.value)}, {node.attr!r}, {kinds!r}, {function})'


def _of_type(node: ast.Attribute, kind: type, r: Rewriter) -> str | None:
    """`str.lower`, which gets the object as its first argument; `dict.fromkeys` gets none."""
    if node.attr.startswith('_') or not hasattr(kind, node.attr):
        return None
    own = r.text(node.value)
    if node.attr in _OF_THE_TYPE:
        return f'(lambda *_rest, **_more: {own}.{node.attr}(*_rest, **_more))'
    return f'({_calling(node.attr)})'


def _calling(method: str) -> str:
    # Methods without keywords have rules of their own, which know calls without.
    more = '' if method in _BY_PLACE else ', **_more'
    return f'lambda _it, *_rest{more}: _it.{method}(*_rest{more})'


def _could_be(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Load) and (node.attr in _KINDS_BY_METHOD or node.attr in _SIGNS)


def _type_of(node: ast.expr, r: Rewriter) -> type | None:
    if isinstance(node, ast.Name) and node.id in _BUILTIN and r.scene.is_free(node):
        return _BUILTIN[node.id]
    member = r.scene.member(node)
    return None if member is None else _IMPORTED.get(member)


def _is_of_class(value: ast.expr, r: Rewriter) -> bool:
    """Whether it is a class of the script, or `super()`, whose methods are values."""
    match value:
        case ast.Call(func=ast.Name(id='super')):
            return True
        case ast.Name(id=name):
            return name in r.once('classes', lambda: [one.name for one in all_of(r.source.tree, ast.ClassDef)])
        case _:
            return False


def _is_called(node: ast.Attribute, r: Rewriter) -> bool:
    parent = r.parent(node)
    return isinstance(parent, ast.Call) and parent.func is node


def _is_kept(node: ast.Attribute, r: Rewriter) -> bool:
    """Whether a function may be meant where it stands."""
    parent = r.parent(node)
    match parent:
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
            return _is_called_later(target, r)
        case ast.Tuple(elts=values) if isinstance(target := _target(parent, r), ast.Tuple):
            at = values.index(node)
            return at < len(target.elts) and _is_called_later(target.elts[at], r)
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _TAKING_FUNCTIONS:
            return first is node
        case ast.keyword(arg='key'):
            return True
        case _:
            return node.attr not in _NAMES_OF_DATA and _is_passed_on(node, r)


def _target(value: ast.expr, r: Rewriter) -> ast.expr | None:
    parent = r.parent(value)
    return parent.targets[0] if isinstance(parent, ast.Assign) else None


def _is_called_later(target: ast.expr, r: Rewriter) -> bool:
    called = r.once('called names', lambda: _called(r.source.tree))
    match target:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in called
        case _:
            return False


def _is_passed_on(node: ast.expr, r: Rewriter) -> bool:
    parent = r.parent(node)
    match parent:
        case ast.Call(func=ast.Name(id=name)) if is_builtin(parent, name, r):
            return False
        case ast.Call(func=func):
            return r.scene.called(func) is None
        case ast.keyword():
            call = r.parent(parent)
            return isinstance(call, ast.Call) and r.scene.called(call.func) is None
        case ast.IfExp(test=test) if test is not node:
            return True
        case ast.NamedExpr() | ast.Tuple() | ast.List() | ast.Dict() | ast.Return() | ast.arguments() | ast.Lambda():
            return True
        case _:
            return False


def _called(tree: ast.Module) -> Iterable[str]:
    for call in all_of(tree, ast.Call):
        for function in (call.func, *(word.value for word in call.keywords), *call.args[:1]):
            yield from _names_of_one(function)


def _names_of_one(function: ast.expr) -> Iterable[str]:
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            yield name
        case ast.IfExp(body=body, orelse=other):
            yield from (*_names_of_one(body), *_names_of_one(other))
        case _:
            pass


_OF_THE_TYPE = frozenset(
    [
        *('fromkeys', 'fromhex', 'from_bytes', 'maketrans', 'now', 'utcnow', 'today', 'strptime', 'combine'),
        *('fromisoformat', 'fromisocalendar', 'fromordinal', 'fromtimestamp', 'utcfromtimestamp'),
    ]
)
"""Methods that need no object."""
_NAMES_OF_DATA = frozenset(
    [
        *('title', 'count', 'index', 'date', 'time', 'items', 'values', 'keys', 'total', 'format', 'timestamp', 'copy'),
        *('weekday', 'sample', 'seed', 'choice', 'choices', 'elements', 'today', 'now', 'center'),
    ]
)
"""Methods that are also what fields are called."""
_BY_PLACE = frozenset(
    ['find', 'rfind', 'index', 'rindex', 'count', 'startswith', 'endswith', 'union', 'intersection', 'difference']
)
_TAKING_FUNCTIONS = frozenset(['map', 'filter', 'reduce', 'callable', 'iter'])
_BUILTIN: dict[str, type] = {
    kind.__name__: kind for kind in (str, bytes, list, dict, set, frozenset, tuple, int, float, bool)
}
_IMPORTED: dict[tuple[str, str], type] = {
    ('datetime', kind.__name__): kind for kind in (datetime, date, time, timedelta)
}
_KINDS: tuple[type, ...] = (
    *_BUILTIN.values(),
    *_IMPORTED.values(),
    *(deque, defaultdict, Counter, OrderedDict, range, random.Random),
)


def _kinds_by_method() -> dict[str, frozenset[str]]:
    found = dict[str, set[str]]()
    for kind in _KINDS:
        for name in dir(kind):
            if not name.startswith('_') and callable(getattr(kind, name)):
                found.setdefault(name, set()).add(kind.__name__)
    return {name: frozenset(kinds) for name, kinds in found.items()}


_KINDS_BY_METHOD = _kinds_by_method()
"""By the name of a method, the types that have it."""
_SIGN_WORDS = (
    'getitem setitem delitem contains len next iter neg pos invert abs int float bool str repr hash '
    'format eq ne lt le gt ge add sub mul truediv floordiv mod pow and or xor lshift rshift radd rsub rmul'
)
_SIGNS = frozenset(f'__{name}__' for name in _SIGN_WORDS.split())
"""Methods that Monty's types only have as syntax."""
_RULES = Rules({ast.Attribute: (_as_function,)})
