"""Classes that inherit, and methods with decorators, as Monty can have them: members are copied from class to class."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from toolscript_sandbox.text.source import NEW_LINE, Edit, Source
from toolscript_sandbox.text.syntax import all_of, walk

from .program import Program

Method = ast.FunctionDef | ast.AsyncFunctionDef


def flattened(program: Program) -> Program:
    """The snippet with its classes standing alone."""
    source, scene = program.source, program.scene
    family = _Family({node.name: node for node in source.tree.body if isinstance(node, ast.ClassDef)})
    edits = [edit for node in family.classes.values() for edit in _edits(node, family, source)]
    if not edits:
        return program
    scene.note('Copied what classes inherit, and wrote properties and static methods as plain ones.')
    scene.flattened = True
    edits += _uses(source, family)
    return program.edited(edits)


@dataclass(frozen=True)
class _Family:
    classes: dict[str, ast.ClassDef]

    def base(self, node: ast.ClassDef) -> ast.ClassDef | None:
        """The class of this snippet that it inherits from, if that is all it inherits from."""
        match node.bases:
            case [ast.Name(id=name)] if name != node.name and not node.keywords and _may_inherit(node):
                return self.classes.get(name)
            case _:
                return None

    def members(self, node: ast.ClassDef) -> set[str]:
        """What the class has, inherited members included."""
        base = self.base(node)
        return _own(node) | (self.members(base) if base is not None else set())

    def heirs(self, name: str) -> list[str]:
        """Classes below one."""
        direct = [node.name for node in self.classes.values() if (base := self.base(node)) and base.name == name]
        return [heir for child in direct for heir in (child, *self.heirs(child))]

    def decorated(self, decorator: str) -> dict[str, str]:
        """Methods with a decorator, and the class that defines each."""
        return {
            method.name: node.name
            for node in self.classes.values()
            for method in _methods(node)
            if _decorator(method) == decorator
        }

    def fields(self, node: ast.ClassDef) -> dict[str, ast.AnnAssign]:
        """The annotated fields of a class, inherited ones first."""
        base = self.base(node)
        own = [part for part in node.body if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)]
        inherited = self.fields(base) if base is not None else {}
        return {**inherited, **{part.target.id: part for part in own if isinstance(part.target, ast.Name)}}


def _edits(node: ast.ClassDef, family: _Family, source: Source) -> Iterator[Edit]:
    base = family.base(node)
    if base is not None:
        opening = source.text.index('(', source.start(node))
        yield Edit(opening, source.text.index(')', source.end(node.bases[0])) + 1, '')
        yield from _inherited_fields(node, family, source)
        copied = sorted(family.members(base) - _own(node))
        end, indent = source.end(node), ' ' * node.col_offset
        yield Edit(end, end, ''.join(f'{NEW_LINE}{indent}{node.name}.{name} = {base.name}.{name}' for name in copied))
    for method in _methods(node):
        if base is not None:
            yield from _super_calls(method, base, source)
        yield from _undecorated(method, node, source)


def _super_calls(method: Method, base: ast.ClassDef, source: Source) -> Iterator[Edit]:
    first = method.args.args[0].arg if method.args.args else 'self'
    for part in walk(method):
        match part:
            case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id='super'), args=[])) as func):
                glue = ', ' if part.args or part.keywords else ''
                if func.attr == '__init__' and '__init__' not in _own(base) and not base.bases:
                    yield source.replace(part, 'None')
                    continue
                opening = source.text.index('(', source.end(func))
                yield Edit(source.start(func), opening + 1, f'{base.name}.{func.attr}({first}{glue}')
            case _:
                pass


def _inherited_fields(node: ast.ClassDef, family: _Family, source: Source) -> Iterator[Edit]:
    if not _is_dataclass(node):
        return
    fields, first = family.fields(node), node.body[0]
    missing = [source.segment(field) for field in fields.values() if field not in node.body]
    glue = NEW_LINE + ' ' * first.col_offset if first.lineno > node.lineno else '; '
    start = source.start(first)
    yield Edit(start, start, ''.join(f'{field}{glue}' for field in missing))


def _undecorated(method: Method, node: ast.ClassDef, source: Source) -> Iterator[Edit]:
    decorator = _decorator(method)
    if decorator is None:
        return
    for mark in method.decorator_list:
        yield Edit(source.start(mark) - 1, source.end(mark), '')
    # The method stands where the decorator did, so that what is left of the line is only its indentation.
    if decorator == 'setter':
        start = source.text.index(method.name, source.start(method))
        yield Edit(start, start, '_set_')
    if decorator != 'classmethod':
        return
    first, body = method.args.args[0], method.body[0]
    parameters = source.text[source.end(_as_node(first)) :]
    comma = len(parameters) - len(parameters.lstrip(', ')) if parameters.lstrip().startswith(',') else 0
    yield Edit(source.start(_as_node(first)), source.end(_as_node(first)) + comma, '')
    glue = NEW_LINE + ' ' * body.col_offset if body.lineno > method.lineno else '; '
    yield Edit(source.start(body), source.start(body), f'{first.arg} = {node.name}{glue}')


def _uses(source: Source, family: _Family) -> Iterator[Edit]:
    properties = family.decorated('property')
    plain = {**family.decorated('staticmethod'), **family.decorated('classmethod')}
    setters = family.decorated('setter')
    called = {node.func for node in all_of(source.tree, ast.Call)}
    nodes = (*all_of(source.tree, ast.Attribute), *all_of(source.tree, ast.Assign), *all_of(source.tree, ast.Call))
    for node in nodes:
        match node:
            case ast.Attribute(attr=name, ctx=ast.Load()) if name in properties and node not in called:
                end = source.end(node)
                yield Edit(end, end, '()')
            case ast.Assign(targets=[ast.Attribute(attr=name) as target], value=value) if name in setters:
                yield Edit(source.end(target) - len(name), source.start(value), f'_set_{name}(')
                yield Edit(source.end(value), source.end(value), ')')
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if name in plain and owner not in family.classes:
                yield Edit(source.start(node), source.end(node.value), plain[name])
            case ast.Call(func=ast.Name(id='isinstance'), args=[_, ast.Name(id=name) as kind]) if family.heirs(name):
                yield source.replace(kind, f'({", ".join([name, *family.heirs(name)])})')
            case _:
                pass


def _own(node: ast.ClassDef) -> set[str]:
    names = {f'_set_{method.name}' if _decorator(method) == 'setter' else method.name for method in _methods(node)}
    for part in node.body:
        if isinstance(part, ast.Assign):
            names |= {target.id for target in part.targets if isinstance(target, ast.Name)}
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and part.value is not None:
            names |= set() if _is_dataclass(node) else {part.target.id}
    return names


def _methods(node: ast.ClassDef) -> list[Method]:
    return [part for part in node.body if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))]


def _may_inherit(node: ast.ClassDef) -> bool:
    return not node.decorator_list or _is_dataclass(node)


def _is_dataclass(node: ast.ClassDef) -> bool:
    return any(
        ast.unparse(mark).partition('(')[0] in ('dataclass', 'dataclasses.dataclass') for mark in node.decorator_list
    )


def _decorator(method: Method) -> str | None:
    """What the decorators make of a method: '' for nothing that matters, None where that is not known."""
    names = [ast.unparse(mark).partition('(')[0].rpartition('.')[2] for mark in method.decorator_list]
    if not names or not set(names) <= _WITH_MEANING | _WITHOUT_MEANING:
        return None
    name = next((name for name in names if name in _WITH_MEANING), '')
    return 'property' if name == 'cached_property' else name


def _as_node(argument: ast.arg) -> ast.expr:
    return ast.copy_location(ast.Name(argument.arg), argument)


_WITH_MEANING = frozenset(['property', 'cached_property', 'staticmethod', 'classmethod', 'setter'])
_WITHOUT_MEANING = frozenset(['abstractmethod', 'override', 'final', 'overload', 'cache', 'lru_cache'])
