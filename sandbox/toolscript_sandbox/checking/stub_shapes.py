"""What a function takes, read from its stub: enough to judge values, not only types."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from toolscript_sandbox.text.syntax import expression_of, module_of


@dataclass(frozen=True)
class Anything:
    """Whatever the stub says that is not read here."""


@dataclass(frozen=True)
class Scalar:
    """`str`, `int`, `float`, `bool` or `None`."""

    name: str


@dataclass(frozen=True)
class Choice:
    """One of the constants of a `Literal`."""

    values: frozenset[tuple[type, object]]
    """Each with its type: `1` and `True` are equal in Python, but not in JSON."""
    shown: tuple[object, ...]
    """In the order of the stub."""


@dataclass(frozen=True)
class ListOf:
    """A list, or whatever becomes one in JSON."""

    item: Shape


@dataclass(frozen=True)
class TupleOf:
    """A list of a fixed length."""

    items: tuple[Shape, ...]


@dataclass(frozen=True)
class DictOf:
    """A dict with any keys."""

    value: Shape


@dataclass(frozen=True)
class OneOf:
    """A union."""

    members: tuple[Shape, ...]


@dataclass(frozen=True)
class RecordOf:
    """A `TypedDict`, by name: records may hold themselves."""

    name: str


Shape: TypeAlias = Anything | Scalar | Choice | ListOf | TupleOf | DictOf | OneOf | RecordOf


@dataclass(frozen=True)
class Record:
    """The keys of a `TypedDict`."""

    fields: Mapping[str, Shape]
    required: frozenset[str]
    extra: Shape | None
    """What other keys may hold; None where there are no others."""


@dataclass(frozen=True)
class Parameters:
    """What a function takes."""

    positional: tuple[str, ...]
    """In the order of positional arguments."""
    shapes: Mapping[str, Shape]
    """By name."""
    required: frozenset[str]
    variadic: str | None
    """The name of `*args`, whose items have the shape that stands under it."""
    extra: Shape | None
    """Of further keywords, if there may be any."""
    closed: bool
    """Whether the stub rules further keywords out: it takes those of the type `Never`."""
    records: Mapping[str, Record]


@lru_cache(maxsize=64)
def stub_tree(stub: str) -> ast.Module | None:
    """The tree of a stub, for reading; None where it does not parse."""
    try:
        return module_of(stub)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(maxsize=4096)
def parameters_of(stub: str) -> Parameters | None:
    """What the function of a stub takes; None where the stub cannot be read."""
    tree = stub_tree(stub)
    if tree is None:
        return None
    functions = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    if len(functions) != 1:
        return None
    tables = dict(table for node in tree.body for table in _tables(node))
    return _Reading(frozenset(tables)).parameters(functions[0].args, tables)


def rules_out(keywords: ast.arg) -> bool:
    """Whether `**keywords` says that there are none."""
    return keywords.annotation is not None and _last(keywords.annotation) == 'Never'


@dataclass(frozen=True)
class _Table:
    """A `TypedDict` as it is written."""

    fields: Sequence[tuple[str, ast.expr]]
    keywords: Sequence[ast.keyword]


def _tables(node: ast.stmt) -> Iterator[tuple[str, _Table]]:
    match node:
        case ast.ClassDef(name=name, bases=[base], body=body, keywords=keywords) if _last(base) == 'TypedDict':
            parts = [part for part in body if isinstance(part, ast.AnnAssign)]
            fields = [(part.target.id, part.annotation) for part in parts if isinstance(part.target, ast.Name)]
            yield name, _Table(fields, keywords)
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.Call(func=func, args=[_, ast.Dict(keys=keys, values=values)], keywords=keywords),
        ) if _last(func) == 'TypedDict':
            pairs = zip(keys, values, strict=True)
            fields = [
                (key.value, value)
                for key, value in pairs
                if isinstance(key, ast.Constant) and isinstance(key.value, str)
            ]
            yield name, _Table(fields, keywords)
        case _:
            pass


@dataclass(frozen=True)
class _Reading:
    records: frozenset[str]
    """Names of the `TypedDict`s."""

    def parameters(self, takes: ast.arguments, tables: Mapping[str, _Table]) -> Parameters:
        ordered = [*takes.posonlyargs, *takes.args]
        named = [*ordered, *takes.kwonlyargs]
        closed = takes.kwarg is not None and rules_out(takes.kwarg)
        rest = [] if takes.vararg is None else [takes.vararg]
        optional = {one.arg for one in ordered[len(ordered) - len(takes.defaults) :]}
        optional |= {one.arg for one, default in zip(takes.kwonlyargs, takes.kw_defaults, strict=True) if default}
        return Parameters(
            positional=tuple(one.arg for one in ordered),
            shapes={one.arg: self.shape(one.annotation) for one in [*named, *rest]},
            required=frozenset(one.arg for one in named) - optional,
            variadic=None if takes.vararg is None else takes.vararg.arg,
            extra=None if closed or takes.kwarg is None else self.shape(takes.kwarg.annotation),
            closed=closed,
            records={name: self._record(table) for name, table in tables.items()},
        )

    def _record(self, table: _Table) -> Record:
        said = {keyword.arg: keyword.value for keyword in table.keywords}
        total = not (isinstance(value := said.get('total'), ast.Constant) and value.value is False)
        shapes, required = dict[str, Shape](), set[str]()
        for key, annotation in table.fields:
            inner, needed = _unmarked(_unquoted(annotation), total)
            shapes[key] = self.shape(inner)
            required |= {key} if needed else set()
        return Record(shapes, frozenset(required), self.shape(said['extra_items']) if 'extra_items' in said else None)

    def shape(self, annotation: ast.expr | None) -> Shape:
        """The shape that an annotation stands for."""
        match _unquoted(annotation):
            case ast.Constant(value=None):
                return Scalar('None')
            case ast.Name(id=name):
                return RecordOf(name) if name in self.records else _PLAIN.get(name, Anything())
            case ast.BinOp(op=ast.BitOr()) as union:
                return self._union(_members(union))
            case ast.Subscript(value=value, slice=inside):
                parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
                return self._generic(_last(value), parts)
            case _:
                return Anything()

    def _generic(self, word: str, parts: Sequence[ast.expr]) -> Shape:
        match word, parts:
            case 'Literal', _:
                return _choice(parts)
            case 'Union', _:
                return self._union(parts)
            case 'Optional', [part]:
                return self._union([part, ast.Constant(None)])
            case 'Annotated' | 'Required' | 'NotRequired', [part, *_]:
                return self.shape(part)
            case 'list' | 'List' | 'set' | 'frozenset' | 'Sequence' | 'Iterable', [part]:
                return ListOf(self.shape(part))
            case 'dict' | 'Dict' | 'Mapping', [_, part]:
                return DictOf(self.shape(part))
            case 'tuple' | 'Tuple', [part, ast.Constant(value=value)] if value is ...:
                return ListOf(self.shape(part))
            case 'tuple' | 'Tuple', _:
                return TupleOf(tuple(map(self.shape, parts)))
            case _:
                return Anything()

    def _union(self, parts: Sequence[ast.expr]) -> Shape:
        return OneOf(tuple(map(self.shape, parts)))


def _choice(parts: Sequence[ast.expr]) -> Shape:
    try:
        values: list[object] = [ast.literal_eval(part) for part in parts]
    except (ValueError, SyntaxError):
        return Anything()
    return Choice(frozenset((_kind(value), value) for value in values), tuple(values))


def _kind(value: object) -> type[object]:
    return type(value)


def _unmarked(annotation: ast.expr | None, total: bool) -> tuple[ast.expr | None, bool]:
    if isinstance(annotation, ast.Subscript) and _last(annotation.value) in ('Required', 'NotRequired'):
        return annotation.slice, _last(annotation.value) == 'Required'
    return annotation, total


def _unquoted(annotation: ast.expr | None) -> ast.expr | None:
    """The annotation itself where it stands in quotes."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            return expression_of(annotation.value)
        except (SyntaxError, ValueError):
            return None
    return annotation


def _members(node: ast.expr) -> Sequence[ast.expr]:
    found = list[ast.expr]()
    while isinstance(node, ast.BinOp):
        found.insert(0, node.right)
        node = node.left
    return [node, *found]


def _last(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ''


_PLAIN: Mapping[str, Shape] = {
    **{name: Scalar(name) for name in ('str', 'int', 'float', 'bool')},
    **dict.fromkeys(('list', 'tuple', 'set', 'frozenset', 'List'), ListOf(Anything())),
    **dict.fromkeys(('dict', 'Dict', 'Mapping'), DictOf(Anything())),
}
