"""`d[True] = 2` where `d` has 1: Python keeps the key that came first, Monty the later one.

Only where a snippet has to do with values that may be equal and look otherwise (`1`, `1.0`, `True`, `Decimal(1)`):
where it makes such, or gets values from elsewhere. What the text shows to be a list, or a key that is text, stays as it
is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import TypeVar

from toolscript_sandbox.lowering.class_features import ENUMERATIONS
from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.parts import is_builtin, is_repeatable
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.lowering.rewriter import Rewriter
from toolscript_sandbox.text.source import Edit
from toolscript_sandbox.text.syntax import all_of, walk

from .set_order import has_sets
from .shown_values import has_ordered_dicts


def with_first_keys(program: Program) -> Program:
    """The snippet with its dicts asked for the keys that they have."""
    tree, scene = program.tree, program.scene
    if not _may_be_equal(program) and not any(map(_mixes, _neighbours(tree))):
        return program
    work = _Work(program)
    edits = [edit for node in work.placed(ast.Subscript) for edit in work.stored(node)]
    edits += [edit for node in work.placed(ast.DictComp) for edit in work.comprehended(node)]
    edits += [edit for node in work.placed(ast.Dict) for edit in work.written(node)]
    edits += [edit for node in work.placed(ast.Call) for edit in work.made(node)]
    if not has_ordered_dicts(tree, scene):
        # What may be sets, or ordered dicts, is joined by their guests, which know of this.
        edits += [edit for node in work.placed(ast.BinOp) for edit in work.joined(node)]
        edits += [edit for node in all_of(tree, ast.AugAssign) for edit in work.joined_in_place(node)]
    if edits:
        scene.pieces.add('first_keys')
    return program.edited(edits)


def _may_be_equal(program: Program) -> bool:
    """Whether there may be keys that are equal and look otherwise."""
    scene = program.scene
    if scene.known or any(scene.functions.get(name) is not None for name in scene.names.used):
        return True
    return bool(_UNLIKE.search(program.source.text))


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


Node = TypeVar('Node', bound=ast.AST)


class _Work:
    def __init__(self, program: Program) -> None:
        self._r = Rewriter(program)
        self._source, self._scene = program.source, program.scene
        self._has_members = ENUMERATIONS in program.scene.kin
        """Whether a member of an enumeration may be equal to a text."""
        self._has_sets = has_sets(program.tree, program.scene)
        self._lost = {
            part
            for string in all_of(program.tree, ast.JoinedStr)
            if not self._r.is_placed(string)
            for part in walk(string)
        }
        """What stands elsewhere than the tree says: in f-strings, some of it does."""
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

    def placed(self, kind: type[Node]) -> Iterator[Node]:
        """The nodes of a kind that stand where the tree says."""
        return (node for node in all_of(self._r.source.tree, kind) if node not in self._lost)

    def stored(self, node: ast.Subscript) -> Iterator[Edit]:
        """`counts[key] = 1` and `counts[key] += 1`."""
        if not isinstance(node.ctx, ast.Store) or not self._may_be_unlike(node.slice) or self._is_list(node.value):
            return
        obj = self._source.segment(node.value)
        if not is_repeatable(node.value):
            obj = f'_dict_{node.lineno}_{node.col_offset}'
            yield from self._source.wrap(node.value, f'({obj} := ', ')')
        # The items of `grid[row, column]` are one key.
        first, last = ('(', ')') if isinstance(node.slice, ast.Tuple) else ('', '')
        yield from self._source.wrap(node.slice, f'{_piece("first_key")}({obj}, {first}', f'{last})')

    def comprehended(self, node: ast.DictComp) -> Iterator[Edit]:
        """`{key: value for ...}`, as a list of pairs."""
        start, end, behind = self._source.start(node), self._source.start(node.key), self._source.end(node.key)
        value = self._source.start(node.value)
        between, opening = self._source.text[behind:value], self._source.text[start:end]
        if not self._may_be_unlike(node.key) or _rest(between) != ':' or _rest(opening) != '{':
            return
        yield Edit(start, start + 1, f'{_piece("made_of")}([(')
        yield Edit(behind, value, between.replace(':', ',', 1))
        yield Edit(self._source.end(node.value), self._source.end(node.value), ')')
        yield Edit(self._source.end(node) - 1, self._source.end(node), '])')

    def written(self, node: ast.Dict) -> Iterator[Edit]:
        """`{**first, **second}` and `{first: 1, second: 2}`, as a list of parts."""
        unlike = [key for key in node.keys if key is None or self._may_be_unlike(key)]
        if len(unlike) < _TWO:
            for key in unlike:
                if key is not None and not _is_whole(key):
                    yield from self._source.wrap(key, f'{_piece("seen")}(', ')')
            return
        start, end = self._source.start(node), self._source.end(node)
        yield Edit(start, start + 1, f'{_piece("made_of_parts")}([')
        for key, value in zip(node.keys, node.values, strict=True):
            behind = self._source.end(value)
            if key is None:
                stars = self._source.text.rindex('**', start, self._source.start(value))
                yield Edit(stars, stars + 2, '(')
                yield Edit(behind, behind, ',)')
                continue
            between = self._source.text[self._source.end(key) : self._source.start(value)]
            yield Edit(self._source.start(key), self._source.start(key), '(')
            yield Edit(self._source.end(key), self._source.start(value), between.replace(':', ',', 1))
            yield Edit(behind, behind, ')')
        yield Edit(end - 1, end, '])')

    def joined(self, node: ast.BinOp) -> Iterator[Edit]:
        """`first | second`."""
        may_be = self._is_dict if self._has_sets else self._may_be_dict
        if isinstance(node.op, ast.BitOr) and may_be(node.left) and may_be(node.right):
            start, end = self._source.end(node.left), self._source.start(node.right)
            yield Edit(start, end, self._source.text[start:end].replace('|', ',', 1))
            yield from self._source.wrap(node, f'{_piece("joined")}(', ')')

    def joined_in_place(self, node: ast.AugAssign) -> Iterator[Edit]:
        """`first |= second`."""
        if (
            isinstance(node.op, ast.BitOr)
            and is_repeatable(node.target)
            and self._may_be_dict(node.value)
            and not self._has_sets
        ):
            end = self._source.end(node)
            place = self._source.text.index('|=', self._source.end(node.target))
            yield Edit(place, place + 2, f'= {_piece("joined_in_place")}({self._source.segment(node.target)}, (')
            yield Edit(end, end, '))')

    def _is_dict(self, node: ast.expr) -> bool:
        return isinstance(node, (ast.Dict, ast.DictComp))

    def _may_be_dict(self, node: ast.expr) -> bool:
        match node:
            case ast.Dict() | ast.DictComp() | ast.Attribute() | ast.Subscript():
                return True
            case ast.Name(id=name):
                return not name[:1].isupper() and name not in _TYPES
            case ast.Call(func=ast.Name(id=name)):
                return name not in _TEXTS
            case ast.Call():
                return True
            case ast.BinOp(op=ast.BitOr(), left=left):
                return self._may_be_dict(left)
            case _:
                return False

    def made(self, node: ast.Call) -> Iterator[Edit]:
        """`Counter(items)`, `dict(pairs)`, `dict.fromkeys(items)` and `counts.update(others)`."""
        if not node.args or (len(node.args) != 1 and not isinstance(node.func, ast.Attribute)):
            return
        if isinstance(node.func, ast.Attribute) and node.func.attr == 'setdefault':
            if self._may_be_unlike(node.args[0]) and not _is_whole(node.args[0]):
                yield from self._source.wrap(node.args[0], f'{_piece("seen")}(', ')')
            return
        given = node.args[0]
        if isinstance(given, (ast.Starred, ast.Constant, ast.JoinedStr)):
            return
        if is_builtin(node, 'dict', self._r):
            yield from self._given(given, 'pairs', ')')
        elif self._scene.member(node.func) == ('collections', 'Counter') or _is_from_keys(node.func):
            yield from self._given(given, 'firsts', ')')
        elif isinstance(node.func, ast.Attribute) and node.func.attr == 'update' and is_repeatable(node.func.value):
            yield from self._given(given, 'known_pairs', f', {self._source.segment(node.func.value)})')

    def _given(self, node: ast.expr, word: str, behind: str) -> Iterator[Edit]:
        # A generator expression has its parentheses, which may be those of the call.
        inner = isinstance(node, ast.GeneratorExp)
        start, end = self._source.start(node) + inner, self._source.end(node) - inner
        yield Edit(start, start, f'{_piece(word)}({"(" if inner else ""}')
        yield Edit(end, end, f'{")" if inner else ""}{behind}')

    def _may_be_unlike(self, node: ast.expr) -> bool:
        match node:
            case ast.Slice():
                return False
            case ast.Tuple(elts=parts):
                return not any(isinstance(part, ast.Slice) for part in parts)
            case ast.Constant(value=value):
                return isinstance(value, (int, float)) or (self._has_members and isinstance(value, str))
            case ast.JoinedStr():
                return self._has_members
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _TEXTS:
                return self._has_members
            case ast.Name():
                owner = self._scene.owner(node)
                bound = owner.bound.get(node.id, ()) if owner is not None else ()
                return not bound or not all(self._is_alike(part) for part in bound)
            case _:
                return True

    def _is_alike(self, bound: ast.AST) -> bool:
        """Whether a name is bound there to a text, or gets numbers of one type."""
        value = self._values.get(bound)
        if value is not None and not isinstance(value, ast.Name):
            return not self._may_be_unlike(value)
        return _is_range(self._gone_over.get(bound))

    def _is_list(self, node: ast.expr) -> bool:
        """Whether the text shows that it is a list, or one of a list of lists."""
        if isinstance(node, ast.Subscript):
            found = self._assigned(node.value)
            return bool(found) and all(_makes_lists(value) for value in found)
        found = self._assigned(node)
        return bool(found) and all(_makes_list(value) for value in found)

    def _assigned(self, node: ast.expr) -> list[ast.expr | None]:
        """What a name is bound to; None for what the text does not show."""
        if not isinstance(node, ast.Name):
            return []
        owner = self._scene.owner(node)
        bound = owner.bound.get(node.id, ()) if owner is not None else ()
        return [self._values.get(part) for part in bound]


def _is_whole(key: ast.expr) -> bool:
    return isinstance(key, ast.Constant) and type(key.value) is int


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


def _makes_lists(value: ast.expr | None) -> bool:
    """Whether it makes a list of lists, and of nothing else."""
    match value:
        case ast.List(elts=parts) | ast.BinOp(left=ast.List(elts=parts), op=ast.Mult()):
            return bool(parts) and all(map(_makes_list, parts))
        case ast.ListComp(elt=part):
            return _makes_list(part)
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


_UNLIKE = re.compile(
    r'\d\.|\.\d|\d[eE]|/|\b(float|bool|True|False|not|Decimal|Fraction|complex|json|csv|tzinfo|timezone|ZoneInfo'
    r'|namedtuple|NamedTuple|\w*Enum|IntFlag|dataclass|__eq__)\b|[=<>]='
)
"""What stands in the text wherever it makes keys that are equal and look otherwise."""
_TWO = 2
_TYPES = frozenset(['bool', 'bytes', 'dict', 'float', 'frozenset', 'int', 'list', 'set', 'str', 'tuple', 'type'])
_WORDS = (
    'capitalize chr format hex isoformat join len lower ord replace repr rstrip str strftime strip title tuple upper'
)
_TEXTS = frozenset(_WORDS.split())
"""What gives a text, or always a number of one type."""
