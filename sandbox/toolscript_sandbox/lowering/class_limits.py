"""What classes may not do here, said before anything runs.

Monty's classes stand alone, and `classes.py` copies what they inherit when they are made. So what Python decides later
or for the whole family (an attribute that changes on a base, the order of several bases, a method of Python's own that
Monty does not ask for) would quietly mean something else. Each dunder method that is let through was run beside
CPython; the others are refused, since a class that defines one counts on it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from toolscript_sandbox.text.refusals import Refusal, Refused, refusal
from toolscript_sandbox.text.syntax import all_of, walk

from .class_features import (
    BUILTINS,
    CLASS_OF_SELF,
    INSTEAD,
    KNOWN_ELSEWHERE,
    MEANT,
    OPTIONS,
    OTHER_TYPES,
    REFLECTED,
    UNSEEN,
    WITHOUT_EFFECT,
)
from .program import Program
from .scene import Scene
from .slots import beyond_slots


def with_plain_classes(program: Program) -> Program:
    """The snippet as it is. Raises `Refused` where its classes would not mean what they mean in Python."""
    classes = all_of(program.tree, ast.ClassDef)
    if classes:
        limits = _Limits(program.tree, program.scene, {node.name: node for node in classes})
        found = [*limits.of_classes(), *limits.of_uses(), *beyond_slots(program.tree, list(limits.classes.values()))]
        if found:
            raise Refused(found)
    return program


@dataclass(frozen=True)
class _Limits:
    tree: ast.Module
    scene: Scene
    classes: dict[str, ast.ClassDef]

    def of_classes(self) -> Iterator[Refusal]:
        """What the classes say that cannot be had."""
        for node in self.classes.values():
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
        heirs = {base.name for node in self.classes.values() if (base := self._base(node)) is not None}
        methods = {part.name for node in self.classes.values() for part in node.body if isinstance(part, _METHODS)}
        for node in walk(self.tree):
            if isinstance(node, ast.Attribute):
                yield from self._attribute(node, heirs)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield from self._call(node, node.func.id, heirs, methods)
            elif isinstance(node, ast.MatchClass) and isinstance(node.cls, ast.Name) and node.cls.id in heirs:
                yield refusal(node.cls, f'A pattern does not find heirs of {node.cls.id} here. Ask with isinstance.')
        yield from self._abstract()

    def _head(self, node: ast.ClassDef) -> Iterator[Refusal]:
        bases = [base for base in node.bases if _last_name(base) not in WITHOUT_EFFECT]
        names = [_last_name(base) for base in bases]
        if names[:1] == ['TypedDict']:
            return
        for word in node.keywords:
            if word.arg == 'metaclass' and _last_name(word.value) == 'ABCMeta':
                yield refusal(word.value, f'Write class {node.name}(ABC) with ABC of abc.')
            else:
                yield refusal(word.value, 'Metaclasses and words for the class cannot be had here. Leave them out.')
        if len(bases) > 1 and not self._is_special(node):
            said = (
                f'A class can have one base here. Keep an object of {names[-1]} in an attribute and call its methods.'
            )
            yield refusal(bases[-1], said)
        elif bases and names[0] in BUILTINS and names[-1] != 'Enum' and self.scene.names.bound.isdisjoint(names):
            said = (
                f'A class cannot inherit from {names[0]} here. Keep one in an attribute and write the methods you need.'
            )
            yield refusal(bases[0], said)
        elif names == ['NamedTuple'] and any(isinstance(part, _METHODS) for part in node.body):
            yield refusal(bases[0], 'A NamedTuple has no methods here. Write functions, or @dataclass(frozen=True).')

    def _is_special(self, node: ast.ClassDef) -> bool:
        """Whether other rules know it: exceptions, enumerations, named tuples."""
        names = [_last_name(base) for base in node.bases]
        if any(name.endswith(('Error', 'Exception')) or name in KNOWN_ELSEWHERE for name in names):
            return True
        return any(
            name in self.classes and name != node.name and self._is_special(self.classes[name]) for name in names
        )

    def _base(self, node: ast.ClassDef) -> ast.ClassDef | None:
        names = [name for base in node.bases if (name := _last_name(base)) not in WITHOUT_EFFECT]
        return self.classes.get(names[0]) if names and names[0] != node.name and not self._is_special(node) else None

    def _line(self, node: ast.ClassDef) -> list[ast.ClassDef]:
        """The class and those above it."""
        line = [node]
        while (base := self._base(line[-1])) is not None and base not in line:
            line.append(base)
        return line

    def _inheriting(self, node: ast.ClassDef) -> Iterator[Refusal]:
        _, *above = self._line(node)
        if not above:
            return
        yield from self._bound_once(node, above)
        has = {name for base in above for name, _ in _named_parts(base)}
        for name, part in _named_parts(node):
            if REFLECTED.get(name) in has:
                said = (
                    f'Python would ask {name} of the heir first, which cannot be had here. Write it in the base only.'
                )
                yield refusal(part, said)
        own = _private(node)
        for base in above:
            for name in sorted(own & _private(base)):
                yield refusal(
                    node,
                    f'{name} means one thing in {base.name} and another in {node.name} in Python, but '
                    f'not here. Give them names with one underscore.',
                )
        if above[0].decorator_list and not _dataclass_mark(above[0]):
            yield refusal(node.bases[0], f'{above[0].name} has a decorator, and cannot be inherited from here.')
        if node.decorator_list and not _dataclass_mark(node):
            yield refusal(node.decorator_list[0], 'A class that inherits can only be decorated as a dataclass here.')

    def _bound_once(self, node: ast.ClassDef, above: list[ast.ClassDef]) -> Iterator[Refusal]:
        for one in (node, *above):
            bound = self.scene.scopes.module.bound.get(one.name, ())
            if len(bound) > 1:
                yield refusal(node, f'{one.name} is bound more than once, and inherited from. Give each its own name.')

    def _dataclass(self, node: ast.ClassDef) -> Iterator[Refusal]:
        mark = _dataclass_mark(node)
        base = self._base(node)
        if mark is None:
            if base is not None and any(_dataclass_mark(one) for one in self._line(base)):
                yield refusal(node, f'{node.name} inherits from a dataclass: write @dataclass above it too.')
            return
        yield from _options(mark, node)
        if base is None:
            return
        for word in mark.keywords if isinstance(mark, ast.Call) else ():
            if word.arg in ('eq', 'init'):
                yield refusal(word.value, f'Leave {word.arg} out here, where a dataclass inherits.')
        if _dataclass_mark(base) is None and any(isinstance(part, ast.AnnAssign) for part in base.body):
            yield refusal(
                node.bases[0], f'{base.name} has annotations, but is no dataclass. Write @dataclass above it.'
            )
        above = {name for one in self._line(base) for name, _ in _named_parts(one)}
        for part in node.body:
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and part.target.id in above:
                yield refusal(part, f'{part.target.id} is a field of a base already. Give it another name.')
        base_mark = _dataclass_mark(base)
        if base_mark is not None and ast.unparse(base_mark) != ast.unparse(mark):
            yield refusal(mark, f'Give {node.name} the options of {base.name}: @{ast.unparse(base_mark)}.')

    def _attribute(self, node: ast.Attribute, heirs: set[str]) -> Iterator[Refusal]:
        if node.attr in UNSEEN:
            yield refusal(node, f'There is no {node.attr} here. {UNSEEN[node.attr]}')
        if not isinstance(node.ctx, ast.Store) or not heirs:
            return
        if isinstance(node.value, ast.Name) and node.value.id in heirs and not self._is_own(node.value.id, node.attr):
            said = f'What changes on {node.value.id} does not reach its heirs here. Keep it in a dict or list: its '
            yield refusal(node, f'{said}contents are shared.')
        elif ast.unparse(node.value) in CLASS_OF_SELF:
            yield refusal(
                node, 'Classes that inherit keep no attribute of their own that changes here. Keep it in a dict.'
            )

    def _is_own(self, name: str, attribute: str) -> bool:
        """Whether an attribute of a class is only ever asked of that class by name."""
        uses = [node for node in all_of(self.tree, ast.Attribute) if node.attr == attribute]
        return all(isinstance(node.value, ast.Name) and node.value.id == name for node in uses)

    def _call(self, node: ast.Call, name: str, heirs: set[str], methods: set[str]) -> Iterator[Refusal]:
        first = node.args[0] if node.args else None
        if name in ('setattr', 'delattr') and isinstance(first, ast.Name) and first.id in heirs:
            yield refusal(node, f'What changes on {first.id} does not reach its heirs here. Keep it in a dict.')
        elif (name == 'isinstance' and heirs) or name == 'issubclass':
            if len(node.args) == 2 and not _is_literal(node.args[1]):
                yield refusal(node.args[1], 'Write the classes here, by name, as the heirs of each must be known.')
        elif name == 'callable' and '__call__' in methods:
            yield refusal(node, 'callable does not know objects with __call__ here. Ask with isinstance.')

    def _abstract(self) -> Iterator[Refusal]:
        missing = {node.name: found for node in self.classes.values() if (found := self._open(node))}
        for call in all_of(self.tree, ast.Call):
            if isinstance(call.func, ast.Name) and call.func.id in missing:
                words = ', '.join(sorted(missing[call.func.id]))
                yield refusal(call, f'{call.func.id} is abstract: {words} must be written in a class that inherits.')

    def _open(self, node: ast.ClassDef) -> set[str]:
        """The methods that stay abstract in a class, where Python minds that."""
        line = self._line(node)
        if not any(_last_name(base) in ('ABC', 'Protocol') for one in line for base in one.bases):
            return set()
        found = set[str]()
        for one in reversed(line):
            found -= {name for name, _ in _named_parts(one)}
            found |= {part.name for part in one.body if isinstance(part, _METHODS) and _marked(part, 'abstractmethod')}
        return found


def _about_member(name: str) -> str | None:
    if not (name.startswith('__') and name.endswith('__')) or name in MEANT:
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
        if isinstance(part, ast.AsyncFunctionDef):
            for mark in part.decorator_list:
                if _last_name(mark) in ('cache', 'lru_cache'):
                    yield refusal(mark, 'What is awaited cannot be cached. Keep a dict in the object.')
        elif isinstance(part, ast.ClassDef):
            yield refusal(part, f'A class cannot stand in a class here. Write {part.name} before {node.name}.')
        elif isinstance(part, (ast.For, ast.While, ast.If, ast.With, ast.Try)):
            yield refusal(part, 'A class can only have methods and variables here. Compute before the class.')


def _written_twice(node: ast.ClassDef) -> Iterator[Refusal]:
    """Names that a class binds again, where a decorator makes one of them more than a function."""
    first, marked = set[str](), set[str]()
    for name, part in _named_parts(node):
        marks = part.decorator_list if isinstance(part, _METHODS) else []
        if any(_last_name(mark) in ('setter', 'overload') for mark in marks):
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
        if _last_name(part.annotation) == 'InitVar':
            yield refusal(part, 'There is no InitVar here. Write a function that makes the object.')
        if isinstance(part.value, ast.Call) and _last_name(part.value.func) == 'field':
            for word in part.value.keywords:
                if word.arg not in ('default', 'default_factory'):
                    yield refusal(word.value, f'field has no {word.arg} here. It has: default, default_factory.')


def _private(node: ast.ClassDef) -> set[str]:
    """Names that Python keeps apart from those of other classes."""
    used = {part.attr for part in walk(node) if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)}
    names = used | {name for name, _ in _named_parts(node)}
    return {name for name in names if name.startswith('__') and not name.endswith('__')}


def _is_literal(kinds: ast.expr) -> bool:
    match kinds:
        case ast.Tuple(elts=parts):
            return all(_is_literal(part) for part in parts)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _is_literal(left) and _is_literal(right)
        case ast.Name(id=name):
            return not name.islower() or name in BUILTINS or name in OTHER_TYPES
        case ast.Call(func=ast.Name(id='type')):
            return True
        case _:
            return isinstance(kinds, (ast.Attribute, ast.Constant))


def _dataclass_mark(node: ast.ClassDef) -> ast.expr | None:
    return next((mark for mark in node.decorator_list if _last_name(mark) == 'dataclass'), None)


def _marked(method: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> bool:
    return any(_last_name(mark) == name for mark in method.decorator_list)


def _last_name(node: ast.expr) -> str:
    """The name at the end of `a.b.name[...](...)`."""
    while isinstance(node, (ast.Subscript, ast.Call)):
        node = node.value if isinstance(node, ast.Subscript) else node.func
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ''


_METHODS = (ast.FunctionDef, ast.AsyncFunctionDef)
