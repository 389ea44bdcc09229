"""`__getattr__`, which Monty never asks: whatever is read of an object may be what its class gives for the name.

What is read is first asked for by a guest's function, which gives the object itself where that has the attribute, and
otherwise something that has nothing else (`_members_reached(config, 'host').host`). Only snippets with such a class
(and sessions that have had one) are rewritten.
"""

from __future__ import annotations

import ast

from toolscript_sandbox.lowering.parts import arguments, has_method, is_builtin, piece
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.lowering.rewriter import Node, Rewriter, Rules


def with_missing_attributes(program: Program) -> Program:
    """The snippet with `__getattr__` asked for what an object lacks."""
    if not has_method(program, '__getattr__'):
        return program
    return program.edited(Rewriter(program, _RULES).edits())


def _read(node: Node, r: Rewriter) -> str | None:
    if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load) or r.scene.module(node.value):
        return None
    if node.attr.startswith('__') or _is_known(node.value, r):
        return None
    return f'{piece(r, "members", "reached")}({r.text(node.value)}, {_name(node, r)}).{node.attr}'


def _is_known(node: ast.expr, r: Rewriter) -> bool:
    """Whether it can be no object of such a class: a class, what is in a module, what rules know by its text."""
    match node:
        case ast.Constant() | ast.Call(func=ast.Name(id='super' | 'vars')):
            return True
        case ast.Attribute(attr=attr) if attr.startswith('__'):
            return True
        case ast.Name():
            if r.scene.is_free(node) and node.id in _TYPES:
                return True
            owner = r.scene.owner(node)
            bound = owner.bound[node.id] if owner is not None else []
            classes = bool(bound) and all(isinstance(part, ast.ClassDef) for part in bound)
            return classes or r.scene.member(node) is not None
        case _:
            return r.scene.member(node) is not None


def _name(node: ast.Attribute, r: Rewriter) -> str:
    if not any(isinstance(outer, ast.JoinedStr) for outer in r.above(node)):
        return repr(node.attr)
    # Before Python 3.12 an f-string takes no quotes of its own kind.
    statement = f'_attribute_{node.attr} = {node.attr!r}'
    if statement not in r.scene.imports:
        r.scene.imports.append(statement)
    return f'_attribute_{node.attr}'


def _asked(node: Node, r: Rewriter) -> str | None:
    """`hasattr(config, 'host')` and `getattr(config, name, None)`."""
    if not isinstance(node, ast.Call) or len(node.args) < 2 or isinstance(node.args[0], ast.Starred):
        return None
    if not is_builtin(node, 'hasattr', r) and not is_builtin(node, 'getattr', r):
        return None
    reads = is_builtin(node, 'getattr', r) and len(node.args) == 2
    first, name, *_ = node.args
    found = f'{piece(r, "members", "reached" if reads else "reached_or_not")}({r.text(first)}, {r.text(name)})'
    return f'{r.text(node.func)}({found}, {arguments(ast.Call(node.func, node.args[1:], []), r)})'


_TYPES = frozenset(['str', 'bytes', 'list', 'dict', 'set', 'frozenset', 'tuple', 'int', 'float', 'bool', 'bytearray'])
_RULES = Rules({ast.Attribute: (_read,), ast.Call: (_asked,)})
