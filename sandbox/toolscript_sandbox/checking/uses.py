"""What the names of a script are bound to, and what may have become of their values since.

A list that a loop fills is not the empty list that it was made as. So a container is known only where all that happens
to it can be seen: it is passed to functions of the host, which get copies, or changed in the very block that made it.
Anything else (another name for it, a loop that changes it, a function of the script that gets it) makes it unknown.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias, cast

from toolscript_sandbox.text.bindings import BINDING, bound_by
from toolscript_sandbox.text.syntax import all_of, index_of, walk

Position: TypeAlias = tuple[int, int]
Block: TypeAlias = tuple[ast.AST, str]
"""What statements stand in, and in which of its parts."""


@dataclass(frozen=True, eq=False)
class Binding:
    """One place where a name gets a value."""

    value: ast.expr | None
    """None where nobody knows it."""
    is_item: bool
    """Whether the name gets the items of the value, one after the other."""
    position: Position
    block: Block | None
    """The list of statements where it stands; None for what is no statement."""


@dataclass(frozen=True, eq=False)
class Change:
    """`name[key] = value`, `name.append(value)` or `name.update(value)`."""

    statement: ast.Assign | ast.Call
    position: Position


class Uses:
    """Of all names in a script."""

    def __init__(self, tree: ast.Module, keeps: Callable[[str], bool]) -> None:
        """`keeps` says of which functions it is certain that they leave their arguments alone."""
        self._tree = tree
        self._keeps = keeps
        self._safe = dict[str, bool]()
        self._nodes = walk(tree)

    @cached_property
    def parents(self) -> Mapping[ast.AST, ast.AST]:
        """What each node stands in."""
        return index_of(self._tree).parents

    @cached_property
    def bindings(self) -> Mapping[str, list[Binding]]:
        """All bindings, by name."""
        found = dict[str, list[Binding]]()
        for node in self._nodes:
            if type(node) in BINDING:
                for name in bound_by(node):
                    found.setdefault(name, []).append(self._binding(node))
            elif isinstance(node, ast.arg):
                found.setdefault(node.arg, []).append(Binding(None, False, position(node), None))
            elif isinstance(node, (ast.Global, ast.Nonlocal)):
                for name in node.names:
                    found.setdefault(name, []).append(Binding(None, False, position(node), None))
        return found

    @cached_property
    def changes(self) -> Mapping[str, list[Change]]:
        """What is done to containers where they were made, by name, in order."""
        found = dict[str, list[Change]]()
        for name, loads in self._loads.items():
            for load in loads:
                change = self._change(load)
                if change is not None:
                    found.setdefault(name, []).append(change)
        return {name: sorted(changes, key=lambda one: one.position) for name, changes in found.items()}

    def is_left_alone(self, name: str) -> bool:
        """Whether all that happens to a container of that name can be seen."""
        if name not in self._safe:
            self._safe[name] = False  # for what refers to itself
            changed = name in self.changes
            self._safe[name] = all(
                self._change(load) is not None or self._is_safe(load, may_alias=not changed)
                for load in self._loads.get(name, [])
            )
        return self._safe[name]

    @cached_property
    def _loads(self) -> Mapping[str, list[ast.Name]]:
        found = dict[str, list[ast.Name]]()
        for node in all_of(self._tree, ast.Name):
            if type(node.ctx) is not ast.Store:
                found.setdefault(node.id, []).append(node)
        return found

    @cached_property
    def _blocks(self) -> Mapping[ast.AST, Block]:
        found = dict[ast.AST, Block]()
        for node in self._nodes:
            for part in _BLOCKS.get(type(node), ()):
                block: object = getattr(node, part)
                if isinstance(block, list):
                    found.update(dict.fromkeys(cast('list[ast.AST]', block), (node, part)))
        return found

    def in_one_scope(self, one: ast.AST, other: ast.AST) -> bool:
        """Whether both run when the same function, or none, runs."""
        return self._scope(one) is self._scope(other)

    def _scope(self, node: ast.AST) -> ast.AST | None:
        found = self.parents.get(node)
        while found is not None and not isinstance(found, _SCOPES):
            found = self.parents.get(found)
        return found

    def _binding(self, node: ast.AST) -> Binding:
        parent = self.parents.get(node)
        at = position(node)
        match parent:
            case ast.Assign(targets=[target], value=value) if target is node:
                return Binding(value, False, at, self._blocks.get(parent))
            case ast.AnnAssign(value=ast.expr() as value):
                return Binding(value, False, at, self._blocks.get(parent))
            case ast.NamedExpr(value=value):
                return Binding(value, False, at, None)
            case ast.For(target=target, iter=items) | ast.comprehension(target=target, iter=items) if target is node:
                return Binding(items, True, at, None)
            case _:
                return Binding(None, False, at, None)

    def _change(self, load: ast.Name) -> Change | None:
        """What the name is used for, if that changes its value in the block that made it."""
        made = self.bindings.get(load.id, [])
        if len(made) != 1 or made[0].block is None:
            return None
        parent = self.parents.get(load)
        upper = self.parents.get(parent) if parent is not None else None
        statement, change = None, None
        if isinstance(parent, ast.Subscript) and isinstance(upper, ast.Assign) and upper.targets == [parent]:
            statement = change = upper
        elif isinstance(parent, ast.Attribute) and parent.attr in _CHANGING and isinstance(upper, ast.Call):
            statement = self.parents.get(upper)
            change = upper if isinstance(statement, ast.Expr) and upper.func is parent else None
        if statement is None or change is None or self._blocks.get(statement) != made[0].block:
            return None
        return Change(change, position(change)) if position(change) > made[0].position else None

    def _is_safe(self, node: ast.AST, *, may_alias: bool) -> bool:
        """Whether a value that is read here stays as it is."""
        parent = self.parents.get(node)
        while isinstance(parent, _PASSING):
            node, parent = parent, self.parents.get(parent)
        match parent:
            case ast.Call(func=ast.Name(id=name)) if parent.func is not node:
                return self._keeps(name)
            case ast.FormattedValue() | ast.Compare() | ast.Expr():
                return True
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.For(target=ast.Name(id=name)):
                return may_alias and name not in self.changes and self.is_left_alone(name)
            case ast.comprehension(target=ast.Name(id=name)):
                return may_alias and name not in self.changes and self.is_left_alone(name)
            case _:
                return False


def position(node: ast.AST) -> Position:
    """Line and column where a node starts."""
    return getattr(node, 'lineno', 0), getattr(node, 'col_offset', 0)


_BLOCKS: Mapping[type[ast.AST], list[str]] = {
    kind: [part for part in ('body', 'orelse', 'finalbody') if part in kind._fields]
    for kind in (*ast.mod.__subclasses__(), *ast.stmt.__subclasses__(), ast.ExceptHandler, ast.match_case)
}
"""The parts of each kind of node that are lists of statements."""
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_CHANGING = frozenset(['append', 'update'])
_PASSING = (ast.Dict, ast.List, ast.Tuple, ast.Set, ast.Starred, ast.keyword, ast.IfExp, ast.BoolOp, ast.Subscript)
