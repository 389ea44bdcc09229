"""Whether a list or dict of a snippet may come to hold itself, by the names that are stored in one another."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from toolscript_sandbox.text.syntax import all_of


def may_hold_itself(tree: ast.Module) -> bool:
    """Whether a value may be stored in something that it holds, as far as names tell; rather yes than no."""
    stored = {*_stored(tree)}
    if not stored:
        return False
    near = _near(tree, stored)
    return any(_reaches(second, first, near) for first, second in stored)


def may_be_circles(nodes: Sequence[ast.expr], tree: ast.Module) -> bool:
    """Whether each of the values may be, or hold, one that holds itself."""
    stored = {*_stored(tree)}
    near = _near(tree, stored)
    circles = {first for first, second in stored if _reaches(second, first, near)}
    return all(any(_reaches(root, name, near) for root in _roots(node) for name in circles) for node in nodes)


def _near(tree: ast.Module, stored: set[tuple[str, str]]) -> dict[str, set[str]]:
    near = dict[str, set[str]]()
    for first, second in stored:
        near.setdefault(first, set()).add(second)
    for first, second in _kin(tree):
        near.setdefault(first, set()).add(second)
        near.setdefault(second, set()).add(first)
    return near


def _reaches(start: str, end: str, near: dict[str, set[str]]) -> bool:
    seen, waiting = set[str](), [start]
    while waiting:
        name = waiting.pop()
        if name == end:
            return True
        if name not in seen:
            seen.add(name)
            waiting += near.get(name, ())
    return False


def _stored(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """What is changed, and what is put into it."""
    for node in all_of(tree, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in _STORING:
            yield from _pairs(node.func.value, node.args)
    for node in all_of(tree, ast.Assign):
        for target in node.targets:
            for part in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
                if isinstance(part, ast.Subscript):
                    yield from _pairs(part.value, [node.value])


def _pairs(base: ast.expr, values: list[ast.expr]) -> Iterator[tuple[str, str]]:
    return ((first, second) for first in _roots(base) for value in values for second in _roots(value))


def _kin(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Names of which one may be, or hold, what the other one is."""
    for node in all_of(tree, ast.Assign):
        yield from ((first, second) for target in node.targets for first, second in _pairs(target, [node.value]))
    for node in (*all_of(tree, ast.For), *all_of(tree, ast.comprehension)):
        yield from _pairs(node.target, [node.iter])


def _roots(node: ast.expr) -> Iterator[str]:
    """The names of what a value is, or is a part of, or holds."""
    match node:
        case ast.Name(id=name):
            yield name
        case ast.Attribute(value=value) | ast.Subscript(value=value) | ast.Starred(value=value):
            yield from _roots(value)
        case ast.Call(func=ast.Attribute(value=value)) | ast.NamedExpr(value=value):
            yield from _roots(value)
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts) | ast.BoolOp(values=parts):
            for part in parts:
                yield from _roots(part)
        case ast.Dict(values=parts):
            for part in parts:
                yield from _roots(part)
        case ast.ListComp(elt=part, generators=parts) | ast.GeneratorExp(elt=part, generators=parts):
            yield from (*_roots(part), *(name for one in parts for name in _roots(one.iter)))
        case ast.DictComp(value=part, generators=parts):
            yield from (*_roots(part), *(name for one in parts for name in _roots(one.iter)))
        case ast.IfExp(body=body, orelse=orelse):
            yield from (*_roots(body), *_roots(orelse))
        case _:
            pass


_STORING = frozenset(['add', 'append', 'appendleft', 'extend', 'insert', 'setdefault', 'update'])
