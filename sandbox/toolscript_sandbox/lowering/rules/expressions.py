"""Rules for names, attributes and awaits.

Stands in for builtins and members of modules that Monty lacks and a guest has, for methods of `sys.stdout`, and for
spans of time times a fraction.
"""

from __future__ import annotations

import ast
import builtins

from toolscript_sandbox.contract.functions import HOST
from toolscript_sandbox.lowering.classes.ordering import home
from toolscript_sandbox.lowering.errors.own_errors import GROUPS, OF_SYSTEM
from toolscript_sandbox.lowering.guest_modules import offers
from toolscript_sandbox.lowering.parts import is_builtin, native, piece
from toolscript_sandbox.lowering.rewriter import Named, Node, Rewriter, Rule, named
from toolscript_sandbox.text.syntax import all_of, index_of

from .tasks import native_gather


def unawaited(node: ast.Await, r: Rewriter) -> str | None:
    """`await f()` where f is called without."""
    called = node.value
    function = r.scene.called(called.func) if isinstance(called, ast.Call) else None
    if function is None or not function.sequential:
        return None
    r.scene.note(f'Dropped `await` before {function.name}, which is called without it.')
    return f'({r.text(called)})'


def _guest_member(node: ast.Attribute, r: Rewriter) -> str | None:
    member = r.scene.member(node) if r.scene.has_modules and isinstance(node.ctx, ast.Load) else None
    if member is None or member in _HANDLED or not offers(home(*member, r), member[1]):
        return None
    if member[0] == 'asyncio' and (not r.scene.tasks or native_gather(node, r)):
        return None
    return piece(r, home(*member, r), member[1])


def sliced(node: Node, r: Rewriter) -> str | None:
    """`range(5)[::2]`, in snippets that keep ranges: Monty's shows another end."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
        return None
    match node.slice:
        case ast.Slice(lower=lower, upper=upper, step=ast.expr() as step) if r.once('ranges', lambda: _kept_ranges(r)):
            ends = ', '.join('None' if end is None else r.text(end) for end in (lower, upper, step))
            return f'{piece(r, "builtins", "sliced")}({r.text(node.value)}, {native(r, "slice")}({ends}))'
        case _:
            return None


def _kept_ranges(r: Rewriter) -> list[str]:
    calls = [node for node in all_of(r.source.tree, ast.Call) if is_builtin(node, 'range', r)]
    return ['range'] if any(not _is_gone_over(node, r.parent(node)) for node in calls) else []


def _is_gone_over(node: ast.Call, parent: ast.AST | None) -> bool:
    match parent:
        case ast.For() | ast.comprehension():
            return parent.iter is node
        case ast.Starred():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name not in ('print', 'repr', 'str', 'format')
        case ast.Call(func=ast.Attribute()):
            return True
        case _:
            return False


def _counting_cache(node: ast.Name | ast.Attribute, r: Rewriter) -> str | None:
    """`@lru_cache`, where somebody asks `f.cache_info()`: Monty's tells nothing."""
    member = r.scene.member(node) if isinstance(node.ctx, ast.Load) else None
    if member not in (('functools', 'cache'), ('functools', 'lru_cache')):
        return None
    asked = r.once('cache_info', lambda: [part.attr for part in all_of(r.source.tree, ast.Attribute)])
    return piece(r, 'functools', f'counting_{member[1]}') if asked & _OF_CACHES else None


def _maker(node: ast.Attribute, r: Rewriter) -> str | None:
    """`map(Point._make, rows)`: what makes a named tuple of its fields."""
    if not isinstance(node.ctx, ast.Load) or r.scene.module(node.value) is not None:
        return None
    return f'(lambda _values: {r.text(node.value)}(*_values))'


def _method_of_stream(node: ast.Attribute, r: Rewriter) -> str | None:
    """`sys.stdout.write(text)`: Monty's streams can only be given to `print`."""
    module, stream = r.scene.member(node.value) or ('', '')
    is_known = module == 'sys' and stream in ('stdout', 'stderr') and isinstance(node.ctx, ast.Load)
    return piece(r, 'streams', f'{stream}_{node.attr}') if is_known else None


def _hidden_function(node: ast.Name, r: Rewriter) -> str | None:
    """`user = await user(1)`: the variable must not hide the function from the next call."""
    if node.id not in r.scene.names.bound and node.id not in r.scene.known:
        return None
    parent = r.parent(node)
    if not (isinstance(parent, ast.Call) and parent.func is node) or not r.scene.hidden(node):
        return None
    r.scene.hosts.add(node.id)
    if node.id in r.once('data', lambda: _data(r)):
        return f'{HOST}{node.id}'
    # Only the value tells: what a variable has is called, if it can be.
    return f'{piece(r, "functions", "called")}({node.id}, {HOST}{node.id})'


def _data(r: Rewriter) -> list[str]:
    """Variables whose values, as the text shows, are no functions."""
    tree = r.source.tree
    values: dict[ast.AST, ast.expr] = {}
    for node in all_of(tree, ast.Assign):
        values.update(dict.fromkeys(node.targets, node.value))
    values.update({node.target: node.value for node in all_of(tree, ast.AnnAssign) if node.value is not None})
    values.update({node.target: node.value for node in all_of(tree, ast.AugAssign)})
    bound = r.scene.scopes.module.bound
    return [name for name, nodes in bound.items() if all(_is_data(values.get(node)) for node in nodes)]


def _is_data(value: ast.expr | None) -> bool:
    return isinstance(value, _DATA) or (
        isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in _GIVING_DATA
    )


def _guest_builtin(node: ast.Name, r: Rewriter) -> str | None:
    taken = not isinstance(node.ctx, ast.Load) or not r.scene.is_free(node) or r.scene.called(node) is not None
    return None if taken else piece(r, *_home_of(node.id))


def _home_of(name: str) -> tuple[str, str]:
    return _STAND_INS.get(name, ('builtins', name))


def scaled(node: ast.BinOp, r: Rewriter) -> str | None:
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
    named = index_of(tree).words
    return ['timedelta'] if 'timedelta' in named else []


_STAND_INS = {
    'round': ('rounding', 'rounded'),
    'bytearray': ('byte_arrays', 'bytearray'),
    'hash': ('hashes', 'hash_of'),
    'aiter': ('async_generators', 'aiter'),
    'anext': ('async_generators', 'anext'),
    **{name: ('errors', name) for name in OF_SYSTEM},
    **{name: ('groups', name) for name in GROUPS},
}
_DATA = (
    *(ast.Await, ast.BinOp, ast.Compare, ast.Constant, ast.Dict, ast.DictComp, ast.JoinedStr),
    *(ast.List, ast.ListComp, ast.Set, ast.SetComp, ast.Tuple, ast.UnaryOp),
)
_GIVING_DATA = frozenset(['abs', 'bool', 'dict', 'float', 'int', 'len', 'list', 'round', 'set', 'sorted', 'str', 'sum'])
_OF_CACHES = frozenset(['cache_clear', 'cache_info', 'cache_parameters'])
_HANDLED = {('json', 'dumps'), ('json', 'loads')}
ATTRIBUTE_RULES: tuple[Rule | Named, ...] = (
    named(_counting_cache, 'cache', 'lru_cache'),
    _guest_member,
    named(_maker, '_make'),
    named(_method_of_stream, 'write', 'writelines', 'flush'),
)
NAME_RULES: tuple[Rule | Named, ...] = (
    _hidden_function,
    Named(_guest_builtin, lambda name: hasattr(builtins, name) and offers(*_home_of(name))),
    named(_counting_cache, 'cache', 'lru_cache'),
)
