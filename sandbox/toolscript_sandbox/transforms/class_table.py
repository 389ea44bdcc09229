"""The classes of a script by what they inherit from, which decides who provides them."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from toolscript_sandbox.language.analysis import Analysis

from .tree import meaning

Family: TypeAlias = Literal['plain', 'enum', 'tuple', 'typed dict', 'foreign']


@dataclass(frozen=True)
class Class:
    """One class statement."""

    node: ast.ClassDef
    family: Family
    bases: tuple[ast.expr, ...] = ()
    """What it inherits members from: classes of scripts."""
    kind: str = ''
    """Of an enumeration: `'Enum'`, `'IntEnum'`, or `'str'` for `(str, Enum)`. Of a foreign class: its foreign base."""
    is_abstract: bool = False
    """Whether it inherits from `ABC` or `Protocol`, so that abstract methods count."""
    iterates: bool = False
    """Whether it inherits `__iter__` from `Iterator`."""
    is_generic: bool = False
    """Whether it can be subscripted."""
    names: frozenset[str] = field(default_factory=frozenset[str])
    """What its body binds."""


def class_table(analysis: Analysis) -> dict[ast.ClassDef, Class]:
    """All class statements of the script, those within others too."""
    return _Table(analysis).found


class _Table:
    def __init__(self, analysis: Analysis) -> None:
        self._facts = analysis.session.facts
        self._bound = analysis.names.bound
        self._named = dict[str, ast.ClassDef]()
        self._tuples = {
            target.id
            for node in analysis.all(ast.Assign)
            if isinstance(node.value, ast.Call) and meaning(node.value.func) in _TUPLES
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in reversed(analysis.all(ast.ClassDef)):
            self._named[node.name] = node
        self.found = dict[ast.ClassDef, Class]()
        for node in analysis.all(ast.ClassDef):
            self._class(node)

    def _class(self, node: ast.ClassDef) -> Class:
        if node not in self.found:
            self.found[node] = Class(node, 'plain')  # For a class that names itself.
            self.found[node] = self._made(node)
        return self.found[node]

    def _made(self, node: ast.ClassDef) -> Class:
        bases, kinds, family, foreign = list[ast.expr](), list[str](), 'plain', ''
        for base in node.bases:
            whole = base.value if isinstance(base, ast.Subscript) else base
            dotted = meaning(whole) or ''
            module, _, name = dotted.rpartition('.')
            above = self._family(whole, dotted)
            if module == 'enum' or dotted in ('builtins.str', 'builtins.int'):
                kinds.append(name)
            elif dotted not in _WITHOUT_EFFECT and module != 'collections.abc' and above in ('plain', 'enum'):
                bases.append(whole)
            if above == 'foreign':
                foreign = foreign or ast.unparse(whole)
            elif above != 'plain':
                family = above
        marks = {meaning(base.value if isinstance(base, ast.Subscript) else base) for base in node.bases}
        metaclasses = [word.value for word in node.keywords if word.arg == 'metaclass']
        if family != 'enum' and kinds:
            foreign = kinds[0]
        if family == 'enum':
            foreign, kinds = '', [one for one in kinds if one != 'Enum'] or ['Enum']
        if foreign:
            family = 'foreign'
        return Class(
            node,
            family,  # pyright: ignore[reportArgumentType]
            tuple(bases),
            foreign or (kinds[0] if kinds else ''),
            bool(marks & _ABSTRACT) or any(meaning(one) == 'abc.ABCMeta' for one in metaclasses),
            bool(marks & _ITERATORS),
            bool(node.bases),
            frozenset(_names(node.body)),
        )

    def _family(self, base: ast.expr, dotted: str) -> Family:
        module, _, name = dotted.rpartition('.')
        if dotted in _TUPLES or (isinstance(base, ast.Call) and meaning(base.func) in _TUPLES):
            return 'tuple'
        if module == 'enum':
            return 'enum'
        if dotted == 'typing.TypedDict':
            return 'typed dict'
        if dotted in _WITHOUT_EFFECT:
            return 'plain'
        if dotted:
            return 'plain' if name.endswith(('Error', 'Exception')) else 'foreign'
        if not isinstance(base, ast.Name):
            return 'plain'
        if base.id in self._named:
            return self._class(self._named[base.id]).family
        if base.id in self._tuples:
            return 'tuple'
        for family in NOTED:
            if f'{family} {base.id}' in self._facts:
                return family
        return 'plain'


def assigned(body: list[ast.stmt]) -> list[str]:
    """The variables that the body of a class sets."""
    targets = [
        target
        for node in body
        if isinstance(node, ast.Assign) or (isinstance(node, ast.AnnAssign) and node.value is not None)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def annotated(body: list[ast.stmt]) -> list[str]:
    """The fields that the body of a class names."""
    targets = [node.target for node in body if isinstance(node, ast.AnnAssign)]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _names(body: list[ast.stmt]) -> list[str]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return [*assigned(body), *(node.name for node in body if isinstance(node, kinds))]


NOTED: tuple[Family, ...] = ('enum', 'tuple', 'typed dict')
"""Families that are noted for later scripts: `'enum Color'`."""
_TUPLES = frozenset(['typing.NamedTuple', 'collections.namedtuple'])
_ABSTRACT = frozenset(['abc.ABC', 'typing.Protocol'])
_ITERATORS = frozenset(['collections.abc.Iterator', 'typing.Iterator'])
_WITHOUT_EFFECT = frozenset(
    [
        *('builtins.object', 'abc.ABC', 'typing.Generic', 'typing.Protocol', *_ITERATORS),
        *(
            f'{module}.{name}'
            for module in ('typing', 'collections.abc')
            for name in (
                *('AsyncIterable', 'Awaitable', 'Callable', 'Collection', 'Container', 'Hashable', 'Iterable'),
                *('Reversible', 'Sized'),
            )
        ),
    ]
)
"""Bases that give a class no members, or only those that it must have itself."""
