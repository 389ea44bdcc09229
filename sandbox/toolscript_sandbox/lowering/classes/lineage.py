"""The classes of a snippet as a family: what inherits from what, in which order, and which members each of them has."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from toolscript_sandbox.lowering.class_features import WITHOUT_EFFECT

Method = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Family:
    """Looks up each line once."""

    classes: dict[str, ast.ClassDef]
    _lines: dict[str, list[ast.ClassDef]] = field(default_factory=dict[str, list[ast.ClassDef]])
    _heirs: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def bases(self, node: ast.ClassDef) -> list[ast.ClassDef]:
        """The classes of the snippet that it names as its bases."""
        names = [last_name(base) for base in node.bases]
        return [self.classes[name] for name in names if name in self.classes and name != node.name]

    def line(self, node: ast.ClassDef) -> list[ast.ClassDef]:
        """The class and those above it, in the order in which Python looks for members.

        Empty where there is no such order.
        """
        if node.name not in self._lines:
            self._lines[node.name] = [node]
            bases = self.bases(node)
            lines = [self.line(base) for base in bases]
            merged = _merged([*lines, bases]) if all(lines) else None
            self._lines[node.name] = [node, *merged] if merged is not None else []
        return self._lines[node.name]

    def above(self, node: ast.ClassDef) -> list[ast.ClassDef]:
        """The classes that it inherits from, nearest first."""
        return self.line(node)[1:]

    def heirs(self, name: str) -> list[str]:
        """The classes below one."""
        if not self._heirs:
            self._heirs[''] = []
            for node in self.classes.values():
                for base in self.above(node):
                    self._heirs.setdefault(base.name, []).append(node.name)
        return self._heirs.get(name, [])

    def owner(self, line: Iterable[ast.ClassDef], name: str) -> ast.ClassDef | None:
        """The first class of a line that has the member itself."""
        return next((node for node in line if name in own(node)), None)

    def is_hashed(self, node: ast.ClassDef) -> bool:
        """Whether a class may have `__hash__` from above: none comes past one that has `__eq__` alone."""
        first = next(
            (one for one in self.above(node) if {'__eq__', '__hash__'} & (own(one) | made_by_dataclass(one))), None
        )
        return first is None or '__hash__' in own(first) or dataclass_mark(first) is not None

    def members(self, node: ast.ClassDef) -> set[str]:
        """What the class has, inherited members included."""
        return {name for one in self.line(node) for name in own(one)}

    def kind(self, node: ast.ClassDef, name: str) -> str | None:
        """What decorates the method that a class has under a name; None where it has no such method."""
        owner = self.owner(self.line(node), name)
        kinds = [decorator(method) or '' for method in methods(owner) if method.name == name] if owner else []
        return kinds[0] if kinds else None

    def fields(self, node: ast.ClassDef) -> dict[str, ast.AnnAssign]:
        """The annotated fields of a dataclass, inherited ones first."""
        found = dict[str, ast.AnnAssign]()
        for one in reversed(self.line(node)):
            if dataclass_mark(one) is not None:
                found.update(own_fields(one))
        return found

    def abstract_methods(self, node: ast.ClassDef) -> set[str]:
        """The methods that stay abstract in a class, where Python minds that."""
        found = set[str]()
        for one in reversed(self.line(node)):
            found -= set(named_parts(one))
            if any(map(_minds, self.line(one))):
                found |= {part.name for part in methods(one) if any(map(_is_abstract, part.decorator_list))}
        return found

    def decorated(self, *decorators: str) -> frozenset[str]:
        """Methods with one of these decorators."""
        every = (method for node in self.classes.values() for method in methods(node))
        return frozenset(method.name for method in every if decorator(method) in decorators)


def _merged(lines: list[list[ast.ClassDef]]) -> list[ast.ClassDef] | None:
    """C3: the first class that stands behind the head of no line, again and again."""
    lines, found = [line[:] for line in lines if line], list[ast.ClassDef]()
    while lines:
        behind = {node.name for line in lines for node in line[1:]}
        first = next((line[0] for line in lines if line[0].name not in behind), None)
        if first is None:
            return None
        found.append(first)
        lines = [rest for line in lines if (rest := line[1:] if line[0] is first else line)]
    return found


def own(node: ast.ClassDef) -> set[str]:
    """The members that stand in the class, or that its decorators make."""
    ordered = any(last_name(mark) == 'total_ordering' for mark in node.decorator_list)
    return written(node) | ({'__lt__', '__le__', '__gt__', '__ge__'} if ordered else set())


def written(node: ast.ClassDef) -> set[str]:
    """The members that stand in the class."""
    names = {f'{PREFIXES.get(decorator(method) or "", "")}{method.name}' for method in methods(node)}
    for part in node.body:
        if isinstance(part, ast.Assign):
            names |= {target.id for target in part.targets if isinstance(target, ast.Name)}
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and part.value is not None:
            names |= set() if dataclass_mark(node) is not None and not is_of_class(part) else {part.target.id}
    return names


def made_by_dataclass(node: ast.ClassDef) -> frozenset[str]:
    """What Python makes for the class itself, so that it inherits none."""
    if (mark := dataclass_mark(node)) is not None:
        shows = 'repr=False' not in ast.unparse(mark)
        return frozenset(['__init__', '__eq__', '__hash__', *(['__repr__'] if shows else [])])
    return frozenset(['__hash__'] if '__eq__' in own(node) else [])


def own_fields(node: ast.ClassDef) -> dict[str, ast.AnnAssign]:
    """The annotated names of a class."""
    parts = [part for part in node.body if isinstance(part, ast.AnnAssign) and not is_of_class(part)]
    return {part.target.id: part for part in parts if isinstance(part.target, ast.Name)}


def is_of_class(part: ast.AnnAssign) -> bool:
    """Whether what is annotated belongs to the class, and not to its objects."""
    return 'ClassVar' in ast.unparse(part.annotation)


def methods(node: ast.ClassDef) -> list[Method]:
    """The functions that stand in a class."""
    return [part for part in node.body if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))]


def dataclass_mark(node: ast.ClassDef) -> ast.expr | None:
    """The decorator that makes it a dataclass."""
    return next((mark for mark in node.decorator_list if last_name(mark) == 'dataclass'), None)


def decorator(method: Method) -> str | None:
    """What the decorators make of a method: '' for nothing that matters, None where that is not known."""
    if wraps_plainly(method):
        return ''
    known = method.decorator_list[: len(method.decorator_list) - len(wrapping(method))]
    names = [ast.unparse(mark).partition('(')[0].rpartition('.')[2] for mark in known]
    if not names or not set(names) <= _WITH_MEANING | _WITHOUT_MEANING | CACHES:
        return None
    if not CACHES.isdisjoint(names) and (names[-1] not in CACHES or not CACHES.isdisjoint(names[:-1])):
        return None
    return next((name for name in names if name in _WITH_MEANING), '')


def wraps_plainly(method: Method) -> bool:
    """Whether its decorators are functions like any other, which are given the method and give another one."""
    marks = {last_name(mark) for mark in method.decorator_list}
    return bool(marks) and marks.isdisjoint(_WITH_MEANING | _WITHOUT_MEANING | CACHES | _MINDING_TYPES)


def wrapping(method: Method) -> list[ast.expr]:
    """The decorators that are functions like any other: all of them, or those below `staticmethod` and its kin."""
    marks = method.decorator_list
    if wraps_plainly(method):
        return marks
    own = _WITH_MEANING | _WITHOUT_MEANING | CACHES | _MINDING_TYPES
    first = next((place for place, mark in enumerate(marks) if last_name(mark) not in own), len(marks))
    below = marks[first:]
    is_kind = first > 0 and last_name(marks[0]) in KINDS_OF_METHODS
    return below if is_kind and own.isdisjoint(map(last_name, below)) else []


def last_name(node: ast.expr) -> str:
    """The name at the end of `a.b.name[...](...)`."""
    while isinstance(node, (ast.Subscript, ast.Call)):
        node = node.value if isinstance(node, ast.Subscript) else node.func
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ''


def meaningful_bases(node: ast.ClassDef) -> Sequence[ast.expr]:
    """The bases that do more than say something to those who read."""
    return [base for base in node.bases if last_name(base) not in WITHOUT_EFFECT]


def _minds(node: ast.ClassDef) -> bool:
    bases = (*node.bases, *(word.value for word in node.keywords))
    return any(last_name(base) in ('ABC', 'ABCMeta', 'Protocol') for base in bases)


def _is_abstract(mark: ast.expr) -> bool:
    return last_name(mark) == 'abstractmethod'


def named_parts(node: ast.ClassDef) -> Iterator[str]:
    """The names that stand in a class, annotations without values included."""
    for part in node.body:
        if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield part.name
        elif isinstance(part, ast.Assign):
            yield from (target.id for target in part.targets if isinstance(target, ast.Name))
        elif isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            yield part.target.id


CACHES = frozenset(['cache', 'lru_cache'])
PREFIXES = {'setter': '_set_', 'deleter': '_del_'}
"""What stands before the names of methods that a property has beside the one that reads it."""
KINDS_OF_METHODS = frozenset(['property', 'cached_property', 'staticmethod', 'classmethod'])
_WITH_MEANING = KINDS_OF_METHODS | PREFIXES.keys()
_WITHOUT_MEANING = frozenset(['abstractmethod', 'override', 'final', 'overload'])
_MINDING_TYPES = frozenset(['singledispatch', 'singledispatchmethod', 'register', 'partialmethod', 'overload'])
"""Decorators that give what is no function."""
