"""Where the value of an expression comes from, as far as that says whether a type checker can know its type.

What the host's functions return has the type that their stubs say. What a script keeps in its own dicts and lists may
be anything by the time it is read: a checker infers `dict[str, int]` from `{'id': 1}` and misses the `user` that a loop
adds.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from toolscript_sandbox.text.syntax import walk


class Provenance:
    """Of the values in some code."""

    def __init__(self, trees: Iterable[ast.Module], is_host: Callable[[str], bool]) -> None:
        self._nodes = [node for tree in trees for node in walk(tree)]
        self._is_host = is_host

    def is_certain(self, node: ast.expr) -> bool:
        """Whether the expression can only have the type that a checker infers."""
        return self._certain(node, frozenset())

    def is_annotated(self, node: ast.expr) -> bool:
        """Whether what the expression starts from has its type from an annotation of the script, which binds nobody."""
        while isinstance(node, (ast.Attribute, ast.Subscript, ast.Await, ast.Call)):
            node = node.func if isinstance(node, ast.Call) else node.value
        return isinstance(node, ast.Name) and node.id in self._annotated

    @cached_property
    def _annotated(self) -> set[str]:
        parameters = {node.arg for node in self._nodes if isinstance(node, ast.arg) and node.annotation is not None}
        said = (node.target for node in self._nodes if isinstance(node, ast.AnnAssign))
        return parameters | {target.id for target in said if isinstance(target, ast.Name)}

    @cached_property
    def _bindings(self) -> dict[str, list[ast.expr | None]]:
        """What names are bound to, and (as items) what they loop over; None for what nobody knows."""
        found = dict[str, list[ast.expr | None]]()
        for node in self._nodes:
            for target, value in _bindings(node):
                found.setdefault(target, []).append(value)
        return found

    @cached_property
    def _stored_keys(self) -> set[object]:
        stores = (node for node in self._nodes if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store))
        return {node.slice.value if isinstance(node.slice, ast.Constant) else _ANY for node in stores}

    def _certain(self, node: ast.expr, seen: frozenset[str]) -> bool:
        match node:
            case ast.Constant() | ast.JoinedStr():
                return True
            case ast.List() | ast.Dict() | ast.Set() | ast.Tuple():
                return True
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return True
            case ast.Await(value=value) | ast.UnaryOp(operand=value) | ast.NamedExpr(value=value):
                return self._certain(value, seen)
            case ast.BinOp(left=left, right=right):
                return self._certain(left, seen) and self._certain(right, seen)
            case ast.Attribute(value=value):
                return self._certain(value, seen)
            case ast.Subscript(value=value, slice=key):
                return self._is_left_alone(key) and self._has_certain_items(value, seen)
            case ast.Call(func=func):
                return self._is_certain_call(func, seen)
            case ast.Name(id=name):
                return self._is_certain_name(name, seen)
            case _:
                return False

    def _is_certain_call(self, func: ast.expr, seen: frozenset[str]) -> bool:
        if isinstance(func, ast.Attribute):
            return ast.unparse(func) == 'asyncio.gather' or self._certain(func.value, seen)
        return isinstance(func, ast.Name) and (self._is_host(func.id) or func.id in _PLAIN_BUILTINS)

    def _is_certain_name(self, name: str, seen: frozenset[str]) -> bool:
        bindings = self._bindings.get(name, [])
        if name in seen or not bindings or None in bindings:
            return False
        values = [value for value in bindings if value is not None]
        if len(values) > 1 and any(isinstance(value, (ast.Constant, ast.List, ast.Dict)) for value in values):
            return False
        return all(self._certain(value, seen | {name}) for value in values)

    def _is_left_alone(self, key: ast.expr) -> bool:
        """Whether the script never puts something of its own under the key."""
        if not isinstance(key, ast.Constant) or isinstance(key.value, int):
            return _ANY not in self._stored_keys
        return key.value not in self._stored_keys

    def _has_certain_items(self, node: ast.expr, seen: frozenset[str]) -> bool:
        """Whether all that can be read out of it comes from the host, however deep."""
        match node:
            case ast.Constant() | ast.JoinedStr():
                return True
            case ast.ListComp(elt=value) | ast.SetComp(elt=value) | ast.GeneratorExp(elt=value):
                return self._has_certain_items(value, seen)
            case ast.Await(value=value) | ast.Subscript(value=value) | ast.NamedExpr(value=value):
                return self._has_certain_items(value, seen)
            case ast.Call(func=func, args=arguments):
                return self._gives_certain_items(func, arguments, seen)
            case ast.Name(id=name):
                bindings = self._bindings.get(name, [])
                known = name not in seen and bool(bindings) and None not in bindings
                return known and all(
                    self._has_certain_items(value, seen | {name}) for value in bindings if value is not None
                )
            case _:
                return False

    def _gives_certain_items(self, func: ast.expr, arguments: list[ast.expr], seen: frozenset[str]) -> bool:
        if isinstance(func, ast.Name) and func.id in _PASSING_ON:
            return bool(arguments) and all(self._has_certain_items(value, seen) for value in arguments)
        if isinstance(func, ast.Attribute) and ast.unparse(func) != 'asyncio.gather':
            return self._has_certain_items(func.value, seen)
        if isinstance(func, ast.Attribute):
            calls = (value.value if isinstance(value, ast.Starred) else value for value in arguments)
            return all(self._has_certain_items(value, seen) for value in calls)
        return isinstance(func, ast.Name) and self._is_host(func.id)


def _bindings(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from ((name, value if isinstance(target, ast.Name) else None) for name in _names(target))
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            # Python lets `x: int = 'a'` pass, a checker believes the annotation.
            yield name, value if isinstance(value, ast.Await) else None
        case ast.NamedExpr(target=ast.Name(id=name), value=value):
            yield name, value
        case ast.AugAssign(target=ast.Name(id=name)):
            yield name, None
        case ast.For(target=target, iter=items) | ast.comprehension(target=target, iter=items):
            item = ast.Subscript(items, ast.Constant(0), ast.Load()) if isinstance(target, ast.Name) else None
            yield from ((name, item) for name in _names(target))
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            yield from ((name, None) for name in names)
        case ast.arg(arg=name):
            yield name, None
        case ast.withitem(optional_vars=ast.expr() as target):
            yield from ((name, None) for name in _names(target))
        case ast.ExceptHandler(name=str(name)):
            yield name, None
        case _:
            pass


def _names(target: ast.expr) -> Iterator[str]:
    return (node.id for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))


_ANY = object()
_PASSING_ON = frozenset(['list', 'sorted', 'reversed', 'tuple', 'set', 'iter'])
_WORDS = 'abs bool dict float format hash int len list repr round set sorted str tuple'
_PLAIN_BUILTINS = frozenset(_WORDS.split())
