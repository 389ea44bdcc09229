"""Rules for methods and functions that Monty's own types and modules lack."""

from __future__ import annotations

import ast

from .guest_modules import offers
from .monty_features import CONSTRUCTING_METHODS
from .parts import CallRule, arguments, as_method, is_builtin, keyword, piece
from .rewriter import Rewriter


def _of_type(node: ast.Call, r: Rewriter) -> str | None:
    """`str.lower(text)`: the method of the object."""
    func = node.func
    if not (isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and node.args):
        return None
    if (
        not r.scene.is_free(func.value)
        or func.value.id not in _TYPES
        or func.attr in CONSTRUCTING_METHODS
        or isinstance(node.args[0], ast.Starred)
    ):
        return None
    first, *others = node.args
    parts = [r.text(part) for part in others] + [f'{k.arg}={r.text(k.value)}' for k in node.keywords if k.arg]
    return f'({r.text(first)}).{func.attr}({", ".join(parts)})'


def _lacking_method(node: ast.Call, r: Rewriter) -> str | None:
    """`x.is_integer()` and other methods that Monty's types lack."""
    func = node.func
    if (
        not isinstance(func, ast.Attribute)
        or not offers('methods', func.attr)
        or r.scene.module(func.value) is not None
    ):
        return None
    given = arguments(node, r)
    return as_method(r, func, piece(r, 'methods', func.attr), given)


def _of_several(node: ast.Call, r: Rewriter) -> str | None:
    """`set().union(*groups)`: the set methods take one argument in Monty."""
    func = node.func
    if not isinstance(func, ast.Attribute) or func.attr not in _OF_SEVERAL or node.keywords:
        return None
    if len(node.args) == 1 and not isinstance(node.args[0], ast.Starred):
        return None
    if r.scene.module(func.value) is not None:
        return None
    return as_method(r, func, piece(r, 'sets', func.attr), arguments(node, r))


def _from_keys(node: ast.Call, r: Rewriter) -> str | None:
    """`OrderedDict.fromkeys(items)`: ordered dicts are plain ones here."""
    func = node.func
    if not (isinstance(func, ast.Attribute) and func.attr == 'fromkeys'):
        return None
    ordered = r.scene.member(func.value) == ('collections', 'OrderedDict')
    return f'{{}}.fromkeys({arguments(node, r)})' if ordered else None


def _popped(node: ast.Call, r: Rewriter) -> str | None:
    """`ordered.popitem(last=False)`."""
    last = keyword(node, 'last')
    if not (isinstance(node.func, ast.Attribute) and node.func.attr == 'popitem' and last is not None):
        return None
    return as_method(r, node.func, piece(r, 'collections', 'pop_item'), arguments(node, r))


def _dumped(node: ast.Call, r: Rewriter) -> str | None:
    if r.scene.member(node.func) != ('json', 'dumps') or (keyword(node, 'default') or keyword(node, 'cls')) is None:
        return None
    return f'{piece(r, "json", "dumps")}({arguments(node, r)})'


def _exit(node: ast.Call, r: Rewriter) -> str | None:
    """`exit()` at the top level ends the script."""
    leaves = any(is_builtin(node, name, r) for name in ('exit', 'quit')) or r.scene.member(node.func) == (
        'sys',
        'exit',
    )
    if not leaves or not isinstance(r.parent(node), ast.Expr):
        return None
    at_top = not any(isinstance(outer, _FUNCTIONS) for outer in r.above(node))
    return 'return' if at_top else "raise RuntimeError('the script ended itself')"


def _plain_error(node: ast.Call, r: Rewriter) -> str | None:
    """`ValueError('a', 1)`: exceptions take one text in Monty."""
    if not isinstance(node.func, ast.Name):
        return None
    if (
        not (node.func.id.endswith(('Error', 'Exception')) and node.args)
        or not r.scene.is_free(node.func)
        or node.keywords
    ):
        return None
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        return None
    if len(node.args) == 1:
        only = node.args[0]
        text = isinstance(only, ast.JoinedStr) or (isinstance(only, ast.Constant) and isinstance(only.value, str))
        return None if text else f'{r.text(node.func)}(str({r.text(only)}))'
    return f'{r.text(node.func)}(str(({", ".join(r.text(argument) for argument in node.args)})))'


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_OF_SEVERAL = frozenset(['union', 'intersection', 'difference', 'update'])
_TYPES = frozenset(['str', 'bytes', 'list', 'dict', 'set', 'int', 'float', 'tuple'])

METHOD_RULES: tuple[CallRule, ...] = (
    _of_type,
    _of_several,
    _from_keys,
    _popped,
    _lacking_method,
    _dumped,
    _exit,
    _plain_error,
)
