"""Rules for `vars(x)` and `x.__dict__`, which Monty's objects lack: the snippet tells which attributes they may have.

What cannot be told so is refused: an attribute that is the class's or the object's, and changes of the dict itself.
"""

from __future__ import annotations

import ast

from toolscript_sandbox.lowering.parts import arguments, is_builtin, piece
from toolscript_sandbox.lowering.rewriter import Rewriter
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.syntax import all_of

from .lineage import dataclass_mark, named_parts, own_fields


def variables(node: ast.expr, value: ast.expr, r: Rewriter) -> str:
    """`vars(point)`."""
    parent = r.parent(node)
    classes = {one.name: one for one in all_of(r.source.tree, ast.ClassDef)}
    if isinstance(value, ast.Name) and value.id in classes:
        raise Refused([refusal(node, 'The names of a class cannot be had here. Keep what you need in a dict.')])
    changed = isinstance(parent, ast.Subscript) and not isinstance(parent.ctx, ast.Load)
    called = isinstance(parent, ast.Attribute) and parent.attr in ('update', 'pop', 'clear', 'setdefault', 'popitem')
    if changed or called or (isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)):
        raise Refused([refusal(node, 'This dict is a copy here. Use setattr(...), or keep a dict in the object.')])
    names = r.once('stored', lambda: _stored(classes, r))
    if names & _of_classes(classes):
        name = min(names & _of_classes(classes))
        raise Refused(
            [refusal(node, f'{name} is set in a class and on objects: give it two names, to see which has it.')]
        )
    if not any(statement.startswith('_attribute_names = ') for statement in r.scene.imports):
        ordered = [name for name in dict.fromkeys([*r.scene.kin.get(STORED, ()), *sorted(names)]) if name in names]
        r.scene.imports.append(f'_attribute_names = {ordered!r}')
    return f'{piece(r, "builtins", "variables_of")}({r.text(value)}, _attribute_names)'


def kept_variables(node: ast.Call, r: Rewriter) -> str | None:
    """`setattr(self, name, value)` and `self.__dict__.update(values)`, where the snippet asks for `vars` too."""
    match node.func:
        case ast.Attribute(value=ast.Attribute(value=value, attr='__dict__'), attr='update'):
            return f'{piece(r, "builtins", "set_all")}({r.text(value)}, {arguments(node, r)})'
        case ast.Attribute(value=ast.Call(args=[value]) as asked, attr='update') if is_builtin(asked, 'vars', r):
            return f'{piece(r, "builtins", "set_all")}({r.text(value)}, {arguments(node, r)})'
        case _:
            pass
    if not is_builtin(node, 'setattr', r) or len(node.args) != 3 or isinstance(node.args[1], ast.Constant):
        return None
    return f'{piece(r, "builtins", "set_one")}({arguments(node, r)})' if r.once('vars', lambda: _asked(r)) else None


def _asked(r: Rewriter) -> list[str]:
    if NAMESPACES in r.scene.kin:
        return ['SimpleNamespace']
    dicts = [node.attr for node in all_of(r.source.tree, ast.Attribute) if node.attr == '__dict__']
    return dicts + [node.id for node in all_of(r.source.tree, ast.Name) if node.id == 'vars']


def _stored(classes: dict[str, ast.ClassDef], r: Rewriter) -> set[str]:
    properties = {name[1:] for name in r.scene.kin if name.startswith('.')}
    return {*r.scene.kin.get(STORED, ()), *stored_names(r.source.tree)} - properties


def stored_names(tree: ast.Module) -> list[str]:
    """The names that are stored on objects, in the order of the text."""
    classes = {node.name for node in all_of(tree, ast.ClassDef)} | {'cls'}
    stores = [
        (node.lineno, node.col_offset, node.attr)
        for node in all_of(tree, ast.Attribute)
        if isinstance(node.ctx, ast.Store) and not _is_class(node.value, classes)
    ]
    for node in all_of(tree, ast.Call):
        match node:
            case ast.Call(func=ast.Name(id='setattr'), args=[_, ast.Constant(value=str(name)), _]):
                stores.append((node.lineno, node.col_offset, name))
            case _:
                pass
    return [name for *_, name in sorted(stores)]


def _is_class(value: ast.expr, classes: set[str]) -> bool:
    match value:
        case ast.Name(id=name):
            return name in classes
        case ast.Call(func=ast.Name(id='type')) | ast.Attribute(attr='__class__'):
            return True
        case _:
            return False


def _of_classes(classes: dict[str, ast.ClassDef]) -> set[str]:
    found = set[str]()
    for node in classes.values():
        found |= set(named_parts(node)) - (set(own_fields(node)) if dataclass_mark(node) is not None else set())
    return found


STORED = 'class.stored'
"""Among the kin of a session: the names that are stored on objects."""
NAMESPACES = 'types.SimpleNamespace'
"""Among the kin of a session: that it may have namespaces."""
