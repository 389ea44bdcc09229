"""What `+=` and `*=` do to lists.

`items += (1, 2)` and `letters += 'ab'`: a list takes whatever can be iterated over, which Monty's does not. `row *= 3`
changes the list itself, whatever names it has; Monty makes another one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.parts import is_repeatable
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.text.source import Edit, Source
from toolscript_sandbox.text.syntax import all_of, walk


def extended(program: Program) -> Program:
    """The snippet with what is added to lists made lists, where it may be none, and lists repeated in their place."""
    changes = [node for node in all_of(program.tree, ast.AugAssign) if is_repeatable(node.target)]
    sums = [node for node in changes if isinstance(node.op, ast.Add)]
    products = [node for node in changes if isinstance(node.op, ast.Mult)]
    if not sums and not products:
        return program
    lists = _named_lists(program.tree) | (program.scene.known - program.scene.names.bound) if sums else frozenset[str]()
    numbers = frozenset(_named_numbers(program.tree)) if products else frozenset[str]()
    extending = [node for node in sums if _may_extend(node, lists)]
    repeating = [node for node in products if _may_repeat(node, numbers)]
    if not extending and not repeating:
        return program
    version = guest('builtins')
    assert version is not None
    program.scene.pieces.add('builtins')
    edits = list[Edit]()
    for node in extending:
        target = program.source.segment(node.target)
        edits += program.source.wrap(node.value, f'{version.prefixed("addend")}({target}, (', '))')
    for node in repeating:
        edits += _repeated(node, version.prefixed('repeated'), program.source)
    return program.edited(edits)


def _repeated(node: ast.AugAssign, repeated: str, source: Source) -> Iterator[Edit]:
    place, end = source.text.index('*=', source.end(node.target)), source.end(node)
    yield Edit(place, place + 2, f'= {repeated}({source.segment(node.target)}, (')
    yield Edit(end, end, '))')


def _may_repeat(node: ast.AugAssign, numbers: frozenset[str]) -> bool:
    """Whether it may be a list that is repeated."""
    if any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in walk(node.value)):
        return False
    is_whole = not isinstance(node.value, ast.Constant) or isinstance(node.value.value, int)
    return is_whole and (isinstance(node.target, ast.Subscript) or _last_name(node.target) not in numbers)


def _named_numbers(tree: ast.Module) -> Iterator[str]:
    """The names that the text gives numbers."""
    for node in all_of(tree, ast.Assign):
        if _is_number(node.value):
            yield from map(_last_name, node.targets)
    for node in all_of(tree, ast.AnnAssign):
        if _says_number(node.annotation):
            yield _last_name(node.target)
    for node in all_of(tree, ast.arg):
        if node.annotation is not None and _says_number(node.annotation):
            yield node.arg


def _is_number(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, (int, float))


def _says_number(annotation: ast.expr) -> bool:
    return isinstance(annotation, ast.Name) and annotation.id in ('int', 'float')


def _may_extend(node: ast.AugAssign, lists: frozenset[str]) -> bool:
    """Whether a list may get what is none."""
    if _is_iterable(node.value):
        return True
    if _is_list(node.value) or any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in walk(node.value)):
        return False
    return _last_name(node.target) in lists and not (_is_number(node.value) and isinstance(node.target, ast.Subscript))


def _named_lists(tree: ast.Module) -> frozenset[str]:
    """The names that somewhere in the text stand for lists."""
    found, others = set(_first_names(tree)), dict[str, list[str]]()
    for node in all_of(tree, ast.Assign):
        if isinstance(node.value, (ast.Name, ast.Attribute)):
            others.setdefault(_last_name(node.value), []).extend(map(_last_name, node.targets))
    waiting = list(found)
    while waiting:
        new = set(others.get(waiting.pop(), ())) - found
        found |= new
        waiting += new
    return frozenset(found)


def _first_names(tree: ast.Module) -> Iterator[str]:
    for node in all_of(tree, ast.Assign):
        for target in node.targets:
            yield from _lists_of(target, node.value)
    for node in all_of(tree, ast.AnnAssign):
        if (node.value is not None and _is_list(node.value)) or _says_list(node.annotation):
            yield _last_name(node.target)
    for node in all_of(tree, ast.NamedExpr):
        yield from _lists_of(node.target, node.value)
    for node in all_of(tree, ast.arg):
        if node.annotation is not None and _says_list(node.annotation):
            yield node.arg
    for node in all_of(tree, ast.arguments):
        given = [*node.posonlyargs, *node.args][::-1]
        yield from (part.arg for part, value in zip(given, node.defaults[::-1], strict=False) if _is_list(value))


def _lists_of(target: ast.expr, value: ast.expr) -> Iterator[str]:
    match target, value:
        case ((ast.Tuple(elts=targets) | ast.List(elts=targets)), (ast.Tuple(elts=values) | ast.List(elts=values))):
            for part, one in zip(targets, values, strict=False):
                yield from _lists_of(part, one)
        case _ if _is_list(value):
            yield _last_name(target)
        case _:
            pass


def _is_list(value: ast.expr) -> bool:
    match value:
        case ast.List() | ast.ListComp():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in ('list', 'sorted')
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in ('split', 'splitlines', 'rsplit', 'findall')
        case ast.BinOp(left=left, op=ast.Add() | ast.Mult(), right=right):
            return _is_list(left) or _is_list(right)
        case ast.IfExp(body=body, orelse=other):
            return _is_list(body) and _is_list(other)
        case ast.Subscript(value=of, slice=ast.Slice()):
            return _is_list(of)
        case _:
            return False


def _says_list(annotation: ast.expr) -> bool:
    kind = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return isinstance(kind, ast.Name) and kind.id in ('list', 'List')


def _last_name(target: ast.expr) -> str:
    """The name of a variable or an attribute, '' for others."""
    match target:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ''


def _is_iterable(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        name = value.func.attr if isinstance(value.func, ast.Attribute) else ''
        name = value.func.id if isinstance(value.func, ast.Name) else name
        return name in _ITERABLES
    return isinstance(value, (ast.Tuple, ast.Set, ast.SetComp, ast.Dict, ast.DictComp, ast.GeneratorExp))


_ITERABLES = frozenset(
    ['dict', 'enumerate', 'filter', 'items', 'keys', 'map', 'range', 'reversed', 'set', 'tuple', 'values', 'zip']
)
