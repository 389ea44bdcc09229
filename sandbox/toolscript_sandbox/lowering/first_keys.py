"""`d[True] = 2` where `d` has 1: Python keeps the key that came first, Monty the later one.

Only where a snippet has to do with numbers that may be equal and of different types (`1`, `1.0`, `True`): where it has
such beside each other, or has floats at all. What the text shows to be a list, or a key that is text, stays as it is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from toolscript_sandbox.text.source import Edit
from toolscript_sandbox.text.syntax import all_of

from .additions import is_plain
from .guest_modules import guest
from .parts import is_builtin
from .program import Program
from .rewriter import Rewriter


def with_first_keys(program: Program) -> Program:
    """The snippet with its dicts asked for the keys that they have."""
    tree = program.tree
    if not _MAY_BE_FLOATS.search(program.source.text) and not any(map(_mixes, _neighbours(tree))):
        return program
    work = _Work(program)
    edits = [edit for node in all_of(tree, ast.Subscript) for edit in work.stored(node)]
    edits += [edit for node in all_of(tree, ast.DictComp) for edit in work.comprehended(node)]
    edits += [edit for node in all_of(tree, ast.Call) for edit in work.made(node)]
    if edits:
        program.scene.pieces.add('first_keys')
    return program.edited(edits)


def _neighbours(tree: ast.Module) -> Iterator[Iterable[ast.expr | None]]:
    yield from (node.elts for kind in (ast.List, ast.Tuple, ast.Set) for node in all_of(tree, kind))
    keys: list[ast.expr | None] = [key for node in all_of(tree, ast.Dict) for key in node.keys]
    yield [*keys, *(node.slice for node in all_of(tree, ast.Subscript))]


def _mixes(parts: Iterable[ast.expr | None]) -> bool:
    kinds = dict[object, set[type]]()
    for part in parts:
        if isinstance(part, ast.Constant) and isinstance(part.value, (int, float)):
            kinds.setdefault(part.value, set()).add(type(part.value))
    return any(len(found) > 1 for found in kinds.values())


class _Work:
    def __init__(self, program: Program) -> None:
        self._r = Rewriter(program)
        self._source, self._scene = program.source, program.scene
        self._values = dict[ast.AST, ast.expr]()
        """What is assigned, by the target, and what is gone over."""
        for node in all_of(program.tree, ast.Assign):
            self._values.update(dict.fromkeys(node.targets, node.value))
        for node in all_of(program.tree, ast.AnnAssign):
            if node.value is not None:
                self._values[node.target] = node.value
        self._gone_over: dict[ast.AST, ast.expr] = {
            node.target: node.iter
            for node in (*all_of(program.tree, ast.For), *all_of(program.tree, ast.comprehension))
        }

    def stored(self, node: ast.Subscript) -> Iterator[Edit]:
        """`counts[key] = 1` and `counts[key] += 1`."""
        if not isinstance(node.ctx, ast.Store) or not is_plain(node.value):
            return
        if self._may_be_number(node.slice) and not self._is_list(node.value):
            first = f'{_piece("first_key")}({self._source.segment(node.value)}, '
            yield from self._source.wrap(node.slice, first, ')')

    def comprehended(self, node: ast.DictComp) -> Iterator[Edit]:
        """`{key: value for ...}`, as a list of pairs."""
        start, end, behind = self._source.start(node), self._source.start(node.key), self._source.end(node.key)
        value = self._source.start(node.value)
        between, opening = self._source.text[behind:value], self._source.text[start:end]
        if not self._may_be_number(node.key) or _rest(between) != ':' or _rest(opening) != '{':
            return
        yield Edit(start, start + 1, f'{_piece("made_of")}([(')
        yield Edit(behind, value, between.replace(':', ',', 1))
        yield Edit(self._source.end(node.value), self._source.end(node.value), ')')
        yield Edit(self._source.end(node) - 1, self._source.end(node), '])')

    def made(self, node: ast.Call) -> Iterator[Edit]:
        """`Counter(items)`, `dict(pairs)`, `dict.fromkeys(items)` and `counts.update(others)`."""
        if not node.args or (len(node.args) != 1 and not isinstance(node.func, ast.Attribute)):
            return
        given = node.args[0]
        if isinstance(given, (ast.Starred, ast.Constant, ast.JoinedStr)):
            return
        if is_builtin(node, 'dict', self._r):
            yield from self._given(given, 'pairs', ')')
        elif self._scene.member(node.func) == ('collections', 'Counter') or _is_from_keys(node.func):
            yield from self._given(given, 'firsts', ')')
        elif isinstance(node.func, ast.Attribute) and node.func.attr == 'update' and is_plain(node.func.value):
            yield from self._given(given, 'known_pairs', f', {self._source.segment(node.func.value)})')

    def _given(self, node: ast.expr, word: str, behind: str) -> Iterator[Edit]:
        # A generator expression has its parentheses, which may be those of the call.
        inner = isinstance(node, ast.GeneratorExp)
        start, end = self._source.start(node) + inner, self._source.end(node) - inner
        yield Edit(start, start, f'{_piece(word)}({"(" if inner else ""}')
        yield Edit(end, end, f'{")" if inner else ""}{behind}')

    def _may_be_number(self, node: ast.expr) -> bool:
        match node:
            case ast.Slice() | ast.Tuple() | ast.JoinedStr() | ast.Compare():
                return False
            case ast.Constant(value=value):
                return isinstance(value, (int, float))
            case ast.Call(func=ast.Name(id=name)):
                return name not in _TEXTS
            case ast.Call(func=ast.Attribute(attr=name)):
                return name not in _TEXTS
            case ast.Name():
                owner = self._scene.owner(node)
                bound = owner.bound.get(node.id, ()) if owner is not None else ()
                return not bound or not all(_is_range(self._gone_over.get(part)) for part in bound)
            case _:
                return True

    def _is_list(self, node: ast.expr) -> bool:
        """Whether the text shows that it is a list, or stands in one."""
        if isinstance(node, ast.Subscript):
            return self._is_list(node.value)
        if not isinstance(node, ast.Name):
            return False
        owner = self._scene.owner(node)
        bound = owner.bound.get(node.id, ()) if owner is not None else ()
        return bool(bound) and all(_makes_list(self._values.get(part)) for part in bound)


def _rest(text: str) -> str:
    """What stands between two parts, but for parentheses and space."""
    return text.replace('(', '').replace(')', '').strip()


def _makes_list(value: ast.expr | None) -> bool:
    match value:
        case ast.List() | ast.ListComp():
            return True
        case ast.BinOp(left=left, op=ast.Mult()):
            return isinstance(left, ast.List)
        case ast.Call(func=ast.Name(id='list' | 'sorted')):
            return True
        case _:
            return False


def _is_range(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == 'range'


def _is_from_keys(func: ast.expr) -> bool:
    return isinstance(func, ast.Attribute) and func.attr == 'fromkeys'


def _piece(name: str) -> str:
    version = guest('first_keys')
    assert version is not None
    return version.prefixed(name)


_MAY_BE_FLOATS = re.compile(r'\d\.|\.\d|\d[eE]|/|\bfloat\b')
"""What stands in the text wherever it has floats, or makes them."""
_WORDS = (
    'capitalize chr format hex isoformat join len lower ord replace repr rstrip str strftime strip title tuple upper'
)
_TEXTS = frozenset(_WORDS.split())
"""What gives a text, or always a number of one type."""
