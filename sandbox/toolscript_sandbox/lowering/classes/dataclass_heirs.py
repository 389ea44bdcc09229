"""Dataclasses that inherit or have an order, which Monty's have not: their fields and comparisons are written out."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.source import NEW_LINE, Edit, Source

from .lineage import Family, dataclass_mark, last_name, own, own_fields


def inherited_fields(node: ast.ClassDef, family: Family, source: Source) -> Iterator[Edit]:
    """The fields of those above, before the class's own; one that is written anew keeps its place."""
    above = [one for one in family.above(node) if dataclass_mark(one) is not None]
    if not above:
        return
    fields, first, mine = family.fields(node), node.body[0], own_fields(node)
    inherited = {name for one in above for name in own_fields(one)}
    if dataclass_mark(node) is None:
        mine = dict[str, ast.AnnAssign]()
        yield Edit(source.start(node), source.start(node), f'@{_mark_of(above[0])}{NEW_LINE}{" " * node.col_offset}')
    lines = [source.segment(field) for name, field in fields.items() if name in inherited]
    if any(name in mine for name in inherited) and first.lineno == node.lineno:
        raise Refused([refusal(node, 'Write the fields on lines of their own.')])
    for name in mine:
        if name in inherited:
            yield source.replace(mine[name], 'pass')
    start = family.owner(family.above(node), '__post_init__')
    if start is not None and '__post_init__' not in own(node):
        lines.append(f'__post_init__ = {start.name}.__post_init__')
    glue = NEW_LINE + ' ' * first.col_offset if first.lineno > node.lineno else '; '
    place = source.start(first)
    if isinstance(first, (ast.FunctionDef, ast.AsyncFunctionDef)) and first.decorator_list:
        place = source.start(first.decorator_list[0]) - 1
    yield Edit(place, place, ''.join(f'{line}{glue}' for line in lines))


def _mark_of(node: ast.ClassDef) -> str:
    mark = dataclass_mark(node)
    assert mark is not None
    return _without_order(mark)


def _without_order(mark: ast.expr) -> str:
    if not isinstance(mark, ast.Call):
        return ast.unparse(mark)
    left = ', '.join(ast.unparse(word) for word in mark.keywords if word.arg != 'order')
    return f'{ast.unparse(mark.func)}({left})'


def order_of(node: ast.ClassDef, family: Family, source: Source) -> Iterator[Edit]:
    """The comparisons of a dataclass with `order=True`."""
    own_mark = dataclass_mark(node)
    above = [mark for one in family.above(node) if (mark := dataclass_mark(one)) is not None]
    mark = own_mark or next(iter(above), None)
    words = mark.keywords if isinstance(mark, ast.Call) else []
    order = next((word for word in words if word.arg == 'order'), None)
    if order is None or not isinstance(mark, ast.Call):
        return
    first = node.body[0]
    if not isinstance(order.value, ast.Constant) or first.lineno == node.lineno:
        raise Refused([refusal(order.value, 'Write order=True, and the fields on lines of their own.')])
    if own_mark is not None:
        yield source.replace(mark, _without_order(mark))
    if order.value.value is not True:
        return
    if own(node) & set(_SIGNS):
        raise Refused([refusal(order.value, 'Leave order out: the class has a comparison of its own.')])
    fields = [name for name, field in family.fields(node).items() if is_compared(field)]
    mine, others = (''.join(f'{whose}.{name}, ' for name in fields) for whose in ('self', 'other'))
    end, indent = source.end(node), NEW_LINE + ' ' * first.col_offset
    tests = (
        f'{indent}def {name}(self, other): '
        f'return ({mine}) {sign} ({others}) if type(other) is type(self) else NotImplemented'
        for name, sign in _SIGNS.items()
    )
    yield Edit(end, end, ''.join(tests))


def is_compared(field: ast.AnnAssign) -> bool:
    """Whether a field counts where objects are compared."""
    words = field.value.keywords if isinstance(field.value, ast.Call) and last_name(field.value) == 'field' else []
    return not any(word.arg == 'compare' and ast.unparse(word.value) == 'False' for word in words)


_SIGNS = {'__lt__': '<', '__le__': '<=', '__gt__': '>', '__ge__': '>='}
