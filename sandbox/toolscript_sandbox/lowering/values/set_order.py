"""Sets are gone over in Python's order (`guest/set_order.py`), wherever something may tell in which order that is.

What the text shows to be no set, and what asks for no order (`len`, `in`, `sorted`, `max`), stays as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cached_property

from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.parts import is_repeatable, keyword
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.lowering.rewriter import Rewriter
from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.text.source import Edit
from toolscript_sandbox.text.syntax import all_of, index_of, walk


def with_set_order(program: Program) -> Program:
    """The snippet with its sets put in order before something goes over them."""
    if not has_sets(program.tree, program.scene):
        return program
    program.scene.kin[SETS] = ()
    work = _Work(program)
    edits = [edit for node in all_of(program.tree, ast.Set) for edit in work.written(node)]
    edits += [edit for node in work.gone_over() if work.may_be_set(node) for edit in work.ordered(node)]
    edits += [edit for call in all_of(program.tree, ast.Call) for edit in work.called(call)]
    edits += [edit for node in all_of(program.tree, ast.BinOp) for edit in work.joined(node)]
    edits += [edit for node in all_of(program.tree, ast.AugAssign) for edit in work.changed_by_sign(node)]
    if edits:
        program.scene.pieces.add('set_order')
    return program.edited(edits)


SETS = 'builtins.set'
"""Among the kin of a session: that it may have sets."""
OF_SETS = frozenset(['set', 'frozenset'])
VIEWS = frozenset(['keys', 'items'])
"""Methods that give what is joined to a set."""


def has_sets(tree: ast.Module, scene: Scene) -> bool:
    """Whether there may be sets in the snippet."""
    index = index_of(tree)
    if SETS in scene.kin or ast.Set in index.kinds or ast.SetComp in index.kinds or index.names & OF_SETS:
        return True
    return bool(index.attributes & VIEWS) and any(
        isinstance(node.op, _SIGNS) and (_is_view(node.left) or _is_view(node.right))
        for node in all_of(tree, ast.BinOp)
    )


def _is_view(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in VIEWS


class _Work:
    def __init__(self, program: Program) -> None:
        self._r = Rewriter(program)
        self._tree, self._source, self._scene = program.tree, program.source, program.scene
        self._values = dict[ast.AST, ast.expr]()
        """What is assigned, by the target."""
        self._signed = {node.target for node in all_of(program.tree, ast.AugAssign) if isinstance(node.op, _SIGNS)}
        """What is changed by a sign, which leaves a set a set."""
        self._stored = dict[str, list[ast.expr]]()
        """What is stored in attributes, by their names."""
        for node in (*all_of(program.tree, ast.Assign), *all_of(program.tree, ast.AnnAssign)):
            if node.value is not None:
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    self._note(target, node.value)

    def _note(self, target: ast.expr, value: ast.expr) -> None:
        match target, value:
            case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
                if not any(isinstance(part, ast.Starred) for part in (*targets, *values)):
                    for inner, part in zip(targets, values, strict=True):
                        self._note(inner, part)
            case ast.Attribute(attr=name), _:
                self._stored.setdefault(name, []).append(value)
            case _:
                self._values[target] = value

    def gone_over(self) -> Iterator[ast.expr]:
        """Expressions whose items are taken one after the other."""
        tree = self._tree
        yield from (
            node.iter for node in (*all_of(tree, ast.For), *all_of(tree, ast.comprehension)) if not _waits(node)
        )
        yield from (node.value for node in all_of(tree, ast.Starred) if isinstance(node.ctx, ast.Load))
        yield from (node.value for node in all_of(tree, ast.YieldFrom))
        for node in all_of(tree, ast.Assign):
            if any(isinstance(target, (ast.Tuple, ast.List)) for target in node.targets):
                yield node.value
        for node in all_of(tree, ast.Call):
            if self._goes_over(node):
                yield from (part for part in node.args if not isinstance(part, ast.Starred))

    def _goes_over(self, node: ast.Call) -> bool:
        func = node.func
        module, _ = self._scene.member(func) or ('', '')
        if module in _MODULES:
            return True
        if isinstance(func, ast.Attribute):
            return func.attr in _METHODS and self._scene.module(func.value) is None
        if not isinstance(func, ast.Name):
            return False
        if func.id in _BUILTINS or func.id in _TAKING or func.id.startswith('_iterators_'):
            return True
        return func.id in _BY_KEY and keyword(node, 'key') is not None

    def ordered(self, node: ast.expr) -> Iterable[Edit]:
        """The edits around what is gone over."""
        word = 'watched' if self._is_changed_meanwhile(node) else 'in_order'
        return self._source.wrap(node, f'{_piece(word)}(', ')')

    def _is_changed_meanwhile(self, node: ast.expr) -> bool:
        """Whether what goes over it adds something to it, or takes something from it."""
        loop = self._r.parent(node)
        match loop:
            case ast.For(body=body):
                inside: Iterable[ast.AST] = body
            case ast.comprehension() if (whole := self._r.parent(loop)) is not None:
                inside = [whole]
            case _:
                return False
        name = node.target if isinstance(node, ast.NamedExpr) else node
        return loop.iter is node and ast.unparse(name) in _changed(inside)

    def called(self, node: ast.Call) -> Iterator[Edit]:
        """`todo.pop()`, `seen.copy()`, `seen.union(others)` and `set(items)`."""
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr='pop' | 'copy' as name), args=[], keywords=[]):
                if self.may_be_set(value) and self._text(value, node) == f'.{name}()':
                    yield from self._source.wrap(value, f'{_piece(_OWN[name])}(', '')
                    yield Edit(self._source.end(value), self._source.end(node), ')')
            case ast.Call(func=ast.Attribute(value=value, attr=name), args=[other], keywords=[]) if name in _ASKING_ONE:
                is_plain = not isinstance(other, ast.Starred) and self._text(value, other) == f'.{name}('
                if is_plain and self.may_be_set(value):
                    yield from self._source.wrap(value, f'{_piece(_ASKING_ONE[name])}(', '')
                    yield Edit(self._source.end(value), self._source.start(other), ', ')
            case ast.Call(func=ast.Attribute(value=value, attr=name), args=args, keywords=[]) if name in _LEAVING:
                yield from self._changed(node, value, name, args)
            case ast.Call(func=ast.Name(id=name) as func, args=[value, *_], keywords=[]) if name in _IN_PLACE:
                if self._identifier_tells(value):
                    yield self._source.replace(func, _piece(_IN_PLACE[name]))
            case ast.Call(func=ast.Name(id='set' | 'frozenset' as name) as func, args=[given], keywords=[]):
                if self._scene.is_free(func) and (self.may_be_set(given) or self._is_dict(given)):
                    opening = self._source.end(func)
                    if self._source.text[opening] == '(':
                        yield Edit(self._source.start(func), opening + 1, f'{_piece("made")}({name}, ')
            case _:
                pass

    def _changed(self, node: ast.Call, value: ast.expr, name: str, args: list[ast.expr]) -> Iterator[Edit]:
        """`seen.discard(item)`, `seen.clear()` and `seen.update(others)`, where the order may be seen afterwards."""
        needed = 0 if name == 'clear' else 1
        if len(args) != needed or any(isinstance(part, (ast.Starred, ast.GeneratorExp)) for part in args):
            return
        if not self._identifier_tells(value):
            return
        if name == 'remove' and self._scene.keys:
            return
        behind = self._source.start(args[0]) if args else self._source.end(node)
        if self._source.text[self._source.end(value) : behind] == (f'.{name}(' if args else f'.{name}()'):
            yield from self._source.wrap(value, f'{_piece("left" if name in ("discard", "remove") else name)}(', '')
            given = f', {name!r}, ' if name in ('discard', 'remove') else ', ' if args else ')'
            yield Edit(self._source.end(value), behind, given)

    def changed_by_sign(self, node: ast.AugAssign) -> Iterator[Edit]:
        """`seen -= others`."""
        sign, name = _CHANGING_SIGNS.get(type(node.op), ('', ''))
        if sign and is_repeatable(node.target) and self.may_be_set(node.value) and self._identifier_tells(node.target):
            start, end = self._source.end(node.target), self._source.end(node)
            place = self._source.text.index(sign, start)
            target = self._source.segment(node.target)
            yield Edit(place, place + len(sign), f'= {_piece(name)}({target}, (')
            yield Edit(end, end, '))')

    def _identifier_tells(self, node: ast.expr) -> bool:
        return _identifier(node) in self._telling and (not isinstance(node, ast.Name) or self.may_be_set(node))

    @cached_property
    def _telling(self) -> frozenset[str]:
        """Names and attributes that are used in a way that may tell an order."""
        names = [node for node in all_of(self._tree, ast.Name) if isinstance(node.ctx, ast.Load)]
        attributes = [node for node in all_of(self._tree, ast.Attribute) if isinstance(node.ctx, ast.Load)]
        items = [node for node in all_of(self._tree, ast.Subscript) if isinstance(node.ctx, ast.Load)]
        return frozenset(_identifier(node) for node in (*names, *attributes, *items) if self._tells(node))

    def _tells(self, node: ast.expr) -> bool:
        match self._r.parent(node):
            case ast.Attribute(attr=name):
                return name not in _QUIET
            case ast.Subscript(value=value):
                return value is not node
            case ast.Compare(comparators=others, ops=ops):
                return not (node in others and isinstance(ops[others.index(node)], (ast.In, ast.NotIn)))
            case ast.Call(func=ast.Name(id=name) as func):
                return func is not node and name not in _ASKING and name not in self._own_functions
            case ast.If() | ast.While() | ast.IfExp() | ast.UnaryOp() | ast.BoolOp() | ast.Expr():
                return False
            case _:
                return True

    @cached_property
    def _own_functions(self) -> frozenset[str]:
        return frozenset(node.name for node in all_of(self._tree, ast.FunctionDef))

    def _is_dict(self, node: ast.expr) -> bool:
        """Whether the text shows that it may be one."""
        match node:
            case ast.Dict() | ast.DictComp():
                return True
            case ast.Name(id=name):
                owner = self._scene.owner(node)
                bound = owner.bound.get(name, ()) if owner is not None else ()
                return any(isinstance(self._values.get(part), (ast.Dict, ast.DictComp)) for part in bound)
            case _:
                return False

    def _text(self, first: ast.expr, last: ast.expr) -> str:
        """What stands behind one expression, up to the start of another one, or to its end where that is around it."""
        start, other = self._source.end(first), self._source.start(last)
        return self._source.text[start : other if other > start else self._source.end(last)]

    def joined(self, node: ast.BinOp) -> Iterator[Edit]:
        """`first | second`, and the other signs where the text shows that these are sets."""
        sign, name = _JOINING.get(type(node.op), ('', ''))
        if not sign or not (self.may_be_set(node.left) and self.may_be_set(node.right)):
            return
        if sign != '|' and not (self.is_set(node.left) and self.is_set(node.right)):
            return
        start, end = self._source.end(node.left), self._source.start(node.right)
        yield from self._source.wrap(node, f'{_piece(name)}(', ')')
        yield Edit(start, end, self._source.text[start:end].replace(sign, ',', 1))

    def written(self, node: ast.Set) -> Iterator[Edit]:
        """`{10, 20, 30}`, which Python keeps as a constant."""
        numbers = [_number(part) for part in node.elts]
        parent = self._r.parent(node)
        if len(numbers) < 3 or None in numbers or all(number in range(8) for number in numbers):
            return
        if isinstance(parent, ast.Compare) and parent.left is not node:
            return
        is_walked = isinstance(parent, (ast.For, ast.comprehension)) and parent.iter is node
        yield Edit(
            self._source.start(node), self._source.start(node) + 1, f'{_piece("walked" if is_walked else "written")}('
        )
        yield Edit(self._source.end(node) - 1, self._source.end(node), ')')

    def is_set(self, node: ast.expr) -> bool:
        """Whether the text shows that it is one."""
        if isinstance(node, (ast.Set, ast.SetComp)):
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return node.func.attr in ('union', 'copy') and self.is_set(node.func.value)
        if isinstance(node, ast.Call):
            return isinstance(node.func, ast.Name) and node.func.id in ('set', 'frozenset')
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, _SIGNS) and self.is_set(node.left) and self.is_set(node.right)
        if not isinstance(node, ast.Name):
            return False
        owner = self._scene.owner(node)
        bound = owner.bound.get(node.id, ()) if owner is not None else ()
        values = [self._values.get(part) for part in bound if part not in self._signed]
        return bool(values) and all(
            value is not None and not isinstance(value, ast.Name) and self.is_set(value) for value in values
        )

    def may_be_set(self, node: ast.expr, depth: int = 0) -> bool:
        """Whether the text leaves it possible."""
        match node:
            case ast.Set() | ast.SetComp():
                return True
            case ast.BinOp(left=left, op=op, right=right):
                return isinstance(op, _SIGNS) and (self._or_view(left, depth) or self._or_view(right, depth))
            case ast.IfExp(body=left, orelse=right):
                return self.may_be_set(left, depth) or self.may_be_set(right, depth)
            case ast.BoolOp(values=values):
                return any(self.may_be_set(value, depth) for value in values)
            case ast.NamedExpr(value=value):
                return self.may_be_set(value, depth)
            case ast.Call(func=ast.Name(id=name)):
                return name not in _NO_SETS and not name.startswith('_iterators_')
            case ast.Call(func=ast.Attribute(attr=name)):
                return name not in _GIVING_NO_SETS and self._scene.called(node.func) is None
            case ast.Name(id=name):
                owner = self._scene.owner(node)
                bound = owner.bound.get(name, []) if owner is not None else []
                return not bound or depth > 5 or any(self._may_hold_set(part, depth) for part in bound)
            case ast.Attribute(attr=name):
                values = self._stored.get(name)
                return values is None or depth > 5 or any(self.may_be_set(value, depth + 1) for value in values)
            case ast.Subscript(slice=ast.Slice()):
                return False
            case ast.Subscript():
                return True
            case _:
                return False

    def _or_view(self, node: ast.expr, depth: int) -> bool:
        return _is_view(node) or self.may_be_set(node, depth)

    def _may_hold_set(self, binding: ast.AST, depth: int) -> bool:
        if isinstance(binding, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)):
            return False
        if isinstance(binding, ast.arg) and binding.annotation is not None:
            return ast.unparse(binding.annotation).partition('[')[0] not in _ANNOTATED
        value = self._values.get(binding)
        return value is None or self.may_be_set(value, depth + 1)


def _identifier(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=value):
            return _identifier(value)
        case _:
            return ''


def _changed(inside: Iterable[ast.AST]) -> set[str]:
    """What the body of a loop adds something to, or takes something from."""
    calls = [part.func for body in inside for part in walk(body) if isinstance(part, ast.Call)]
    return {ast.unparse(func.value) for func in calls if isinstance(func, ast.Attribute) and func.attr in _CHANGING}


def _waits(node: ast.For | ast.comprehension) -> bool:
    return isinstance(node, ast.comprehension) and bool(node.is_async)


def _number(node: ast.expr) -> object:
    """A number, or a tuple of such; None for anything else."""
    match node:
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
        case ast.Tuple(elts=parts):
            numbers = tuple(_number(part) for part in parts)
            return None if None in numbers else numbers
        case _:
            return None


def _piece(name: str) -> str:
    version = guest('set_order')
    assert version is not None
    return version.prefixed(name)


_SIGNS = (ast.BitOr, ast.BitAnd, ast.BitXor, ast.Sub)
_MODULES = frozenset(['itertools', 'functools', 'heapq', 'random', 'statistics', 'math'])
"""Whose functions go over what they are given."""
_METHODS = frozenset(['extend', 'extendleft', 'join', 'fromkeys', 'writelines'])
_BUILTINS = frozenset(
    ['Counter', 'deque', 'dict', 'enumerate', 'filter', 'iter', 'list', 'map', 'sum', 'tuple', 'zip', 'reduce']
)
_JOINING: dict[type[ast.operator], tuple[str, str]] = {
    ast.BitOr: ('|', 'union'),
    ast.Sub: ('-', 'minus'),
    ast.BitAnd: ('&', 'both'),
    ast.BitXor: ('^', 'either'),
}
_CHANGING_SIGNS: dict[type[ast.operator], tuple[str, str]] = {
    ast.BitOr: ('|=', 'joined_with'),
    ast.Sub: ('-=', 'rid_of'),
    ast.BitAnd: ('&=', 'shared_with'),
    ast.BitXor: ('^=', 'odd_with'),
}
_IN_PLACE = {
    f'_methods_{name}': name for name in ('difference_update', 'intersection_update', 'symmetric_difference_update')
}
_TAKING = frozenset(f'_first_keys_{name}' for name in ('firsts', 'known_pairs', 'pairs'))
"""What asks for keys where dicts are made of something."""
_LEAVING = frozenset(['clear', 'discard', 'remove', 'update'])
_QUIET = frozenset(
    ['add', 'append', 'clear', 'discard', 'get', 'isdisjoint', 'issubset', 'issuperset', 'remove', 'update']
)
"""Methods that tell nothing of an order."""
_ASKING = frozenset(['all', 'any', 'bool', 'isinstance', 'len', 'max', 'min', 'sorted', 'type'])
"""Functions that tell nothing of one."""
_ASKING_ONE = {'symmetric_difference': 'differing', 'union': 'united'}
_OWN = {'pop': 'popped', 'copy': 'copied'}
_CHANGING = frozenset(['add', 'clear', 'discard', 'pop', 'remove', 'update'])
_BY_KEY = frozenset(['max', 'min', 'sorted'])
"""Builtins that ask for an order where items count as equal."""
_FUNCTIONS = (
    'abs bool bytes chr deque dict divmod enumerate filter float format hash hex id int iter len list map max min next '
    'ord pow range repr reversed round sorted str sum tuple zip Counter defaultdict OrderedDict'
)
_NO_SETS = frozenset(_FUNCTIONS.split())
"""Functions that give no set."""
_OTHERS = (
    'append capitalize count decode encode endswith extend find findall finditer format groups index insert items join '
    'keys lower lstrip most_common partition replace rpartition rsplit rstrip split splitlines startswith strip '
    'strftime title upper values zfill'
)
_GIVING_NO_SETS = frozenset(_OTHERS.split())
"""Methods that give no set."""
_ANNOTATED = frozenset(['bool', 'bytes', 'dict', 'Dict', 'float', 'int', 'list', 'List', 'str', 'tuple', 'Tuple'])
