"""What asks whether a value is a nan of a list, dict or set: Python finds the very same object there, Monty any nan.

Only where the text speaks of nans. Then the script ends with an error before it would get another answer; what the text
shows to be a nan is refused before anything runs (`unvouched`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.parts import is_builtin
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.lowering.rewriter import Rewriter
from toolscript_sandbox.text.source import Edit
from toolscript_sandbox.text.syntax import all_of


def with_nans_told_apart(program: Program) -> Program:
    """The snippet with its questions for values asked in a way that minds nans."""
    if not _NAN.search(program.source.text):
        return program
    r = Rewriter(program)
    edits = [edit for node in all_of(program.tree, ast.Compare) for edit in _compared(node, r)]
    edits += [edit for node in all_of(program.tree, ast.Call) for edit in _called(node, r)]
    if edits:
        program.scene.pieces.add('nans')
    return program.edited(edits)


def _compared(node: ast.Compare, r: Rewriter) -> Iterator[Edit]:
    if len(node.ops) > 1 or not _is_placed(node, r):
        return
    sign, right = node.ops[0], node.comparators[0]
    word, text = _SIGNS.get(type(sign), ('', ''))
    if not word or _is_plain(node.left) or (word == 'equal' and _is_plain(right)):
        return
    start, end = r.source.end(node.left), r.source.start(right)
    between = r.source.text[start:end]
    if re.sub(r'[\s()]', '', between) != re.sub(r'\s', '', text):
        return
    opening = f'not {_piece(word)}(' if isinstance(sign, (ast.NotIn, ast.NotEq)) else f'{_piece(word)}('
    yield Edit(start, end, re.sub(text.replace(' ', r'\s+'), ',', between, count=1))
    yield from r.source.wrap(node, f'({opening}', '))')


def _called(node: ast.Call, r: Rewriter) -> Iterator[Edit]:
    if len(node.args) != 1 or node.keywords or not _is_placed(node, r):
        return
    given = node.args[0]
    if isinstance(given, (ast.Starred, ast.GeneratorExp)) or _is_plain(given):
        return
    if isinstance(node.func, ast.Attribute) and node.func.attr in ('count', 'index', 'remove'):
        yield from r.source.wrap(given, f'{_piece("looked_for")}(', ')')
    elif any(is_builtin(node, name, r) for name in ('set', 'frozenset')) or ast.unparse(node.func).endswith('Counter'):
        yield from r.source.wrap(given, f'{_piece("told_apart")}(', ')')


def _is_plain(node: ast.expr) -> bool:
    """Whether the text shows that it is no nan, and holds none."""
    return isinstance(node, (ast.Constant, ast.JoinedStr, ast.Compare))


def _is_placed(node: ast.expr, r: Rewriter) -> bool:
    return all(r.is_placed(outer) for outer in r.above(node) if isinstance(outer, ast.JoinedStr))


def _piece(name: str) -> str:
    version = guest('nans')
    assert version is not None
    return version.prefixed(name)


_NAN = re.compile(r'\b[Nn]a[Nn]\b')
_SIGNS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.In: ('within', 'in'),
    ast.NotIn: ('within', 'not in'),
    ast.Eq: ('equal', '=='),
    ast.NotEq: ('equal', '!='),
}
