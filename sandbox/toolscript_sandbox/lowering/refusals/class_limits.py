"""What classes may not do here, said before anything runs.

Monty's classes stand alone, and `inheritance.py` copies what they inherit as they are made. What Python decides later
or for the whole family (an attribute that changes on a base, the order of several bases, a method of Python's own that
Monty does not ask for) would quietly mean something else. Each dunder method that is let through was run beside
CPython; the others are refused, since a class that defines one counts on it.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from toolscript_sandbox.lowering.class_features import (
    BUILTINS,
    INSTEAD,
    KNOWN_ELSEWHERE,
    MEANT,
    OPTIONS,
    UNSEEN,
)
from toolscript_sandbox.lowering.classes.lineage import (
    KINDS_OF_METHODS,
    Family,
    dataclass_mark,
    decorator,
    last_name,
    meaningful_bases,
    named_parts,
    own_fields,
)
from toolscript_sandbox.lowering.classes.ordering import COMPARISONS, order_of_dataclasses
from toolscript_sandbox.lowering.classes.variables import STORED, stored_names
from toolscript_sandbox.lowering.parts import method_names
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.lowering.rules.operators import ASKED_BY_RULES
from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.lowering.special_classes.dataclass_options import OF_FIELDS
from toolscript_sandbox.lowering.special_classes.records import is_record
from toolscript_sandbox.text.refusals import Refusal, Refused, refusal
from toolscript_sandbox.text.syntax import all_of, children

from .slots import beyond_slots


def with_plain_classes(program: Program) -> Program:
    """The snippet as it is. Raises `Refused` where its classes would not mean what they mean in Python."""
    classes = all_of(program.tree, ast.ClassDef) if 'class' in program.source.text else ()
    if classes:
        program.scene.kin.update(dict.fromkeys(_asked_for(program.tree), ()))
        known = program.scene.kin.get(STORED, ())
        program.scene.kin[STORED] = tuple(dict.fromkeys([*known, *stored_names(program.tree)]))
        limits = _Limits(program.tree, program.scene, Family({node.name: node for node in classes}))
        found = [*limits.of_classes(), *limits.of_uses(), *beyond_slots(program.tree, classes)]
        if found:
            raise Refused(found)
    return program


def _asked_for(tree: ast.Module) -> frozenset[str]:
    """The methods of the classes that rules must know of, in this snippet and in later ones."""
    return method_names(tree).union(order_of_dataclasses(tree)) & {
        *COMPARISONS,
        *ASKED_BY_RULES,
        '__len__',
        '__bool__',
        '__format__',
        '__getattr__',
        '__getitem__',
        'keys',
    }


@dataclass(frozen=True)
class _Limits:
    tree: ast.Module
    scene: Scene
    family: Family

    def of_classes(self) -> Iterator[Refusal]:
        """What the classes say that cannot be had."""
        for node in all_of(self.tree, ast.ClassDef):
            yield from self._head(node)
            if self._is_special(node):
                continue
            for name, place in _named_parts(node):
                said = _about_member(name)
                if said is not None:
                    yield refusal(place, said)
            yield from _methods_marked(node)
            yield from _written_twice(node)
            yield from self._inheriting(node)
            yield from self._dataclass(node)

    def of_uses(self) -> Iterator[Refusal]:
        """What the snippet does with its classes that cannot be had."""
        for node in all_of(self.tree, ast.Attribute):
            yield from self._attribute(node)

    def _head(self, node: ast.ClassDef) -> Iterator[Refusal]:
        bases = meaningful_bases(node)
        names = [last_name(base) for base in bases]
        if names[:1] == ['TypedDict']:
            return
        told = self.family.owner(self.family.above(node), '__init_subclass__') is not None
        for word in node.keywords:
            if not (last_name(word.value) == 'ABCMeta' if word.arg == 'metaclass' else told and word.arg):
                yield refusal(word.value, 'Metaclasses and words for the class cannot be had here. Leave them out.')
        if not self._is_special(node):
            yield from self._bases(node, bases)

    def _bases(self, node: ast.ClassDef, bases: Sequence[ast.expr]) -> Iterator[Refusal]:
        for base in bases:
            name = last_name(base)
            if name in BUILTINS and name not in self.scene.names.bound:
                said = (
                    f'A class cannot inherit from {name} here. Keep one in an attribute and write the methods you need.'
                )
                yield refusal(base, said)
            elif name not in self.family.classes and name in self.scene.known:
                said = f'A class can inherit only from classes of its own script. Write class {name} here once more.'
                yield refusal(base, said)
            elif name in self.family.classes and (
                is_record(base_node := self.family.classes[name]) or self._is_special(base_node)
            ):
                said = (
                    f'A class that inherits from {name} has no other base here. Keep an object of the other one in it.'
                )
                yield refusal(base, said)
        if not self.family.line(node):
            yield refusal(
                node, 'Python finds no order for these bases. Name a class before those that it inherits from.'
            )

    def _is_special(self, node: ast.ClassDef, depth: int = 0) -> bool:
        """Whether other rules know it: exceptions, enumerations, named tuples."""
        names = [last_name(base) for base in node.bases]
        if is_record(node):
            return False
        if any(name.endswith(('Error', 'Exception')) or name in KNOWN_ELSEWHERE for name in names):
            return True
        classes = self.family.classes
        return depth < len(classes) and any(
            name in classes and name != node.name and self._is_special(classes[name], depth + 1) for name in names
        )

    def _inheriting(self, node: ast.ClassDef) -> Iterator[Refusal]:
        above = self.family.above(node)
        if not above:
            return
        yield from self._bound_once(node, above)
        for one in (node, *self.family.bases(node)):
            for mark in one.decorator_list:
                if last_name(mark) not in _GIVING_BACK and last_name(mark) not in self._giving_back:
                    said = f'{one.name} inherits, or is inherited from: its decorator has to return the class.'
                    yield refusal(mark, said)

    @cached_property
    def _giving_back(self) -> frozenset[str]:
        """Functions of the snippet that return what they were given, or a function that does."""
        functions = {node: _returned(node) for node in all_of(self.tree, ast.FunctionDef)}
        inner = {node.name for node, names in functions.items() if names and names <= _parameters(node)}
        outer = {node.name for node, names in functions.items() if names and names <= inner}
        return frozenset(inner | outer)

    def _bound_once(self, node: ast.ClassDef, above: Sequence[ast.ClassDef]) -> Iterator[Refusal]:
        for one in (node, *above):
            bound = self.scene.scopes.module.bound.get(one.name, ())
            if len(bound) > 1 or self._counted[one.name] > 1:
                yield refusal(node, f'{one.name} is bound more than once, and inherited from. Give each its own name.')

    @cached_property
    def _counted(self) -> Counter[str]:
        return Counter(node.name for node in all_of(self.tree, ast.ClassDef))

    def _dataclass(self, node: ast.ClassDef) -> Iterator[Refusal]:
        mark, above = dataclass_mark(node), self.family.above(node)
        marked = [one for one in above if dataclass_mark(one) is not None]
        if mark is None:
            if marked and own_fields(node):
                yield refusal(node, f'{node.name} inherits from a dataclass: write @dataclass above it too.')
            return
        yield from _options(mark, node)
        if not above:
            return
        for word in mark.keywords if isinstance(mark, ast.Call) else ():
            if word.arg in ('eq', 'init'):
                yield refusal(word.value, f'Leave {word.arg} out here, where a dataclass inherits.')
        for base in above:
            if base not in marked and own_fields(base):
                yield refusal(node, f'{base.name} has annotations, but is no dataclass. Write @dataclass above it.')
        members = {name for one in above for name in named_parts(one) if name not in own_fields(one)}
        for name, part in own_fields(node).items():
            if name in members:
                yield refusal(part, f'{name} is no field of a base, but a member. Give it another name.')
        for base in marked[:1]:
            base_mark = dataclass_mark(base)
            if base_mark is not None and ast.unparse(base_mark).removesuffix('()') != ast.unparse(mark).removesuffix(
                '()'
            ):
                yield refusal(mark, f'Give {node.name} the options of {base.name}: @{ast.unparse(base_mark)}.')

    def _attribute(self, node: ast.Attribute) -> Iterator[Refusal]:
        if node.attr in UNSEEN:
            yield refusal(node, f'There is no {node.attr} here. {UNSEEN[node.attr]}')


def _returned(function: ast.FunctionDef) -> set[str]:
    """The names that a function gives back, those inside of it left out; '' for all that is no name."""
    found, waiting = set[str](), list[ast.AST](function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Return):
            found.add(node.value.id if isinstance(node.value, ast.Name) else '')
        elif not isinstance(node, (*_METHODS, ast.Lambda, ast.ClassDef)):
            waiting += children(node)
    return found


def _parameters(function: ast.FunctionDef) -> set[str]:
    return {argument.arg for argument in function.args.args}


def _about_member(name: str) -> str | None:
    if not (name.startswith('__') and name.endswith('__')) or name in MEANT | ASKED_BY_RULES:
        return None
    return f'{name} is not asked for here. {INSTEAD.get(name, "Write a method with a plain name, and call it.")}'


def _named_parts(node: ast.ClassDef) -> Iterator[tuple[str, ast.stmt]]:
    for part in node.body:
        if isinstance(part, _METHODS):
            yield part.name, part
        elif isinstance(part, ast.Assign):
            yield from ((target.id, part) for target in part.targets if isinstance(target, ast.Name))
        elif isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            yield part.target.id, part


def _methods_marked(node: ast.ClassDef) -> Iterator[Refusal]:
    for part in node.body:
        if isinstance(part, _METHODS) and decorator(part) is None:
            for mark in part.decorator_list[1:]:
                if last_name(mark) in KINDS_OF_METHODS:
                    yield refusal(mark, f'Write {last_name(mark)} above the other decorators of {part.name} here.')
        if isinstance(part, ast.AsyncFunctionDef):
            for mark in part.decorator_list:
                if last_name(mark) in ('cache', 'lru_cache'):
                    yield refusal(mark, 'What is awaited cannot be cached. Keep a dict in the object.')
        elif isinstance(part, (ast.For, ast.While, ast.If, ast.With, ast.Try)):
            yield refusal(part, 'A class can only have methods and variables here. Compute before the class.')


def _written_twice(node: ast.ClassDef) -> Iterator[Refusal]:
    """Names that a class binds again, where a decorator makes one of them more than a function."""
    first, marked = set[str](), set[str]()
    for name, part in _named_parts(node):
        marks = part.decorator_list if isinstance(part, _METHODS) else []
        if any(last_name(mark) in ('setter', 'deleter', 'overload') for mark in marks):
            continue
        if name in first and (marks or name in marked):
            yield refusal(part, f'{name} stands twice in {node.name}. Give each its own name.')
        first.add(name)
        marked |= {name} if marks else set()


def _options(mark: ast.expr, node: ast.ClassDef) -> Iterator[Refusal]:
    for word in mark.keywords if isinstance(mark, ast.Call) else ():
        if word.arg not in OPTIONS:
            yield refusal(word.value, f'dataclass has no {word.arg} here. It has: {", ".join(sorted(OPTIONS))}.')
    for part in node.body:
        if not isinstance(part, ast.AnnAssign):
            continue
        if last_name(part.annotation) == 'InitVar':
            yield refusal(part, 'There is no InitVar here. Write a function that makes the object.')
        if isinstance(part.value, ast.Call) and last_name(part.value.func) == 'field':
            for word in part.value.keywords:
                if word.arg not in ('default', 'default_factory', *OF_FIELDS):
                    known = ', '.join(['default', 'default_factory', *OF_FIELDS])
                    yield refusal(word.value, f'field has no {word.arg} here. It has: {known}.')


_METHODS = (ast.FunctionDef, ast.AsyncFunctionDef)
_GIVING_BACK = frozenset(['dataclass', 'total_ordering', 'runtime_checkable', 'final', 'unique'])
