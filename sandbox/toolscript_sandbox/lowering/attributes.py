"""Rules for attributes that Monty's objects do not show."""

from __future__ import annotations

import ast

from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.syntax import all_of

from .parts import is_builtin, piece
from .rewriter import Node, Rewriter
from .tasks import name_of_type


def attributes(node: Node, r: Rewriter) -> str | None:
    """The first rule that knows the attribute, or the builtin that shows attributes."""
    owner = _given_an_attribute(node, r)
    if owner is not None and _is_plain_function(owner, r):
        raise Refused([refusal(node, _FUNCTIONS)])
    match node:
        case ast.Attribute(value=value, ctx=ast.Load()) if r.scene.module(value) is None:
            return _read(node, r)
        case ast.Call(args=[value]) if is_builtin(node, 'vars', r):
            return _variables(value, r)
        case ast.Compare(left=ast.Constant(value=str(name)), ops=[ast.In() | ast.NotIn() as word], comparators=[names]):
            return _is_set(name, names, isinstance(word, ast.NotIn), r)
        case ast.Subscript(value=names, slice=ast.Constant(value=str(name)), ctx=ast.Load()):
            return name if _tells_names(names, r) and _is_at_top(name, names, r) else None
        case ast.Call() if _tells_names(node, r):
            raise Refused([refusal(node, _NAMES)])
        case _:
            return None


def _read(node: ast.Attribute, r: Rewriter) -> str | None:
    attr, value = node.attr, node.value
    if attr in _UNSEEN:
        raise Refused([refusal(node, _UNSEEN[attr])])
    if attr == '__class__':
        return f'type({r.text(value)})'
    if attr in ('__name__', '__qualname__'):
        return name_of_type(node, r) or f'{piece(r, "builtins", "name_of")}({r.text(value)})'
    if attr == '__dict__':
        return _variables(value, r)
    return None


def _given_an_attribute(node: Node, r: Rewriter) -> ast.Name | None:
    match node:
        case ast.Attribute(value=ast.Name() as owner, ctx=ast.Store()):
            return owner
        case ast.Call(args=[ast.Name() as owner, *_]) if is_builtin(node, 'setattr', r):
            return owner
        case _:
            return None


def _is_plain_function(name: ast.Name, r: Rewriter) -> bool:
    """Whether the name is nothing but a function of the snippet that no decorator may have replaced."""
    home = r.scene.scopes.owner(name)
    binding = [] if home is None else home.bound[name.id]
    return bool(binding) and all(
        isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not node.decorator_list for node in binding
    )


def _variables(value: ast.expr, r: Rewriter) -> str:
    # An instance does not tell what it has; the snippet tells what it may have.
    if not any(statement.startswith('_attribute_names = ') for statement in r.scene.imports):
        stored = [node.attr for node in all_of(r.source.tree, ast.Attribute) if isinstance(node.ctx, ast.Store)]
        r.scene.imports.append(f'_attribute_names = {list(dict.fromkeys(stored))!r}')
    return f'{piece(r, "builtins", "variables_of")}({r.text(value)}, _attribute_names)'


def _tells_names(node: ast.expr, r: Rewriter) -> bool:
    """Whether it is `globals()`, or `locals()` or `dir()` of the top level."""
    if not isinstance(node, ast.Call) or node.args or node.keywords:
        return False
    return any(is_builtin(node, name, r) for name in ('globals', 'locals', 'dir', 'vars'))


def _is_set(name: str, names: ast.expr, negated: bool, r: Rewriter) -> str | None:
    if not _tells_names(names, r) or not name.isidentifier():
        return None
    if not r.at_top(names) and not is_builtin(names, 'globals', r):
        return None
    found = f'{piece(r, "builtins", "is_set")}(lambda: {name})' if _is_at_top(name, names, r) else 'False'
    return f'(not {found})' if negated else found


def _is_at_top(name: str, names: ast.expr, r: Rewriter) -> bool:
    """Whether the top level may have the name, and it means that where it is asked for."""
    hidden = r.scene.scopes.around(names).owner(name) not in (None, r.scene.scopes.module)
    known = name in r.scene.scopes.module.bound or name in r.scene.known or r.scene.functions.get(name) is not None
    return known and not hidden and name.isidentifier()


_NAMES = (
    'A list of all names cannot be had here. Ask for one (`"total" in globals()`), or keep what you need in a dict.'
)
_FUNCTIONS = (
    'Functions cannot be given attributes here. Keep the value in a variable beside the function (`nonlocal` or '
    '`global` where it is set), in a dict, or in an object with methods.'
)
_UNSEEN = {
    '__context__': 'What an exception was raised after is not kept here. Keep the first one in a variable.',
    '__traceback__': 'Tracebacks are not kept here. Use the text of the exception.',
    '__doc__': 'Docstrings are not kept here. Keep the text in a variable.',
}
"""Attributes that Monty's objects lack, and what to write instead."""
