"""Resolves the scope of each name of a tree by Python's rules, once for all users.

`symtable` does the same, but not per node: its tables contain names and line numbers, and two lambdas on one line
cannot be distinguished.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter
from typing import Literal, TypeAlias

from .syntax import all_of, index_of, walk

Kind: TypeAlias = Literal['module', 'function', 'class', 'comprehension']


@dataclass(eq=False)
class Scope:
    """A scope: a part of the code with its own names."""

    kind: Kind
    node: ast.AST
    above: 'Scope | None'
    bound: dict[str, list[ast.AST]] = field(default_factory=dict[str, list[ast.AST]])
    """The names of the scope, with the nodes that bind them: statements, targets, parameters."""
    elsewhere: 'dict[str, Scope]' = field(default_factory=dict[str, 'Scope'])
    """Names that `global` and `nonlocal` assign to an outer scope."""

    def owner(self, name: str) -> 'Scope | None':
        """Return the scope that a name belongs to if read here; None if no scope of the script binds it."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.elsewhere:
                scope = scope.elsewhere[name]
                return scope if name in scope.bound else None
            if name in scope.bound and (scope is self or scope.kind != 'class'):
                return scope
            scope = scope.above
        return None


class Scopes:
    """The scopes of a whole script, whose tree must not change.

    Only nodes that open a scope or bind a name are visited; the scopes of other nodes are resolved on demand.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.module: Scope = Scope('module', tree, None)
        self._index = index = index_of(tree)
        self._around = dict[ast.AST, Scope]({tree: self.module})
        """For some nodes, the scope of the node and everything below it, except nodes with entries of their own."""
        self.opened: dict[ast.AST, Scope] = dict[ast.AST, Scope]({tree: self.module})
        """The scope that a function, class or comprehension opens, by its node."""
        self.imported: set[str] = {name for kind in _IMPORTS for node in all_of(tree, kind) for name in bound_by(node)}
        """Names that an import binds, in any scope."""
        if not _OPENING.isdisjoint(index.kinds):
            for node in index.nodes:
                if type(node) in _OPENING:
                    self._open(node, self.around(node))
        targets = ((node, node.target if isinstance(node, ast.NamedExpr) else node) for node in self._binding())
        binding = [(name, node, self.around(target)) for node, target in targets for name in bound_by(target)]
        self._declare({(name, scope) for name, _, scope in binding})
        for name, node, scope in binding:
            scope.elsewhere.get(name, scope).bound.setdefault(name, []).append(node)

    def around(self, node: ast.AST) -> Scope:
        """Return the scope that contains a node; the module's for nodes outside the tree."""
        around, parents, inside = self._around, self._index.parents, node
        passed = list[ast.AST]()
        while inside not in around:
            passed.append(inside)
            if inside not in parents:
                return self.module
            inside = parents[inside]
        scope = around[inside]
        # Cached, so that resolving all nodes of a deep tree takes linear time.
        around.update(dict.fromkeys(passed, scope))
        return scope

    def owner(self, name: ast.Name) -> Scope | None:
        """Return the scope that a name belongs to; None if no scope of the script binds it."""
        return self.around(name).owner(name.id)

    def _binding(self) -> list[ast.AST]:
        """Return the nodes that bind names, from the last to the first."""
        kinds = self._index.kinds
        set_inside = {node.target for node in kinds.get(ast.NamedExpr, ())}
        found: list[ast.AST] = [
            node for node in kinds.get(ast.Name, ()) if type(node.ctx) is ast.Store and node not in set_inside
        ]
        for kind in _NAMING:
            if kind in kinds:
                found += kinds[kind]
        return sorted(found, key=_PLACE, reverse=True)

    def _open(self, node: ast.AST, scope: Scope) -> None:
        """Record which parts of a node are inside its scope, and which are outside."""
        around = self._around
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                inner = self._opened('function', node, scope)
                given = node.args
                arguments = [*given.posonlyargs, *given.args, *given.kwonlyargs]
                arguments += [argument for argument in (given.vararg, given.kwarg) if argument is not None]
                for argument in arguments:
                    around[argument] = inner
                    if argument.annotation is not None:
                        around[argument.annotation] = scope
                around.update(dict.fromkeys([node.body] if isinstance(node, ast.Lambda) else node.body, inner))
            case ast.ClassDef():
                around.update(dict.fromkeys(node.body, self._opened('class', node, scope)))
            case ast.NamedExpr(target=target):
                around[target] = _outside_comprehensions(scope)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                inner = self._opened('comprehension', node, scope)
                around.update(dict.fromkeys(self._index.below[node], inner))
                # The first iterable is evaluated outside of the comprehension.
                around[node.generators[0].iter] = scope
            case _:
                pass

    def _opened(self, kind: Kind, node: ast.AST, scope: Scope) -> Scope:
        self.opened[node] = inner = Scope(kind, node, scope)
        return inner

    def _declare(self, bound: set[tuple[str, Scope]]) -> None:
        for kind in (ast.Nonlocal, ast.Global):
            for node in self._index.kinds.get(kind, ()):
                scope = self.around(node)
                for name in node.names:
                    home = self.module if kind is ast.Global else _holder(name, scope.above, bound)
                    if home is not scope:
                        scope.elsewhere[name] = home or self.module


