"""Messages that only what failed can word as Python does (`guest/failures.py`): of divisions, `index` and `json.loads`.

Monty says of all divisions the same, and leaves out what was not found. Only where somebody may look at such a message,
in a handler or in what `gather` gave, does a guest's function do this in Monty's stead.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.parts import is_repeatable
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.lowering.rewriter import Rewriter
from toolscript_sandbox.text.source import Edit
from toolscript_sandbox.text.syntax import all_of, walk


def with_failures(program: Program) -> Program:
    """The snippet with what may fail given to functions that tell of it in Python's words."""
    tree = program.tree
    kinds = kinds_looked_at(tree)
    if not kinds:
        return program
    work = _Work(program)
    edits = list[Edit]()
    if kinds & _BY_ZERO:
        edits += [edit for node in all_of(tree, ast.BinOp) for edit in work.division(node)]
        edits += [edit for node in all_of(tree, ast.AugAssign) for edit in work.division_in_place(node)]
        edits += [edit for node in all_of(tree, ast.Call) for edit in work.both_parts(node)]
    if kinds & _OF_VALUES:
        edits += [edit for node in all_of(tree, ast.Call) for edit in work.call(node)]
    if edits:
        program.scene.pieces.add('failures')
    return program.edited(edits)


def kinds_looked_at(tree: ast.Module) -> set[str]:
    """The kinds of exceptions whose messages somebody may look at."""
    kinds = {kind for node in all_of(tree, ast.ExceptHandler) for kind in _told(node)}
    if any(node.arg == 'return_exceptions' for node in all_of(tree, ast.keyword)):
        kinds.add('Exception')
    return kinds


def _told(node: ast.ExceptHandler) -> set[str]:
    """The kinds of exceptions whose messages the handler may look at."""
    if node.name is None or not any(
        isinstance(part, ast.Name) and part.id == node.name for body in node.body for part in walk(body)
    ):
        return set()
    if node.type is None:
        return {'Exception'}
    # What is neither a name nor an attribute may be any of them.
    parts = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    names = {
        part.id if isinstance(part, ast.Name) else part.attr if isinstance(part, ast.Attribute) else ''
        for part in parts
    }
    return {name if name in _OTHER_KINDS or name in _BY_ZERO | _OF_VALUES else 'Exception' for name in names}


class _Work:
    def __init__(self, program: Program) -> None:
        self._r = Rewriter(program)
        self._source = program.source

    def division(self, node: ast.BinOp) -> Iterator[Edit]:
        """`a / b`, `a // b` and `a % b`."""
        sign, name = _DIVISIONS.get(type(node.op), ('', ''))
        if not sign or _is_sure(node.right) or _is_text(node.left):
            return
        start, end = self._source.end(node.left), self._source.start(node.right)
        between = self._source.text[start:end]
        if between.count(sign) == 1 and self._is_placed(node):
            yield from self._source.wrap(node, f'{_piece(name)}(', ')')
            yield Edit(start, end, between.replace(sign, ',', 1))

    def division_in_place(self, node: ast.AugAssign) -> Iterator[Edit]:
        """`a /= b`."""
        sign, name = _DIVISIONS.get(type(node.op), ('', ''))
        if not sign or _is_sure(node.value) or not is_repeatable(node.target):
            return
        start, end = self._source.end(node.target), self._source.end(node)
        place = self._source.text.index(f'{sign}=', start)
        target = self._source.segment(node.target)
        yield Edit(place, place + len(sign) + 1, f'= {_piece(name)}({target}, (')
        yield Edit(end, end, '))')

    def both_parts(self, node: ast.Call) -> Iterator[Edit]:
        """`divmod(a, b)`."""
        match node:
            case ast.Call(func=ast.Name(id='divmod') as func) if self._r.scene.is_free(func) and self._is_placed(func):
                yield self._source.replace(func, _piece('both_parts'))
            case _:
                pass

    def call(self, node: ast.Call) -> Iterator[Edit]:
        """`items.index(item)` and `json.loads(text)`."""
        if self._r.scene.member(node.func) == ('json', 'loads'):
            if self._is_placed(node):
                yield self._source.replace(node.func, _piece('loads'))
            return
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr='index'), args=[first], keywords=[]):
                start, behind = self._source.end(value), self._source.start(first)
                if isinstance(first, ast.Starred) or _is_text(value) or self._r.scene.module(value) is not None:
                    return
                if self._source.text[start:behind] == '.index(' and self._is_placed(node):
                    yield from self._source.wrap(value, f'{_piece("index_of")}(', '')
                    yield Edit(start, behind, ', ')
            case _:
                pass

    def _is_placed(self, node: ast.expr) -> bool:
        """Whether it stands where the tree says."""
        return all(self._r.is_placed(outer) for outer in self._r.above(node) if isinstance(outer, ast.JoinedStr))


def _is_sure(divisor: ast.expr) -> bool:
    """Whether it is a number, and not zero."""
    return isinstance(divisor, ast.Constant) and bool(divisor.value)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)))


def _piece(name: str) -> str:
    version = guest('failures')
    assert version is not None
    return version.prefixed(name)


_DIVISIONS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Div: ('/', 'divided'),
    ast.FloorDiv: ('//', 'floored'),
    ast.Mod: ('%', 'remainder'),
}
_BY_ZERO = frozenset(['ArithmeticError', 'BaseException', 'Exception', 'ZeroDivisionError'])
_OF_VALUES = frozenset(['BaseException', 'Exception', 'JSONDecodeError', 'ValueError'])
_WORDS = (
    'AssertionError AttributeError EOFError FileNotFoundError ImportError IndexError KeyError LookupError NameError '
    'NotImplementedError OSError OverflowError PermissionError RecursionError RuntimeError StopIteration TimeoutError '
    'TypeError UnicodeDecodeError UnicodeEncodeError'
)
_OTHER_KINDS = frozenset(_WORDS.split())
"""Builtin exceptions that have nothing to do with these."""
