"""Rules for functions of the host that are given to builtins, which cannot wait for them.

Monty suspends in statements and comprehensions, not inside of `map`, `filter` or `sorted`. Comprehensions stand in for
these, or functions of guests.
"""

from __future__ import annotations

import ast

from toolscript_sandbox.lowering.file_words import is_of_files
from toolscript_sandbox.lowering.parts import arguments, calls_host, is_builtin, keyword, native, piece, reaches_host
from toolscript_sandbox.lowering.rewriter import Rewriter, named


def _mapped(node: ast.Call, r: Rewriter) -> str | None:
    """`map(get_user, ids)`: a builtin cannot wait for a function of the host, a comprehension can."""
    if not is_builtin(node, 'map', r) or len(node.args) < 2 or node.keywords:
        return None
    function, *iterables = node.args
    if not _reaches_host(function, r):
        return None
    if not is_of_files(function, r.scene):
        r.scene.note('Wrote `map` over a function of yours as a comprehension.')
    called = r.text(function) if isinstance(function, (ast.Name, ast.Attribute)) else f'({r.text(function)})'
    if len(iterables) == 1:
        return f'{native(r, "iter")}([{called}(_item) for _item in ({r.text(iterables[0])})])'
    zipped = ', '.join(r.text(iterable) for iterable in iterables)
    return f'{native(r, "iter")}([{called}(*_items) for _items in {native(r, "zip")}({zipped})])'


def _starmapped(node: ast.Call, r: Rewriter) -> str | None:
    if r.scene.member(node.func) != ('itertools', 'starmap') or len(node.args) != 2:
        return None
    function, pairs = node.args
    if not _reaches_host(function, r):
        return None
    return f'{native(r, "iter")}([({r.text(function)})(*_items) for _items in ({r.text(pairs)})])'


def _filtered(node: ast.Call, r: Rewriter) -> str | None:
    if not is_builtin(node, 'filter', r) or len(node.args) != 2 or not _reaches_host(node.args[0], r):
        return None
    test, items = r.text(node.args[0]), r.text(node.args[1])
    return f'{native(r, "iter")}([_item for _item in ({items}) if ({test})(_item)])'


def _sorted_by_host(node: ast.Call, r: Rewriter) -> str | None:
    name = node.func.id if isinstance(node.func, ast.Name) else ''
    key = keyword(node, 'key')
    if name not in _SORTERS or not is_builtin(node, name, r) or key is None or len(node.args) != 1:
        return None
    if not _reaches_host(key, r) or keyword(node, 'default') is not None:
        return None
    return f'{piece(r, "builtins", _SORTERS[name])}({arguments(node, r)})'


def _reaches_host(function: ast.expr, r: Rewriter) -> bool:
    if isinstance(function, ast.Lambda):
        return calls_host(function.body, r)
    if is_of_files(function, r.scene):
        return True
    if not isinstance(function, ast.Name):
        return False
    if r.scene.called(function) is not None:
        return True
    owner = r.scene.owner(function)
    bound = owner.bound[function.id] if owner is not None else []
    return any(isinstance(part, ast.FunctionDef) and reaches_host(part, r) for part in bound)


_SORTERS = {'sorted': 'sorted_by', 'min': 'min_by', 'max': 'max_by'}

CALLBACK_RULES = (
    named(_mapped, 'map'),
    named(_starmapped, 'starmap'),
    named(_filtered, 'filter'),
    named(_sorted_by_host, *_SORTERS),
)
