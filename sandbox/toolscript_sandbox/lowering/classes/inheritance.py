"""Classes that inherit, and methods with decorators, as Monty can have them: members are copied from class to class.

Stands in for bases and for decorated methods, which Monty's classes lack. Each class gets what it inherits when it is
made, in the order in which Python would look for it, and its line, which `isinstance` asks for (`kinds.py`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.lowering.class_features import MIRRORED
from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.text.source import NEW_LINE, Edit, Source
from toolscript_sandbox.text.syntax import all_of, walk

from .bound_methods import kept_methods
from .class_stores import on_classes
from .dataclass_heirs import inherited_fields, order_of
from .kinds import LINES
from .lineage import (
    CACHES,
    PREFIXES,
    Family,
    Method,
    decorator,
    last_name,
    made_by_dataclass,
    methods,
    named_parts,
    own,
    wrapping,
    written,
)
from .properties import made_by_calls, of_properties
from .super_calls import super_calls
from .truth import asked_for_truth


def flattened(program: Program) -> Program:
    """The snippet with its classes standing alone."""
    source, scene = program.source, program.scene
    if not scene.kin and not all_of(source.tree, ast.ClassDef):
        return program
    family = Family({node.name: node for node in all_of(source.tree, ast.ClassDef)})
    properties = _properties(family, scene)
    late = _stored_late(source.tree)
    edits = list(of_properties(source, scene, family, properties))
    if not scene.kin.keys().isdisjoint(['__bool__', '__len__']):
        edits += asked_for_truth(source, scene, properties)
    edits += kept_methods(source, scene, family, properties)
    if LINES in scene.kin or any(map(family.bases, family.classes.values())):
        edits += on_classes(source, scene, properties)
    # What stands behind a class comes last: an expression may end where its class does.
    edits += [edit for node in family.classes.values() for edit in _edits(node, family, source, late)]
    if not edits:
        return program
    scene.kin.update({f'.{name}': () for name in properties})
    if any(family.bases(node) or _is_protocol(node) for node in family.classes.values()):
        scene.kin[LINES] = ()
    scene.note('Copied what classes inherit, and wrote properties and static methods as plain ones.')
    scene.flattened = True
    scene.pieces.add('members')
    return program.edited(edits)


def _properties(family: Family, scene: Scene) -> frozenset[str]:
    """Names that may be a property of an object."""
    earlier = (name[1:] for name in scene.kin if name.startswith('.'))
    called = (name for name, _ in made_by_calls(family, scene))
    return family.decorated('property', 'cached_property').union(earlier, called)


def _piece(name: str) -> str:
    version = guest('members')
    assert version is not None
    return version.prefixed(name)


def _edits(node: ast.ClassDef, family: Family, source: Source, late: frozenset[str]) -> Iterator[Edit]:
    for method in methods(node):
        yield from _wrapped(method, source)
    behind = [statement for method in methods(node) for statement in _made(method, node)]
    if family.bases(node) or node.keywords:
        opening = source.text.index('(', source.start(node) + len(f'class {node.name}'))
        last = [*node.bases, *(word.value for word in node.keywords)][-1]
        yield Edit(opening, source.text.index(')', source.end(last)) + 1, '')
    behind += _yielding(node, family)
    if family.bases(node):
        yield from inherited_fields(node, family, source)
        behind += _inherited(node, family, late)
    if _is_protocol(node):
        is_asked = any(last_name(mark) == 'runtime_checkable' for mark in node.decorator_list)
        names = sorted({name for one in family.line(node) for name in named_parts(one)}) if is_asked else ['']
        behind.append(f'{node.name}._protocol_ = {names!r}')
    if '__getitem__' in family.members(node) and '__iter__' not in family.members(node):
        behind.append(f'{node.name}.__iter__ = {_piece("by_index")}')
    if missing := sorted(family.abstract_methods(node)):
        behind.append(f'{_piece("abstract")}({node.name}, {missing!r})')
    yield from order_of(node, family, source)
    behind += _told(node, family, source)
    marks = [mark for mark in node.decorator_list if last_name(mark) != 'dataclass']
    if behind and marks:
        for mark in marks:
            yield Edit(source.start(mark) - 1, source.end(mark), '')
        behind += [f'{node.name} = {ast.unparse(mark)}({node.name})' for mark in reversed(marks)]
    if behind:
        end, indent = source.end(node), ' ' * node.col_offset
        yield Edit(end, end, ''.join(f'{NEW_LINE}{indent}{statement}' for statement in behind))
    for method in methods(node):
        yield from super_calls(method, node, family, source)
        yield from _undecorated(method, source)


def _wrapped(method: Method, source: Source) -> Iterator[Edit]:
    """What decorators of the script make of a method, behind it."""
    marks = wrapping(method)
    if marks:
        start, end = source.start(method), source.end(method)
        indent = source.text[source.text.rfind('\n', 0, start) + 1 : start]
        made = method.name
        for mark in reversed(marks):
            made = f'{ast.unparse(mark)}({made})'
        yield Edit(end, end, f'{NEW_LINE}{indent}{method.name} = {made}')


def _is_protocol(node: ast.ClassDef) -> bool:
    return any(last_name(base) == 'Protocol' for base in node.bases)


def _made(method: Method, node: ast.ClassDef) -> Iterator[str]:
    """What makes of a method what its decorator says."""
    member, name = f'{node.name}.{method.name}', method.name
    if (cache := _cache(method)) is not None:
        yield f'{member} = {_piece("kept")}({ast.unparse(cache)}, {member})'
    match decorator(method):
        case 'staticmethod':
            yield f'{member} = {_piece("Static")}({member})'
        case 'classmethod':
            yield f'{member} = {_piece("OfClass")}({member}, {node.name})'
        case 'property' | 'cached_property' as kind:
            others = {decorator(other): f'{node.name}.{prefix}{name}' for other, prefix in _beside(method, node)}
            setter, deleter = others.get('setter'), others.get('deleter')
            is_kept = kind == 'cached_property'
            yield f'{member} = {_piece("Property")}({member}, {setter}, {name!r}, {is_kept}, {deleter})'
        case _:
            pass


def _beside(method: Method, node: ast.ClassDef) -> Iterator[tuple[Method, str]]:
    """The methods that a property has beside the one that reads it, with what stands before their names."""
    for other in methods(node):
        prefix = PREFIXES.get(decorator(other) or '')
        if prefix is not None and other.name == method.name:
            yield other, prefix


def _yielding(node: ast.ClassDef, family: Family) -> Iterator[str]:
    """Operators that let a right operand of a class below answer first."""
    below = {name for heir in family.heirs(node.name) for name in own(family.classes[heir])}
    for name in sorted(own(node) & MIRRORED.keys()):
        if family.heirs(node.name) and (name == '__eq__' or MIRRORED[name] in below):
            member = f'{node.name}.{name}'
            yield f'{member} = {_piece("yielding")}({member}, {MIRRORED[name]!r})'


def _inherited(node: ast.ClassDef, family: Family, late: frozenset[str]) -> Iterator[str]:
    """What the class has from those above it, and who they are."""
    above = family.above(node)
    copied = {name for one in above for name in own(one)} - written(node) - made_by_dataclass(node) - late
    if not family.is_hashed(node):
        copied -= {'__hash__'}
    for name in sorted(copied):
        owner = family.owner(above, name)
        if owner is not None:
            of_base = f'{owner.name}.{name}'
            is_of_class = family.kind(owner, name) == 'classmethod'
            yield f'{node.name}.{name} = ' + (
                f'{_piece("inherited")}({of_base}, {node.name})' if is_of_class else of_base
            )
    bases = ', '.join(base.name for base in family.bases(node))
    line, told = ', '.join(base.name for base in above), f'{sorted(late - own(node))!r}, {sorted(copied)!r}'
    yield f'{_piece("derived")}({node.name}, ({line},), ({bases},), {told})'


def _stored_late(tree: ast.Module) -> frozenset[str]:
    """What decorators and `__init_subclass__` may store on classes."""
    marks = {last_name(mark) for node in all_of(tree, ast.ClassDef) for mark in node.decorator_list}
    decorators = [node for node in all_of(tree, ast.FunctionDef) if node.name in marks]
    within = [part for node in decorators for part in walk(node) if isinstance(part, ast.FunctionDef)]
    given = {node.args.args[0].arg for node in within if node.args.args} | {'cls'}
    stores = [node for node in all_of(tree, ast.Attribute) if isinstance(node.ctx, ast.Store)]
    named = [(node.attr, node.value.id) for node in stores if isinstance(node.value, ast.Name)]
    return frozenset(name for name, whose in named if whose in given - {'self'})


def _told(node: ast.ClassDef, family: Family, source: Source) -> Iterator[str]:
    """The call of `__init_subclass__` of what the class inherits from."""
    owner = family.owner(family.above(node), '__init_subclass__')
    if owner is not None:
        words = ''.join(
            f', {source.segment(word.value) if not word.arg else _word(word, source)}' for word in node.keywords
        )
        yield f'{owner.name}.__init_subclass__({node.name}{words})'


def _word(word: ast.keyword, source: Source) -> str:
    return f'{word.arg}={source.segment(word.value)}'


def _cache(method: Method) -> ast.expr | None:
    """The decorator that keeps what a method gave."""
    *_, last = method.decorator_list or [None]
    return last if last is not None and decorator(method) is not None and last_name(last) in CACHES else None


def _undecorated(method: Method, source: Source) -> Iterator[Edit]:
    kind = decorator(method)
    if kind is None:
        return
    for mark in method.decorator_list:
        yield Edit(source.start(mark) - 1, source.end(mark), '')
    # The method stands where the decorator did, so that what is left of the line is only its indentation.
    if kind in PREFIXES:
        start = source.text.index(method.name, source.start(method) + len('def '))
        yield Edit(start, start, PREFIXES[kind])
