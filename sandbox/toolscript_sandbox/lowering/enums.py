"""Enumerations, as Monty can have them: an object that holds the members, made from the class that lists them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.text.source import NEW_LINE, Edit, Source
from toolscript_sandbox.text.syntax import walk

from .guest_modules import guest
from .program import Program
from .scene import Scene


def with_enums(program: Program) -> Program:
    """The snippet with each enumeration built after its class, and with what asks for members rewritten to match."""
    source, scene = program.source, program.scene
    classes = [node for node in source.tree.body if isinstance(node, ast.ClassDef)]
    found = {node.name: kind for node in classes if (kind := _kind(node, scene)) is not None}
    if not found:
        return program
    scene.pieces.add('enum')
    scene.flattened = True
    scene.note('Built the members of enumerations by hand: classes cannot inherit here.')
    edits = [edit for node in classes if node.name in found for edit in _made(node, found[node.name], source)]
    edits += _tests(source, frozenset(found))
    if any(found.values()):
        edits += _reads(source)
    return program.edited(edits)


def _piece(name: str) -> str:
    version = guest('enum')
    assert version is not None
    return version.prefixed(name)


def _kind(node: ast.ClassDef, scene: Scene) -> str | None:
    """`str` or `int` where the members are that too, '' for other enumerations, None for other classes."""
    if not node.bases or node.keywords:
        return None
    *mixins, base = node.bases
    member = scene.member(base)
    if member is None or member[0] != 'enum' or member[1] not in _KINDS:
        return None
    kinds = [part.id for part in mixins if isinstance(part, ast.Name) and part.id in ('str', 'int')]
    if len(kinds) != len(mixins):
        return None
    kind = kinds[0] if kinds else _KINDS[member[1]]
    # A text has no methods but its own.
    methods = [part for part in node.body if isinstance(part, ast.FunctionDef)]
    return kind if all(_belongs_to_class(method) for method in methods) else ''


def _made(node: ast.ClassDef, kind: str, source: Source) -> Iterator[Edit]:
    opening = source.text.index('(', source.start(node))
    yield Edit(opening, source.text.index(')', source.end(node.bases[-1])) + 1, '')
    names = [
        target.id
        for part in node.body
        if isinstance(part, ast.Assign)
        for target in part.targets
        if isinstance(target, ast.Name) and not target.id.startswith('_')
    ]
    methods = [part for part in node.body if isinstance(part, ast.FunctionDef)]
    functions = [method.name for method in methods if _belongs_to_class(method)]
    marked = '_takes_values = True' if '__init__' in {method.name for method in methods} else ''
    end = source.end(node)
    before = f'{NEW_LINE}{node.name}.{marked}' if marked else ''
    arguments = f'{node.name}, {node.name!r}, {kind!r}, {names!r}, {functions!r}'
    yield Edit(end, end, f'{before}{NEW_LINE}{node.name} = {_piece("made")}({arguments})')


def _belongs_to_class(method: ast.FunctionDef) -> bool:
    return any(
        isinstance(mark, ast.Name) and mark.id in ('classmethod', 'staticmethod') for mark in method.decorator_list
    )


def _tests(source: Source, enums: frozenset[str]) -> Iterator[Edit]:
    for node in walk(source.tree):
        match node:
            case ast.Call(func=ast.Name(id='isinstance') as func, args=[_, kinds]):
                if any(isinstance(part, ast.Name) and part.id in enums for part in ast.walk(kinds)):
                    yield source.replace(func, _piece('is_member'))
            case _:
                pass


def _reads(source: Source) -> Iterator[Edit]:
    for node in walk(source.tree):
        match node:
            case ast.Attribute(value=value, attr='value' | 'name' as attr, ctx=ast.Load()):
                start = source.start(node)
                yield Edit(start, start, f'{_piece(f"{attr}_of")}(')
                yield Edit(source.end(value), source.end(node), ')')
            case _:
                pass


_KINDS = {'Enum': '', 'IntEnum': 'int', 'StrEnum': 'str'}