def bound_by(node: ast.AST) -> Iterator[str]:
    """Return the names that this node itself binds in its scope."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=aliases):
            yield from ((alias.asname or alias.name).split('.')[0] for alias in aliases)
        case ast.ImportFrom(names=aliases):
            yield from (alias.asname or alias.name for alias in aliases)
        case ast.ExceptHandler(name=str(name)):
            yield name
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name
        case _:
            pass


@lru_cache(maxsize=4)
def scopes_of(tree: ast.Module) -> Scopes:
    """Return the scopes of a tree. Cached for recent trees, which must not change."""
    return Scopes(tree)


@lru_cache(maxsize=4)
def loads_of(tree: ast.Module) -> dict[str, list[ast.Name]]:
    """Return the nodes that read or delete each name, in any scope of a tree."""
    found = dict[str, list[ast.Name]]()
    for node in all_of(tree, ast.Name):
        if not isinstance(node.ctx, ast.Store):
            found.setdefault(node.id, []).append(node)
    return found


@lru_cache(maxsize=4)
def bindings_of(tree: ast.Module) -> dict[str, list[ast.AST]]:
    """Return the nodes that bind each name, in any scope of a tree."""
    found = dict[str, list[ast.AST]]()
    for node in walk(tree):
        declared = node.names if isinstance(node, (ast.Global, ast.Nonlocal)) else []
        names = bound_by(node) if type(node) in BINDING else declared
        for name in names:
            found.setdefault(name, []).append(node)
    return found


def assigned_once(tree: ast.Module, name: str) -> ast.expr | None:
    """Return what the only assignment to a name assigns; None if the name is bound otherwise, or more than once."""
    bound = bindings_of(tree).get(name, [])
    match index_of(tree).parents.get(bound[0]) if len(bound) == 1 else None:
        case ast.Assign(targets=[ast.Name()], value=value) | ast.AnnAssign(value=ast.expr() as value):
            return value
        case _:
            return None


def _holder(name: str, scope: Scope | None, bound: set[tuple[str, Scope]]) -> Scope | None:
    while scope is not None:
        if scope.kind == 'function' and (name, scope) in bound and name not in scope.elsewhere:
            return scope
        scope = scope.elsewhere.get(name, scope.above)
    return None


def _outside_comprehensions(scope: Scope) -> Scope:
    while scope.kind == 'comprehension' and scope.above is not None:
        scope = scope.above
    return scope


_OPENING = frozenset[type[ast.AST]](
    [
        *(ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.NamedExpr),
        *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    ]
)
_IMPORTS = (ast.Import, ast.ImportFrom)
_STATING: tuple[type[ast.AST], ...] = (
    *(*_IMPORTS, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler),
    *(ast.MatchAs, ast.MatchStar, ast.MatchMapping),
)
_NAMING = (*_STATING, ast.NamedExpr, ast.arg)
BINDING = frozenset[type[ast.AST]]([ast.Name, ast.arg, *_STATING])
"""The kinds of nodes that may themselves bind names."""
_PLACE = attrgetter('lineno', 'col_offset')
