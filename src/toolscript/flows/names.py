"""Resolves the names in a script to variables."""

import ast
from collections.abc import Set
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass
class VariableScope:
    """The names of a module, function, class or comprehension."""

    parent: 'VariableScope | None' = None
    kind: Literal['module', 'function', 'class', 'comprehension', 'generator'] = 'module'
    variables: dict[str, int] = field(default_factory=dict)
    """By name, the node of all values that the variable ever has."""
    now: dict[str, int] = field(default_factory=dict)
    """By name, the node of the variable's value at the current place, if known."""
    merged: dict[str, int] = field(default_factory=dict)
    """By name, the node of all values that the variable may have in the current loop or `try`."""
    outer: Set[str] = frozenset()
    """Names that are declared `nonlocal`. Those that are declared `global` are variables here and in the module."""

    def find(self, name: str, *, at_any_time: bool = False) -> list[int]:
        """Return the nodes of the variables that the name may refer to here."""
        found: list[int] = []
        scope, start = self, self
        while scope is not None:
            if name in scope.variables and name not in scope.outer and (scope is start or scope.kind != 'class'):
                node = scope.variables[name]
                found.append(node if at_any_time else scope.now.get(name, node))
                # Until it is bound, a name in a class body may refer to an outer variable.
                if scope.kind != 'class':
                    break
            # Outer variables may have changed by the time a function runs.
            at_any_time = at_any_time or scope.kind in ('function', 'generator')
            scope = scope.parent
        return found
