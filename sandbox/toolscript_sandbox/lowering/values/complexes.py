"""`2 * 1j`: beside a complex number, Python 3.11 makes a real one complex, and Monty, as newer Pythons, does not.

Powers are computed as Python does it, to the last digit.
Only snippets that write complex numbers, `complex` or `cmath` are rewritten.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.parts import is_builtin, is_repeatable
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.lowering.rewriter import Rewriter
from toolscript_sandbox.text.source import Edit
from toolscript_sandbox.text.syntax import all_of


def with_complexes(program: Program) -> Program:
    """The snippet with its sums and products given to functions that do as Python 3.11."""
    if not MAY_BE_COMPLEX.search(program.source.text):
        return program
    work = _Work(program)
    edits = [edit for node in all_of(program.tree, ast.BinOp) for edit in work.computed(node)]
    edits += [edit for node in all_of(program.tree, ast.AugAssign) for edit in work.changed(node)]
    edits += [edit for node in all_of(program.tree, ast.Call) for edit in work.called(node)]
    if edits:
        program.scene.pieces.add('complexes')
    return program.edited(edits)


class _Work:
    def __init__(self, program: Program) -> None:
        self._r = Rewriter(program)
        self._source = program.source

    def computed(self, node: ast.BinOp) -> Iterator[Edit]:
        """`a * b`."""
        sign, name = _SIGNS.get(type(node.op), ('', ''))
        if not sign or _is_no_number(node.left) or _is_no_number(node.right) or not self._is_placed(node):
            return
        if any(isinstance(outer, (ast.MatchValue, ast.MatchMapping)) for outer in self._r.above(node)):
            return  # `case 1+2j:` is one number, where nothing may be called.
        start, end = self._source.end(node.left), self._source.start(node.right)
        between = self._source.text[start:end]
        if between.count(sign) == 1:
            yield from self._source.wrap(node, f'{_piece(name)}(', ')')
            yield Edit(start, end, between.replace(sign, ',', 1))

    def changed(self, node: ast.AugAssign) -> Iterator[Edit]:
        """`a *= b`."""
        sign, name = _SIGNS.get(type(node.op), ('', ''))
        if sign and is_repeatable(node.target) and not _is_no_number(node.value) and not isinstance(node.op, ast.Add):
            start, end = self._source.end(node.target), self._source.end(node)
            place = self._source.text.index(f'{sign}=', start)
            target = self._source.segment(node.target)
            yield Edit(place, place + len(sign) + 1, f'= {_piece(name)}({target}, (')
            yield Edit(end, end, '))')

    def called(self, node: ast.Call) -> Iterator[Edit]:
        """`pow(a, b)`."""
        if is_builtin(node, 'pow', self._r) and len(node.args) == _TWO and not node.keywords and self._is_placed(node):
            yield self._source.replace(node.func, _piece('power'))

    def _is_placed(self, node: ast.expr) -> bool:
        return all(self._r.is_placed(outer) for outer in self._r.above(node) if isinstance(outer, ast.JoinedStr))


def _is_no_number(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return not isinstance(node.value, (int, float, complex))
    return isinstance(node, (ast.JoinedStr, ast.List, ast.ListComp, ast.Tuple))


def _piece(name: str) -> str:
    version = guest('complexes')
    assert version is not None
    return version.prefixed(name)


MAY_BE_COMPLEX = re.compile(r'\d\.?[jJ]\b|\bcomplex\b|cmath')
_SIGNS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ('+', 'plus'),
    ast.Sub: ('-', 'minus'),
    ast.Mult: ('*', 'times'),
    ast.Div: ('/', 'over'),
    ast.Pow: ('**', 'power'),
}
_TWO = 2
