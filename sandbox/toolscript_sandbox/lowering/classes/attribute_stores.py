"""`__setattr__` and `__delattr__`, which Monty never asks: what is stored on an object goes through a guest's function.

Only snippets with such a class (and sessions that have had one) are rewritten. What the class itself stores, it stores
by `super().__setattr__(name, value)`, `object.__setattr__(self, name, value)` or `self.__dict__[name] = value`.
"""

from __future__ import annotations

import ast

from toolscript_sandbox.lowering.class_features import CLASS_OF_SELF
from toolscript_sandbox.lowering.parts import is_builtin, is_repeatable, piece
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.lowering.rewriter import Node, Rewriter, Rules
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.syntax import all_of

from .lineage import dataclass_mark, last_name, named_parts
from .properties import sign_of

STORING = ('__setattr__', '__delattr__')
"""Among the kin of a session: that its classes have such a method."""


def with_asked_stores(program: Program) -> Program:
    """The snippet with these methods asked."""
    scene = program.scene
    if '__setattr__' not in scene.kin and '__delattr__' not in scene.kin and 'class' not in program.source.text:
        return program
    classes = all_of(program.tree, ast.ClassDef)
    having = [node for node in classes if not set(STORING).isdisjoint(named_parts(node))]
    scene.kin.update((name, ()) for node in having for name in named_parts(node) if name in STORING)
    if scene.kin.keys().isdisjoint(STORING):
        return program
    named = {node.name: node for node in classes}
    for node in classes:
        if dataclass_mark(node) is not None and any(one in having for one in _line(node, named)):
            said = 'A dataclass does not ask __setattr__ here. Write __init__, or leave the decorator out.'
            raise Refused([refusal(node, said)])
        if node in having and node.bases and last_name(node.bases[0]).endswith(('Error', 'Exception')):
            raise Refused([refusal(node, 'An exception does not ask __setattr__ here. Write a method that sets it.')])
    return program.edited(Rewriter(program, _RULES).edits())


def _stored(node: Node, r: Rewriter) -> str | None:
    """`config.host = 'a'`."""
    match node:
        case ast.Assign(targets=[ast.Attribute() as target], value=value) if _is_asked(target, r):
            return _call(target, r.text(value), r)
        case ast.AnnAssign(target=ast.Attribute() as target, value=ast.expr() as value) if _is_asked(target, r):
            return _call(target, r.text(value), r)
        case ast.Assign(targets=[ast.Subscript(value=ast.Attribute(attr='__dict__') as of, slice=name)], value=value):
            return f'{piece(r, "members", "set_on")}({r.text(of.value)}, {r.text(name)}, ({r.text(value)}))'
        case ast.AugAssign(target=ast.Attribute() as target, op=op, value=value) if _is_asked(target, r):
            if not is_repeatable(target.value):
                raise Refused([refusal(node, 'Keep the object in a variable first.')])
            new = f'_new_{target.attr}_{node.lineno}_{node.col_offset}'
            read = f'{new} = {r.text(target.value)}.{target.attr}'
            return f'{read}; {new} {sign_of(op)}= {r.text(value)}; {_call(target, new, r)}'
        case _:
            return None


def _other(node: Node, r: Rewriter) -> str | None:
    """Stores among other targets, which are refused, and the methods of `object`."""
    if not isinstance(node, ast.Attribute) or r.scene.module(node.value) is not None:
        return None
    if isinstance(node.ctx, ast.Store) and _is_asked(node, r) and not _is_alone(r.parent(node)):
        raise Refused([refusal(node, f'Store {node.attr} by a statement of its own here.')])
    if node.attr in STORING and isinstance(node.ctx, ast.Load) and ast.unparse(node.value) == 'object':
        return _of_object(node, r)
    return None


def _of_object(node: ast.Attribute, r: Rewriter) -> str:
    if node.attr == '__delattr__':
        raise Refused([refusal(node, 'An attribute cannot be deleted here. Set it to None.')])
    return piece(r, 'members', 'set_on')


def _called(node: Node, r: Rewriter) -> str | None:
    """`super().__setattr__(name, value)` where nothing above has one, and `setattr(config, name, value)`."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id='super')), attr=name) as func, args=args) if (
            name in STORING and not _has_above(node, name, r)
        ):
            given = ''.join(f', {r.text(part)}' for part in args)
            return f'{_of_object(func, r)}({_first_of(node, r)}{given})'
        case ast.Call(args=[of, name, value]) if is_builtin(node, 'setattr', r):
            return f'{piece(r, "members", "set_by")}({r.text(of)}, {r.text(name)}, {r.text(value)})'
        case ast.Call(args=[of, name]) if is_builtin(node, 'delattr', r):
            return f'{piece(r, "members", "deleted_by")}({r.text(of)}, {r.text(name)})'
        case _:
            return None


def _deleted(node: Node, r: Rewriter) -> str | None:
    """`del config.host`."""
    match node:
        case ast.Delete(targets=[ast.Attribute() as target]) if '__delattr__' in r.scene.kin:
            return f'{piece(r, "members", "deleted_by")}({r.text(target.value)}, {target.attr!r})'
        case _:
            return None


def _call(target: ast.Attribute, value: str, r: Rewriter) -> str:
    return f'{piece(r, "members", "set_by")}({r.text(target.value)}, {target.attr!r}, ({value}))'


def _is_asked(target: ast.Attribute, r: Rewriter) -> bool:
    """Whether it may be an object's: not a class's, a function's or a module's."""
    if '__setattr__' not in r.scene.kin or r.scene.module(target.value) is not None:
        return False
    if ast.unparse(target.value) in CLASS_OF_SELF:
        return False
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    named = r.once('definitions', lambda: [node.name for kind in kinds for node in all_of(r.source.tree, kind)])
    return not (isinstance(target.value, ast.Name) and target.value.id in named)


def _is_alone(parent: ast.AST | None) -> bool:
    match parent:
        case ast.Assign(targets=[_]) | ast.AnnAssign() | ast.AugAssign():
            return True
        case _:
            return False


def _has_above(node: ast.Call, name: str, r: Rewriter) -> bool:
    """Whether a class of the script comes next whose member it is. Raises `Refused` where another class says that."""
    named = {one.name: one for one in all_of(r.source.tree, ast.ClassDef)}
    own = next((outer for outer in r.above(node) if isinstance(outer, ast.ClassDef)), None)
    above = _line(own, named)[1:] if own is not None else []
    if any(name in set(named_parts(one)) for one in above):
        return True
    joined = any(sum(last_name(base) in named for base in one.bases) > 1 for one in named.values())
    if joined and sum(name in set(named_parts(one)) for one in named.values()) > 1:
        raise Refused([refusal(node, f'Several bases may be meant: write object.{name}(self, ...) here.')])
    return False


def _line(node: ast.ClassDef, named: dict[str, ast.ClassDef]) -> list[ast.ClassDef]:
    """The class and those above it."""
    found = [node]
    for one in found:
        bases = (named.get(last_name(base)) for base in one.bases)
        found += [base for base in bases if base is not None and base not in found]
    return found


def _first_of(node: ast.AST, r: Rewriter) -> str:
    method = next(outer for outer in r.above(node) if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef)))
    return method.args.args[0].arg if method.args.args else 'self'


_RULES = Rules(
    {
        ast.Assign: (_stored,),
        ast.AnnAssign: (_stored,),
        ast.AugAssign: (_stored,),
        ast.Attribute: (_other,),
        ast.Call: (_called,),
        ast.Delete: (_deleted,),
    }
)
