"""Where the value of an expression comes from, as far as that says whether a type checker can know its type.

What the host's functions return has the type that their stubs say. What a script puts into its own dicts and lists may
be anything by the time it is read: a checker infers `dict[str, int]` from `{'id': 1}` and misses the `user` that a loop
adds.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TypeVar

from toolscript_sandbox.language.syntax import all_of, index_of

from .literals import bindings_of

NodeT = TypeVar('NodeT', bound=ast.AST)


class Provenance:
    """Of the values in some code."""

    def __init__(self, trees: Iterable[ast.Module], is_host: Callable[[str], bool]) -> None:
        self._trees = list(trees)
        self._is_host = is_host
        self._names = dict[tuple[str, bool], bool]()
        self._depth = 0

    def is_certain(self, node: ast.expr, *, inside: bool = False) -> bool:
        """Whether the expression can only have the type that a checker infers.

        `inside`: and whether all that can be read out of it comes from the host, however deep.
        """
        self._depth += 1
        try:
            return self._depth < _DEEPEST and self._is_certain(node, inside)
        finally:
            self._depth -= 1

    def is_annotated(self, node: ast.expr) -> bool:
        """Whether the expression starts from a variable that the script annotates. Python ignores what that says."""
        while isinstance(node, (ast.Attribute, ast.Subscript, ast.Await, ast.Call)):
            node = node.func if isinstance(node, ast.Call) else node.value
        return isinstance(node, ast.Name) and node.id in self._annotated

    @cached_property
    def _annotated(self) -> set[str]:
        parameters = {node.arg for node in self._all(ast.arg) if node.annotation is not None}
        return parameters | {node.target.id for node in self._all(ast.AnnAssign) if isinstance(node.target, ast.Name)}

    def _all(self, kind: type[NodeT]) -> Iterator[NodeT]:
        return (node for tree in self._trees for node in all_of(tree, kind))

    def _is_certain(self, node: ast.expr, inside: bool) -> bool:
        match node:
            case ast.Constant() | ast.JoinedStr():
                return True
            case ast.List() | ast.Dict() | ast.Set() | ast.Tuple() | ast.DictComp():
                return not inside
            case ast.ListComp(elt=value) | ast.SetComp(elt=value) | ast.GeneratorExp(elt=value):
                return not inside or self.is_certain(value, inside=True)
            case ast.Await(value=value) | ast.NamedExpr(value=value) | ast.Attribute(value=value):
                return self.is_certain(value, inside=inside)
            case ast.UnaryOp(operand=value):
                return not inside and self.is_certain(value)
            case ast.BinOp(left=left, right=right):
                return not inside and self.is_certain(left) and self.is_certain(right)
            case ast.Subscript(value=value, slice=key):
                return self._is_never_stored(key) and self.is_certain(value, inside=True)
            case ast.Call(func=func, args=arguments):
                return self._is_certain_call(func, arguments, inside)
            case ast.Name(id=name):
                return self._is_certain_name(name, inside)
            case _:
                return False

    def _is_certain_call(self, func: ast.expr, arguments: list[ast.expr], inside: bool) -> bool:
        given = [one.value if isinstance(one, ast.Starred) else one for one in arguments]
        match func:
            case ast.Attribute(value=ast.Name(id='asyncio'), attr='gather'):
                return not inside or all(self.is_certain(one, inside=True) for one in given)
            case ast.Attribute(value=value):
                return self.is_certain(value, inside=inside)
            case ast.Name(id=name) if inside and name in _PASSING_ON:
                return bool(given) and all(self.is_certain(one, inside=True) for one in given)
            case ast.Name(id=name):
                return self._is_host(name) or (not inside and name in _PLAIN_BUILTINS)
            case _:
                return False

    def _is_certain_name(self, name: str, inside: bool) -> bool:
        if (name, inside) not in self._names:
            self._names[name, inside] = False  # for what refers to itself
            bound = self._bindings.get(name, [])
            values = [value for value in bound if value is not None]
            own = len(values) > 1 and any(isinstance(value, (ast.Constant, ast.List, ast.Dict)) for value in values)
            known = bool(bound) and len(values) == len(bound) and not own
            self._names[name, inside] = known and all(self.is_certain(value, inside=inside) for value in values)
        return self._names[name, inside]

    def _is_never_stored(self, key: ast.expr) -> bool:
        """Whether the script never puts something of its own under the key."""
        if not isinstance(key, ast.Constant) or isinstance(key.value, int):
            return _ANY not in self._stored_keys
        return key.value not in self._stored_keys

    @cached_property
    def _bindings(self) -> dict[str, list[ast.expr | None]]:
        found = dict[str, list[ast.expr | None]]()
        for tree in self._trees:
            parents = index_of(tree).parents
            for name, nodes in bindings_of(tree).items():
                found.setdefault(name, []).extend(_bound_value(node, parents) for node in nodes)
        return found

    @cached_property
    def _stored_keys(self) -> set[object]:
        stores = (node.slice for node in self._all(ast.Subscript) if isinstance(node.ctx, ast.Store))
        return {key.value if isinstance(key, ast.Constant) else _ANY for key in stores}


def _bound_value(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> ast.expr | None:
    """What a node binds its name to, or (as an item) what it loops over; None for what is unknown."""
    match parents.get(node):
        case ast.Assign(value=value, targets=targets) if node in targets:
            return value
        case ast.NamedExpr(value=value):
            return value
        case ast.AnnAssign(value=ast.Await() as value):
            # Python lets `x: int = 'a'` pass, a checker believes the annotation.
            return value
        case ast.For(target=target, iter=items) | ast.comprehension(target=target, iter=items) if target is node:
            return ast.Subscript(items, ast.Constant(0), ast.Load())
        case _:
            return None


_ANY = object()
_PASSING_ON = frozenset(['list', 'sorted', 'reversed', 'tuple', 'set', 'iter'])
_WORDS = 'abs bool dict float format hash int len list repr round set sorted str tuple'
_PLAIN_BUILTINS = frozenset(_WORDS.split())
_DEEPEST = 100
