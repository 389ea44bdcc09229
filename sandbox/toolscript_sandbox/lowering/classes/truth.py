"""Tests of objects whose class says how true they are: Monty takes all objects of classes for true.

Where only the truth is wanted, what is tested is asked for it. `a or b` gives one of its parts, which must not be
computed twice: it becomes a call where computing all of them does no harm, and a choice where they are plain names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.source import Edit, Source
from toolscript_sandbox.text.syntax import walk


def asked_for_truth(source: Source, scene: Scene, properties: frozenset[str]) -> Iterator[Edit]:
    """What asks the objects of a snippet how true they are."""
    tests = [test for node in walk(source.tree) for test in _tests(node)]
    within = {part for test in tests for part in _parts(test)}
    for part in within:
        if isinstance(part, _OF_ANY_TYPE):
            yield from source.wrap(part, f'{_piece("truth")}(', ')')
    for node in walk(source.tree):
        match node:
            case ast.BoolOp() if node not in within and any(map(_may_be_object, node.values[:-1])):
                yield from _chosen(node, source, properties)
            case ast.Call(func=ast.Name(id='filter'), args=[ast.Constant(value=None) as none, _]):
                yield source.replace(none, _piece('truth'))
            case ast.Call(func=ast.Name(id='any' | 'all'), args=[part]) if not isinstance(part, _MADE):
                yield from source.wrap(part, f'map({_piece("truth")}, ', ')')
            case ast.Call(func=ast.Name(id='isinstance' | 'issubclass')):
                pass
            case ast.Call():
                given = (*node.args, *(word.value for word in node.keywords))
                yield from (source.replace(one, _piece('truth')) for one in given if _is_bool(one, scene))
            case _:
                pass


def _piece(name: str) -> str:
    version = guest('members')
    assert version is not None
    return version.prefixed(name)


def _is_bool(node: ast.expr, scene: Scene) -> bool:
    return isinstance(node, ast.Name) and node.id == 'bool' and 'bool' not in scene.names.bound


def _tests(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
            yield test
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.comprehension(ifs=tests):
            yield from tests
        case ast.match_case(guard=ast.expr() as guard):
            yield guard
        case ast.Call(func=ast.Name(id='any' | 'all'), args=[(ast.GeneratorExp() | ast.ListComp()) as made]):
            yield made.elt
        case _:
            pass


def _parts(test: ast.expr) -> Iterator[ast.expr]:
    """What decides a test, and the `and` and `or` between."""
    yield test
    if isinstance(test, ast.BoolOp):
        for part in test.values:
            yield from _parts(part)


def _chosen(node: ast.BoolOp, source: Source, properties: frozenset[str]) -> Iterator[Edit]:
    """`a or b`, where the part itself is wanted."""
    *first, _ = node.values
    is_or = isinstance(node.op, ast.Or)
    start, end = source.start(node), source.end(node)
    if all(map(_is_still, node.values[1:])):
        yield Edit(start, start, f'{_piece("either" if is_or else "both")}(')
        glue = [','] * len(first)
    elif all(_is_path(part, properties) for part in first):
        yield Edit(start, start, '(')
        negated = '' if is_or else 'not '
        glue = [f' if {negated}{_piece("truth")}({source.segment(part)}) else ' for part in first]
    else:
        said = 'Objects here say how true they are: keep the first part in a variable, and write the rest with `if`.'
        raise Refused([refusal(node, said)])
    word = 'or' if is_or else 'and'
    for left, right, text in zip(first, node.values[1:], glue, strict=True):
        gap = source.text[source.end(left) : source.start(right)]
        if '#' in gap:
            raise Refused([refusal(node, f'Write this without a comment at its `{word}`.')])
        place = source.end(left) + gap.index(word)
        yield Edit(place, place + len(word), text)
    yield Edit(end, end, ')')


def _may_be_object(part: ast.expr) -> bool:
    if isinstance(part, ast.BoolOp):
        return any(map(_may_be_object, part.values))
    if isinstance(part, ast.Call) and isinstance(part.func, (ast.Name, ast.Attribute)):
        name = part.func.id if isinstance(part.func, ast.Name) else part.func.attr
        return name not in _PLAIN_CALLS
    return isinstance(part, _OF_ANY_TYPE)


def _is_still(part: ast.expr) -> bool:
    """Whether computing it does nothing and cannot fail."""
    match part:
        case ast.Constant() | ast.Name():
            return True
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.BoolOp(values=parts):
            return all(map(_is_still, parts))
        case ast.Dict(keys=[]):
            return True
        case _:
            return False


def _is_path(part: ast.expr, properties: frozenset[str]) -> bool:
    """Whether it is a name, or what stands at the end of dots that compute nothing."""
    while isinstance(part, ast.Attribute) and part.attr not in properties:
        part = part.value
    return isinstance(part, ast.Name)


_OF_ANY_TYPE = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Await, ast.BinOp, ast.IfExp, ast.NamedExpr)
_MADE = (ast.GeneratorExp, ast.ListComp, ast.Starred)
_PLAIN_CALLS = frozenset(
    [
        *('isinstance', 'issubclass', 'hasattr', 'callable', 'any', 'all', 'len', 'str', 'int', 'float', 'bool'),
        *('list', 'dict', 'set', 'tuple', 'sorted', 'sum', 'round'),
        *('startswith', 'endswith', 'isdigit', 'isalpha', 'strip', 'lower', 'upper', 'split', 'join'),
    ]
)
"""Calls that give no object of a class."""
