"""The values that expressions of a script have, as far as its text tells."""

from __future__ import annotations

import ast
import operator
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from .literal_values import ALTERNATIVES, UNKNOWN, Either, Entries, Items, Known, Some, Value, either
from .uses import Binding, Change, Uses, position


class Evaluation:
    """Of the expressions of one script. Each is looked at once; what is nested or long beyond all use is unknown."""

    def __init__(
        self, uses: Uses, outer: Collection[str], is_builtin: Callable[[str], bool], own_methods: Collection[str]
    ) -> None:
        """`outer` are variables that earlier scripts left, `own_methods` those of the session's own classes."""
        self._uses = uses
        self._outer = outer
        self._is_builtin = is_builtin
        self._own_methods = own_methods
        self._found = dict[ast.expr, Value]()
        self._changes = dict[str, list[Value]]()
        self._depth = 0

    def value(self, node: ast.expr) -> Value:
        """What the expression comes to."""
        if node not in self._found:
            self._found[node] = UNKNOWN  # for what refers to itself
            self._depth += 1
            self._found[node] = UNKNOWN if self._depth > _DEEPEST else self._evaluated(node)
            self._depth -= 1
        return self._found[node]

    def _evaluated(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant(value=value):
                return Known(value, node) if value is None or isinstance(value, (str, int, float)) else UNKNOWN
            case ast.JoinedStr():
                return Some('str')
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                return self._items(node, parts)
            case ast.Dict(keys=keys, values=values):
                return self._entries(node, zip(keys, values, strict=True))
            case ast.Name(id=name):
                return self._of_name(node, name)
            case ast.NamedExpr(value=value):
                return self.value(value)
            case ast.IfExp(body=one, orelse=other):
                return either([self.value(one), self.value(other)])
            case ast.BoolOp(values=values):
                return either([self.value(value) for value in values])
            case _:
                return self._computed(node)

    def _computed(self, node: ast.expr) -> Value:
        match node:
            case ast.UnaryOp(op=op, operand=operand):
                return self._of_sign(node, op, self.value(operand))
            case ast.BinOp(left=left, op=op, right=right):
                return self._joined(node, op, self.value(left), self.value(right))
            case ast.Subscript(value=value, slice=key):
                return _part(self.value(value), self.value(key))
            case ast.Call(func=ast.Name(id=name)) if self._is_builtin(name):
                return self._of_builtin(node, name)
            case ast.Call(func=ast.Attribute(value=value, attr=method)) if method in _TEXT_METHODS:
                is_text = kind_of(self.value(value)) == 'str' or self._gives_text(value, method)
                return Some('str') if is_text else UNKNOWN
            case _:
                return UNKNOWN

    def _gives_text(self, node: ast.expr, method: str) -> bool:
        """Whether the method of whatever this is can only be that of a string."""
        while isinstance(node, (ast.Attribute, ast.Subscript, ast.Await, ast.Call)):
            node = node.func if isinstance(node, ast.Call) else node.value
        told = isinstance(node, ast.Name) and node.id not in self._outer
        return told and method in _ONLY_OF_TEXT and method not in self._own_methods

    def _items(self, node: ast.expr, parts: Sequence[ast.expr]) -> Value:
        found, whole = list[Value](), True
        for part in parts:
            if not isinstance(part, ast.Starred):
                found.append(self.value(part))
                continue
            inner = self.value(part.value)
            whole = whole and isinstance(inner, Items) and inner.whole
            found += inner.items if isinstance(inner, Items) else ()
        return Items(tuple(found), whole, node)

    def _entries(self, node: ast.expr, pairs: Iterable[tuple[ast.expr | None, ast.expr]]) -> Value:
        found, whole = dict[str, Value](), True
        for key, value in pairs:
            name = None if key is None else _key(self.value(key))
            if name is not None:
                found[name] = self.value(value)
                continue
            inner = self.value(value) if key is None else UNKNOWN
            if isinstance(inner, Entries):
                found.update(inner.entries)
            if not (isinstance(inner, Entries) and inner.whole):
                # It may be any key, those that are there already too.
                found, whole = _forgotten(found), False
        return Entries(found, whole, node)

    def _of_name(self, node: ast.expr, name: str) -> Value:
        bindings = self._uses.bindings.get(name, [])
        if len(bindings) > ALTERNATIVES:
            return UNKNOWN
        first = min((one.position for one in bindings if one.block is not None), default=None)
        if name in self._outer and (first is None or first > position(node)):
            return UNKNOWN
        return either([self._bound(one, name, node) for one in bindings]) if bindings else UNKNOWN

    def _bound(self, binding: Binding, name: str, use: ast.expr) -> Value:
        if binding.value is None:
            return UNKNOWN
        found = self.value(binding.value)
        if binding.is_item:
            found = either(list(found.items)) if isinstance(found, Items) and found.whole else UNKNOWN
        if not _may_change(found):
            return found
        if not self._uses.is_left_alone(name):
            return UNKNOWN
        changes = self._uses.changes.get(name, [])
        if changes and not self._uses.in_one_scope(use, changes[0].statement):
            return UNKNOWN
        return self._stages(name, found, changes)[bisect_left(changes, position(use), key=lambda one: one.position)]

    def _stages(self, name: str, made: Value, changes: Sequence[Change]) -> Sequence[Value]:
        """A value as it was made, and after each of its changes."""
        if name not in self._changes:
            found = self._changes[name] = [made]
            for change in changes:
                found.append(self._changed(found[-1], change) if len(found) <= _CHANGES else UNKNOWN)
        return self._changes[name]

    def _changed(self, value: Value, change: Change) -> Value:
        match value, change.statement:
            case Entries(), ast.Assign(targets=[ast.Subscript(slice=key)], value=given):
                name = _key(self.value(key))
                if name is None:
                    return UNKNOWN
                return Entries({**value.entries, name: self.value(given)}, value.whole, value.node)
            case Items(), ast.Call(func=ast.Attribute(attr='append'), args=[given], keywords=[]):
                return Items((*value.items, self.value(given)), value.whole, value.node)
            case Entries(), ast.Call(func=ast.Attribute(attr='update'), args=args, keywords=keywords):
                more = [self.value(one) for one in args]
                more.append(self._entries(value.node, [(_named(word.arg), word.value) for word in keywords]))
                return _merged([value, *more], value.node)
            case _:
                return UNKNOWN

    def _of_sign(self, node: ast.expr, op: ast.unaryop, operand: Value) -> Value:
        match op, operand:
            case ast.Not(), _:
                return Some('bool')
            case ast.USub(), Known(value=int() | float() as number):
                return Known(-number, node)
            case ast.UAdd(), Known(value=int() | float() as number):
                return Known(+number, node)
            case _:
                return UNKNOWN

    def _joined(self, node: ast.expr, op: ast.operator, left: Value, right: Value) -> Value:
        kinds = {kind_of(left), kind_of(right)}
        if isinstance(op, ast.BitOr) and isinstance(left, Entries) and isinstance(right, Entries):
            return _merged([left, right], node)
        if isinstance(op, ast.Add) and isinstance(left, Items) and isinstance(right, Items):
            return Items((*left.items, *right.items), left.whole and right.whole, node)
        if isinstance(op, ast.Mod) and kind_of(left) == 'str':
            return Some('str')
        if isinstance(op, ast.Add) and 'str' in kinds and kinds <= {'str', None}:
            return _text(node, left, right)
        if isinstance(op, ast.Mult) and kinds == {'str', 'int'}:
            return Some('str')
        if type(op) in _ARITHMETIC and kinds <= {'int', 'float'}:
            return _number(node, _ARITHMETIC[type(op)], left, right)
        return UNKNOWN

    def _of_builtin(self, node: ast.Call, name: str) -> Value:
        if name == 'dict' and not node.args:
            return self._entries(node, [(_named(word.arg), word.value) for word in node.keywords])
        if name in ('list', 'tuple', 'set') and len(node.args) == 1 and not node.keywords:
            inner = self.value(node.args[0])
            return inner if isinstance(inner, Items) else UNKNOWN
        return Some(_BUILTINS[name]) if name in _BUILTINS else UNKNOWN


def _named(word: str | None) -> ast.expr | None:
    return None if word is None else ast.Constant(word)


def _merged(values: Sequence[Value], node: ast.expr) -> Value:
    found, whole = dict[str, Value](), True
    for value in values:
        if not isinstance(value, Entries) or not value.whole:
            found, whole = _forgotten(found), False
        if isinstance(value, Entries):
            found.update(value.entries)
    return Entries(found, whole, node)


def _forgotten(found: Mapping[str, Value]) -> dict[str, Value]:
    return dict.fromkeys(found, UNKNOWN)


def _part(value: Value, key: Value) -> Value:
    match value, key:
        case Items(items=items, whole=True), Known(value=int() as at) if -len(items) <= at < len(items):
            return items[at]
        case Entries(entries=entries), Known(value=str() as name):
            return entries.get(name, UNKNOWN)
        case _:
            return UNKNOWN


def _key(value: Value) -> str | None:
    match value:
        case Known(value=str() as key):
            return key
        case Known(value=int() as key) if not isinstance(key, bool):
            return str(key)
        case _:
            return None


def _text(node: ast.expr, left: Value, right: Value) -> Value:
    match left, right:
        case Known(value=str() as one), Known(value=str() as other) if len(one) + len(other) < _LONGEST:
            return Known(one + other, node)
        case _:
            return Some('str')


def _number(node: ast.expr, compute: Callable[[float, float], float], left: Value, right: Value) -> Value:
    match left, right:
        case Known(value=int() | float() as one), Known(value=int() | float() as other) if (
            max(abs(one), abs(other)) < _LARGEST
        ):
            return Known(compute(one, other), node)
        case _:
            return UNKNOWN


def kind_of(value: Value) -> str | None:
    """The name of the type that a plain value has; None where that is not known."""
    match value:
        case Known(value=given):
            return type(given).__name__
        case Some(kind=kind):
            return kind
        case Either(values=values):
            kinds = {kind_of(one) for one in values}
            return kinds.pop() if len(kinds) == 1 else None
        case _:
            return None


def _may_change(value: Value) -> bool:
    if isinstance(value, Either):
        return any(map(_may_change, value.values))
    return isinstance(value, (Items, Entries))


_DEEPEST = 100
_CHANGES = 200
_LONGEST = 10_000
_LARGEST = 2**31
_ARITHMETIC: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}
_BUILTINS = {'str': 'str', 'repr': 'str', 'len': 'int', 'bool': 'bool', 'isinstance': 'bool', 'hash': 'int'}
_WORDS = (
    'capitalize casefold center format join ljust lower lstrip removeprefix removesuffix replace rjust rstrip strip '
    'swapcase title upper zfill'
)
_ONLY_OF_TEXT = frozenset(
    ['capitalize', 'casefold', 'lower', 'lstrip', 'rstrip', 'strip', 'swapcase', 'title', 'upper', 'zfill']
)
_TEXT_METHODS = frozenset(_WORDS.split())
