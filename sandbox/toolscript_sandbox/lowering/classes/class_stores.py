"""Attributes that change on a class (`Animal.count += 1`): its heirs, which have copies here, are given them too."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.lowering.class_features import CLASS_OF_SELF
from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.source import Edit, Source
from toolscript_sandbox.text.syntax import all_of, index_of

from .properties import sign_of


def on_classes(source: Source, scene: Scene, properties: frozenset[str]) -> Iterator[Edit]:
    """What each store on a class becomes."""
    parents = index_of(source.tree).parents
    classes = {node.name for node in all_of(source.tree, ast.ClassDef)} | scene.defined
    for node in all_of(source.tree, ast.Attribute):
        if isinstance(node.ctx, ast.Store) and node.attr not in properties and _is_class(node.value, classes):
            yield from _stored(node, parents[node], source)
    for call in all_of(source.tree, ast.Call):
        match call:
            case ast.Call(func=ast.Name(id='setattr') as func, args=[of, _, _]) if _is_class(of, classes):
                yield source.replace(func, _piece())
            case _:
                pass


def _is_class(value: ast.expr, classes: set[str] | frozenset[str]) -> bool:
    return (isinstance(value, ast.Name) and value.id in classes) or ast.unparse(value) in CLASS_OF_SELF


def _stored(node: ast.Attribute, statement: ast.AST, source: Source) -> Iterator[Edit]:
    start, end, of = source.start(node), source.end(node), source.segment(node.value)
    match statement:
        case ast.Assign(targets=[_]):
            middle = f', {node.attr!r}, ('
        case ast.AugAssign(op=op):
            middle = f', {node.attr!r}, {of}.{node.attr} {sign_of(op)} ('
        case _:
            raise Refused([refusal(node, 'Store on a class by a statement of its own, so that its heirs get it.')])
    yield Edit(start, end, f'{_piece()}({of}')
    equals = source.text.index('=', end)
    yield Edit(end, equals + 1, middle)
    closed = source.end(statement)
    yield Edit(closed, closed, '))')


def _piece() -> str:
    version = guest('members')
    assert version is not None
    return version.prefixed('stored_on')
