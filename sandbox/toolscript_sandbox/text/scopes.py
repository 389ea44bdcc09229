"""Which scope each name of a tree belongs to, by Python's rules, taken apart once for all that ask.

`symtable` knows the same, but not node by node: its tables carry names and line numbers, and two lambdas of one line
cannot be told apart.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, TypeAlias

from .bindings import bound_by
from .syntax import children, index_of

Kind: TypeAlias = Literal['module', 'function', 'class', 'comprehension']
Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@dataclass(eq=False)
class Scope:
    """A part of the text with names of its own."""

    kind: Kind
    node: ast.AST
    above: Scope | None
    bound: dict[str, list[ast.AST]] = field(default_factory=dict[str, list[ast.AST]])
    """The names that it has, with the nodes that bind them: statements, targets, parameters."""
    elsewhere: dict[str, Scope] = field(default_factory=dict[str, 'Scope'])
    """Names that `global` and `nonlocal` give to a scope further out."""

    @property
    def module(self) -> Scope:
        """The outermost."""
        scope = self
        while scope.above is not None:
            scope = scope.above
        return scope

    def owner(self, name: str) -> Scope | None:
        """The scope whose name it is, read from here; None where no scope of the snippet binds it."""
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
    """The scopes of a whole snippet, whose tree must not change."""

    def __init__(self, tree: ast.Module) -> None:
        self.module = Scope('module', tree, None)
        self._around = dict[ast.AST, Scope]()
        self.opened = dict[ast.AST, Scope]({tree: self.module})
        """The scope that a function, class or comprehension opens, by its node."""
        self.imported = set[str]()
        """Names that some import binds, wherever it stands."""
        self._declared = list[tuple[ast.Global | ast.Nonlocal, Scope]]()
        self._binding = list[tuple[str, ast.AST, Scope]]()
        self._place(tree)
        self._declare()
        for name, node, scope in self._binding:
            scope.elsewhere.get(name, scope).bound.setdefault(name, []).append(node)

    def _place(self, tree: ast.Module) -> None:
        around, below = self._around, index_of(tree).below
        waiting: list[tuple[ast.AST, Scope]] = [(node, self.module) for node in tree.body]
        while waiting:
            node, scope = waiting.pop()
            around[node] = scope
            kind = type(node)
            if kind is ast.Name:
                assert isinstance(node, ast.Name)
                if type(node.ctx) is ast.Store:
                    self._binding.append((node.id, node, scope))
            elif kind in _OPENING:
                self._bind(node, scope)
                waiting += self._inside(node, scope)
            else:
                if kind in _NAMING:
                    self._bind(node, scope)
                if node in below:
                    waiting += [(child, scope) for child in below[node]]

    def around(self, node: ast.AST) -> Scope:
        """The scope in which a node stands; the module's for nodes of no tree."""
        return self._around.get(node, self.module)

    def owner(self, name: ast.Name) -> Scope | None:
        """The scope whose name it is; None where no scope of the snippet binds it."""
        return self.around(name).owner(name.id)

    def _bind(self, node: ast.AST, scope: Scope) -> None:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            self.imported.update(bound_by(node))
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            self._declared.append((node, scope))
        home = _outside_comprehensions(scope) if isinstance(node, ast.NamedExpr) else scope
        for name in bound_by(node.target if isinstance(node, ast.NamedExpr) else node):
            self._binding.append((name, node, home))

    def _inside(self, node: ast.AST, scope: Scope) -> Iterator[tuple[ast.AST, Scope]]:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                return self._function(node, scope)
            case ast.ClassDef():
                inner = self._open('class', node, scope)
                outside = [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]
                return _placed((outside, scope), (node.body, inner))
            case ast.NamedExpr(target=target, value=value):
                self._around[target] = _outside_comprehensions(scope)
                return _placed(([value], scope))
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return self._comprehension(node, scope)
            case _:
                return _placed((children(node), scope))

    def _function(self, node: Function, scope: Scope) -> Iterator[tuple[ast.AST, Scope]]:
        inner = self._open('function', node, scope)
        given = node.args
        arguments = [*given.posonlyargs, *given.args, *given.kwonlyargs]
        arguments += [argument for argument in (given.vararg, given.kwarg) if argument is not None]
        for argument in arguments:
            self._around[argument] = inner
            self._binding.append((argument.arg, argument, inner))
        outside: list[ast.AST] = [default for default in (*given.defaults, *given.kw_defaults) if default is not None]
        outside += [argument.annotation for argument in arguments if argument.annotation is not None]
        if isinstance(node, ast.Lambda):
            return _placed((outside, scope), ([node.body], inner))
        outside += [*node.decorator_list, *([node.returns] if node.returns is not None else [])]
        return _placed((outside, scope), (node.body, inner))

    def _comprehension(self, node: Comprehension, scope: Scope) -> Iterator[tuple[ast.AST, Scope]]:
        inner = self._open('comprehension', node, scope)
        # What the first loop runs over is taken outside; only then does the comprehension begin.
        first, *_ = node.generators
        parts: list[ast.AST] = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for loop in node.generators:
            self._around[loop] = inner
            parts += [loop.target, *loop.ifs, *([] if loop is first else [loop.iter])]
        return _placed(([first.iter], scope), (parts, inner))

    def _open(self, kind: Kind, node: ast.AST, scope: Scope) -> Scope:
        self.opened[node] = inner = Scope(kind, node, scope)
        return inner

    def _declare(self) -> None:
        bound = {(name, scope) for name, _, scope in self._binding}
        for node, scope in self._declared:
            for name in node.names:
                home = self.module if isinstance(node, ast.Global) else _holder(name, scope.above, bound)
                if home is not scope:
                    scope.elsewhere[name] = home or self.module


@lru_cache(maxsize=4)
def scopes_of(tree: ast.Module) -> Scopes:
    """The scopes of a tree, which must not change; those of the last trees are remembered."""
    return Scopes(tree)


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


def _placed(*parts: tuple[Iterable[ast.AST], Scope]) -> Iterator[tuple[ast.AST, Scope]]:
    return ((node, scope) for nodes, scope in parts for node in nodes)


_OPENING = frozenset[type[ast.AST]](
    [
        ast.FunctionDef,
        ast.AsyncFunctionDef,
        ast.Lambda,
        ast.ClassDef,
        ast.ListComp,
        ast.SetComp,
        ast.DictComp,
        ast.GeneratorExp,
        ast.NamedExpr,
    ]
)
_NAMING = frozenset[type[ast.AST]](
    [
        ast.Import,
        ast.ImportFrom,
        ast.ExceptHandler,
        ast.MatchAs,
        ast.MatchStar,
        ast.MatchMapping,
        ast.Global,
        ast.Nonlocal,
    ]
)
