"""Attributes that functions are given (`fib.cache = {}`), which Monty's functions do not hold.

What is given to a function is kept in an object of the guest's beside it. Wherever an attribute of that name is read or
set, that object is asked for first (`_functions_having(fib, 'cache').cache`); of what is no function it is the object
itself.

Monty takes two functions of one `def` for the same where they close over nothing, so that such functions keep nothing
unless they are made only once.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.lowering.classes.lineage import last_name
from toolscript_sandbox.lowering.parts import arguments, is_builtin, piece
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.lowering.rewriter import Node, Rewriter, Rules
from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.scopes import Scope
from toolscript_sandbox.text.syntax import all_of, index_of, walk


def with_function_attributes(program: Program) -> Program:
    """The snippet with such attributes kept beside the functions."""
    tree, scene = program.tree, program.scene
    if not all_of(tree, ast.FunctionDef) and not all_of(tree, ast.AsyncFunctionDef) and not scene.defined:
        return program
    for name in _given(program):
        scene.kin.setdefault(f'{KEPT}{name}', ())
    if not kept(scene):
        return program
    return program.edited(Rewriter(program, _RULES).edits())


def kept(scene: Scene) -> frozenset[str]:
    """The names of attributes that functions have, in this snippet and in earlier ones."""
    return frozenset(name.removeprefix(KEPT) for name in scene.kin if name.startswith(KEPT))


def closes_over_nothing(function: Definition, scene: Scene) -> bool:
    """Whether a function reads no variable of the functions around it."""
    inner = scene.scopes.opened.get(function)
    owners = (scene.scopes.owner(node) for part in function.body for node in walk(part) if isinstance(node, ast.Name))
    return not any(_is_around(owner, inner) for owner in owners)


def _is_around(owner: Scope | None, inner: Scope | None) -> bool:
    if owner is None or owner.kind != 'function' or inner is None:
        return False
    above = inner.above
    while above is not None and above is not owner:
        above = above.above
    return above is owner


def _given(program: Program) -> Iterator[str]:
    """Attributes that a function is given."""
    stores = list(_stores(program))
    decorators = frozenset(_decorators(program.tree) if stores else ())
    for owner, name in stores:
        found = program.scene.owner(owner)
        for node in found.bound[owner.id] if found is not None else ():
            if isinstance(node, ast.arg) and found is not None and getattr(found.node, 'name', '') in decorators:
                yield name
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if not node.decorator_list and _is_made_again(node, program):
                    raise Refused([refusal(owner, _SHARED)])
                yield name


def _stores(program: Program) -> Iterator[tuple[ast.Name, str]]:
    for node in all_of(program.tree, ast.Attribute):
        if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            yield node.value, node.attr
    for node in all_of(program.tree, ast.Call):
        match node:
            case ast.Call(func=ast.Name(id='setattr'), args=[ast.Name() as owner, ast.Constant(value=str(name)), _]):
                yield owner, name
            case _:
                pass


def _decorators(tree: ast.Module) -> Iterator[str]:
    """The names of functions that are used as decorators, and of those that stand in them."""
    marks = [mark for kind in _DEFINITIONS for node in all_of(tree, kind) for mark in node.decorator_list]
    names = {last_name(mark) for mark in marks}
    for node in all_of(tree, ast.FunctionDef):
        if node.name in names:
            yield from (part.name for part in walk(node) if isinstance(part, ast.FunctionDef))


def _is_made_again(node: Definition, program: Program) -> bool:
    parents, above = index_of(program.tree).parents, list[ast.AST]()
    outer = parents.get(node)
    while outer is not None:
        above.append(outer)
        outer = parents.get(outer)
    repeats = any(isinstance(one, (*_DEFINITIONS, ast.Lambda, ast.For, ast.While, ast.AsyncFor)) for one in above)
    return repeats and closes_over_nothing(node, program.scene)


def _held(node: Node, r: Rewriter) -> str | None:
    if not isinstance(node, ast.Attribute) or node.attr not in kept(r.scene) or r.scene.module(node.value) is not None:
        return None
    if isinstance(node.ctx, ast.Load) and node.attr in _SHOWN_BY_RULES:
        return None
    if isinstance(node.value, ast.Name) and node.value.id in ('self', 'cls'):
        return None
    if any(isinstance(outer, ast.JoinedStr) for outer in r.above(node)):
        # Before Python 3.12 an f-string takes no quotes of its own kind.
        return f'{piece(r, "functions", "held")}({r.text(node.value)}).{node.attr}'
    sets = isinstance(node.ctx, ast.Store) and not isinstance(r.parent(node), ast.AugAssign)
    place = piece(r, 'functions', 'given' if sets else 'having')
    return f'{place}({r.text(node.value)}, {node.attr!r}).{node.attr}'


def _asked(node: Node, r: Rewriter) -> str | None:
    """`getattr(f, 'calls', 0)` and its kin."""
    if not isinstance(node, ast.Call) or not any(is_builtin(node, name, r) for name in _ASKING) or len(node.args) < 2:
        return None
    name = node.args[1]
    if isinstance(name, ast.Constant) and (name.value not in kept(r.scene) or name.value == '__name__'):
        return None
    first, *rest = node.args
    if isinstance(first, ast.Starred):
        return None
    sets = is_builtin(node, 'setattr', r)
    place = f'{piece(r, "functions", "given")}({r.text(first)}, {r.text(name)})' if sets else ''
    held = place or f'{piece(r, "functions", "held")}({r.text(first)})'
    return f'{r.text(node.func)}({held}, {arguments(ast.Call(node.func, rest, node.keywords), r)})'


Definition = ast.FunctionDef | ast.AsyncFunctionDef
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
KEPT = 'function.'
"""Before the name of an attribute, among the kin of a session."""
_ASKING = ('getattr', 'setattr', 'hasattr', 'delattr')
_SHOWN_BY_RULES = frozenset(['__name__', '__qualname__', '__doc__'])
_SHARED = (
    'A function that is made again and again, and reads nothing of the function around it, cannot be given attributes '
    'here. Keep the value in a variable beside it (`nonlocal` where it is set), in a dict, or in an object.'
)
_RULES = Rules({ast.Attribute: (_held,), ast.Call: (_asked,)})
