"""Where the value of an expression comes from, which decides whether a type checker can know its type.

The results of host functions have the types in their stubs. The items of a script's own dicts and lists may be anything
by the time they are read: a checker infers `dict[str, int]` from `{'id': 1}` and misses the `user` that a loop adds.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from toolscript_sandbox.language.scopes import bindings_of
from toolscript_sandbox.language.syntax import index_of, walk


class Provenance:
    """The provenance of the values in some code."""

    def __init__(self, trees: Iterable[ast.Module], is_host: Callable[[str], bool]) -> None:
        self._trees = list(trees)
        self._is_host = is_host
        self._names = dict[str, bool]()

    def is_certain(self, *nodes: ast.expr, depth: int = 0) -> bool:
        """Return whether everything in the values of the expressions comes from literals and the host."""
        return depth < _DEEPEST and all(self._is_certain(node, depth + 1) for node in nodes)

    def _is_certain(self, node: ast.expr, depth: int) -> bool:
        match node:
            case ast.Constant() | ast.JoinedStr():
                return True
            case ast.ListComp(elt=value) | ast.SetComp(elt=value) | ast.GeneratorExp(elt=value):
                return self.is_certain(value, depth=depth)
            case ast.Await() | ast.NamedExpr() | ast.Attribute() | ast.Starred():
                return self.is_certain(node.value, depth=depth)
            case ast.BinOp(left=left, right=right):
                return self.is_certain(left, right, depth=depth)
            case ast.Subscript(value=value, slice=key):
                return self._is_never_stored(key) and self.is_certain(value, depth=depth)
            case ast.Call(func=ast.Name(id=name), args=arguments) if name in _PASSING_ON:
                return bool(arguments) and self.is_certain(*arguments, depth=depth)
            case ast.Call(func=ast.Name(id=name)):
                return self._is_host(name) or name in _GIVING_SCALARS
            case ast.Call(func=ast.Attribute(value=ast.Name(id='asyncio'), attr='gather'), args=arguments):
                return self.is_certain(*arguments, depth=depth)
            case ast.Call(func=ast.Attribute(value=value)):
                return self.is_certain(value, depth=depth)
            case ast.Name(id=name):
                return self._is_certain_name(name, depth)
            case _:
                return False

    def _is_certain_name(self, name: str, depth: int) -> bool:
        if name not in self._names:
            self._names[name] = False  # for names that refer to themselves
            bound = self._bindings.get(name, [])
            values = [value for value in bound if value is not None]
            own = len(values) > 1 and any(isinstance(value, (ast.Constant, ast.List, ast.Dict)) for value in values)
            known = bool(bound) and len(values) == len(bound) and not own
            self._names[name] = known and self.is_certain(*values, depth=depth)
        return self._names[name]

    def _is_never_stored(self, key: ast.expr) -> bool:
        """Return whether the script never stores a value of its own under the key."""
        if not isinstance(key, ast.Constant) or isinstance(key.value, int):
            return _ANY not in self.stored_keys
        return key.value not in self.stored_keys

    @cached_property
    def _bindings(self) -> dict[str, list[ast.expr | None]]:
        found = dict[str, list[ast.expr | None]]()
        for tree in self._trees:
            parents = index_of(tree).parents
            for name, nodes in bindings_of(tree).items():
                found.setdefault(name, []).extend(_bound_value(node, parents) for node in nodes)
        return found

    @cached_property
    def stored_keys(self) -> frozenset[object]:
        """Keys that the code puts into dicts: records are dicts, and may hold more than their type says."""
        return frozenset(key for tree in self._trees for node in walk(tree) for key in _stored_keys(node))


def _stored_keys(node: ast.AST) -> Iterator[object]:
    """Yield the keys that one node puts into a dict."""
    match node:
        case ast.Subscript(slice=key, ctx=ast.Store()):
            yield key.value if isinstance(key, ast.Constant) else _ANY
        case ast.BinOp(op=ast.BitOr(), right=ast.Dict() as merged) | ast.AugAssign(value=ast.Dict() as merged):
            yield from (key.value for key in merged.keys if isinstance(key, ast.Constant))
        case ast.Call(func=ast.Attribute(attr='setdefault' | 'update'), args=[argument, *_]):
            keys = argument.keys if isinstance(argument, ast.Dict) else [argument]
            yield from (key.value for key in keys if isinstance(key, ast.Constant))
        case ast.Call(func=ast.Attribute(attr='update')):
            yield from (word.arg for word in node.keywords)
        case _:
            pass


def _bound_value(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> ast.expr | None:
    """Return what a node binds its name to, or (as an item) what it loops over; None if unknown."""
    match parents.get(node):
        case ast.Tuple(ctx=ast.Store()) as whole:
            value = _bound_value(whole, parents)
            return None if value is None else ast.Subscript(value, ast.Constant(0), ast.Load())
        case ast.Assign(value=value, targets=targets) if node in targets:
            return value
        case ast.NamedExpr(value=value):
            return value
        case ast.AnnAssign(value=ast.Await() as value):
            # Python accepts `x: int = 'a'`, and a checker believes the annotation.
            return value
        case ast.For(target=target, iter=items) | ast.comprehension(target=target, iter=items) if target is node:
            return ast.Subscript(items, ast.Constant(0), ast.Load())
        case _:
            return None


_ANY = object()
_PASSING_ON = frozenset(['list', 'sorted', 'reversed', 'tuple', 'set', 'iter'])
_GIVING_SCALARS = frozenset(['abs', 'bool', 'float', 'format', 'hash', 'int', 'len', 'repr', 'round', 'str'])
_DEEPEST = 100
