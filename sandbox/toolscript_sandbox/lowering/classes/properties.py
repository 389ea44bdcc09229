"""Reading and storing properties: stands in for descriptors, which Monty lacks. Whoever reads looks for one by name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.monty_features import METHODS_OF_TYPES
from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.source import Edit, Source
from toolscript_sandbox.text.syntax import all_of, index_of, walk

from .lineage import Family, methods


def of_properties(source: Source, scene: Scene, family: Family, properties: frozenset[str]) -> Iterator[Edit]:
    """What each attribute that may be a property becomes."""
    if not properties:
        return
    plain = properties & METHODS_OF_TYPES
    calls = all_of(source.tree, ast.Call)
    called = {node.func for node in calls}
    for _, made in made_by_calls(family, scene):
        yield source.replace(made, _piece('property_of'))
    marks = {mark for node in family.classes.values() for method in methods(node) for mark in method.decorator_list}
    quotes, parents = _quotes(source), index_of(source.tree).parents
    for node in all_of(source.tree, ast.Attribute):
        if node.attr not in properties or scene.module(node.value) is not None or _is_of_super(node.value):
            continue
        if isinstance(node.ctx, ast.Load) and not (node.attr in plain and node in called) and node not in marks:
            yield from _read(node, quotes.get(node, "'"), source)
        elif isinstance(node.ctx, ast.Store):
            yield from _stored(node, parents[node], source)
    for node in calls:
        match node.func:
            case ast.Name(id='getattr' | 'setattr' as name) if scene.is_free(node.func) and _may_be(node, properties):
                yield source.replace(node.func, _piece('given' if name == 'getattr' else 'stored'))
            case ast.Name(id='attrgetter') | ast.Attribute(attr='attrgetter'):
                _refuse_by_name(node, properties)
            case _:
                pass


def made_by_calls(family: Family, scene: Scene) -> Iterator[tuple[str, ast.Name]]:
    """The names of `size = property(get_size)` in classes, and what is called there."""
    for node in family.classes.values():
        for part in node.body:
            match part:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id='property') as func)):
                    if scene.is_free(func):
                        yield name, func
                case _:
                    pass


def _is_of_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == 'super'


def _piece(name: str) -> str:
    version = guest('members')
    assert version is not None
    return version.prefixed(name)


def _read(node: ast.Attribute, quote: str, source: Source) -> Iterator[Edit]:
    start, end = source.start(node), source.end(node)
    dot = source.text.rindex('.', start, end - len(node.attr))
    yield Edit(start, start, f'{_piece("read")}(')
    yield Edit(dot, end, f', {quote}{node.attr}{quote})')


def _quotes(source: Source) -> dict[ast.AST, str]:
    """For what stands in f-strings, the quote that does not end them."""
    found = dict[ast.AST, str]()
    for string in all_of(source.tree, ast.JoinedStr):
        opening = source.segment(string).lstrip('fFrR')[:1]
        found.update(dict.fromkeys(walk(string), "'" if opening == '"' else '"'))
    return found


def _stored(node: ast.Attribute, statement: ast.AST, source: Source) -> Iterator[Edit]:
    start, end = source.start(node), source.end(node)
    dot = source.text.rindex('.', start, end - len(node.attr))
    match statement:
        case ast.Assign(targets=[_]) | ast.AnnAssign(value=ast.expr()):
            yield Edit(start, start, f'{_piece("stored")}(')
            middle = f', {node.attr!r}, ('
        case ast.AugAssign(op=op, value=value):
            # Whose property it is, is computed once; and it is read before the value is computed.
            if any(isinstance(part, _NOT_LATER) for part in walk(value)):
                raise Refused([refusal(node, f'{node.attr} is a property: compute the value in a line of its own.')])
            yield Edit(start, start, f'{_piece("changed")}(')
            middle = f', {node.attr!r}, lambda _old: _old {sign_of(op)} ('
        case ast.Tuple():
            yield from _stored_with_others(node, statement, source)
            return
        case _:
            raise Refused([refusal(node, f'{node.attr} is a property: store in it by a statement of its own.')])
    first = source.text.index('=', end) + 1
    yield Edit(dot, first, middle)
    # A value may stand in brackets of its own.
    closed = source.end(statement)
    yield Edit(closed, closed, '))')


def _stored_with_others(node: ast.Attribute, targets: ast.Tuple, source: Source) -> Iterator[Edit]:
    """`self.size, self.name = 1, 'a'`: the value goes through a variable of its own, and into the property behind."""
    statement = index_of(source.tree).parents[targets]
    last = targets.elts[-1] is node
    if (
        not isinstance(statement, ast.Assign)
        or len(statement.targets) > 1
        or not (last or _is_plain_rest(node, targets))
    ):
        raise Refused([refusal(node, f'{node.attr} is a property: store in it by a statement of its own.')])
    name, end = f'_new_{node.attr}_{node.lineno}_{node.col_offset}', source.end(statement)
    yield source.replace(node, name)
    yield Edit(end, end, f'; {_piece("stored")}({source.segment(node.value)}, {node.attr!r}, {name})')


def _is_plain_rest(node: ast.Attribute, targets: ast.Tuple) -> bool:
    """Whether nothing that is stored after it can tell that it is stored last."""
    return all(isinstance(one, (ast.Name, ast.Attribute)) for one in targets.elts) and isinstance(node.value, ast.Name)


def sign_of(op: ast.operator) -> str:
    """The operator as it is written between two sides."""
    return ast.unparse(ast.BinOp(ast.Constant(0), op, ast.Constant(0)))[1:-1].strip()


def _may_be(node: ast.Call, properties: frozenset[str]) -> bool:
    asked = node.args[1] if len(node.args) > 1 else None
    return not isinstance(asked, ast.Constant) or asked.value in properties


def _refuse_by_name(node: ast.Call, properties: frozenset[str]) -> None:
    for name in node.args:
        if not isinstance(name, ast.Constant) or name.value in properties:
            said = f'attrgetter does not know properties here. Write a lambda with .{min(properties)} and so on.'
            raise Refused([refusal(node, said)])


_NOT_LATER = (ast.Await, ast.NamedExpr, ast.Yield, ast.YieldFrom)
"""What cannot stand in a function of its own."""
