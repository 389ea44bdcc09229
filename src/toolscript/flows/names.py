"""Resolves the names in a script to variables."""

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass
class VariableScope:
    """The names of a module, function, class or comprehension."""

    parent: 'VariableScope | None' = None
    kind: Literal['module', 'function', 'class', 'comprehension', 'generator'] = 'module'
    variables: dict[str, int] = field(default_factory=dict[str, int])
    """By name, the node of all values that the variable ever has."""
    now: dict[str, int] = field(default_factory=dict[str, int])
    """By name, the node of the variable's value at the current place, if known."""
    merged: dict[str, int] = field(default_factory=dict[str, int])
    """By name, the node of all values that the variable may have in the current loop or `try`."""
    outer: frozenset[str] = frozenset()
    """Names that are declared `global` or `nonlocal`."""

    def find(self, name: str, *, at_any_time: bool = False) -> list[int]:
        """Return the nodes of the variables that the name may refer to here."""
        found, scope, start = list[int](), self, self
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


def bound_names(body: Iterable[ast.AST]) -> tuple[set[str], set[str]]:
    """Return the names that statements bind, except by `:=` or in nested functions, and those declared as outer."""
    bound, outer, waiting = set[str](), set[str](), list(body)
    while waiting:
        node = waiting.pop()
        match node:
            case ast.Assign(targets=targets) | ast.Delete(targets=targets):
                bound.update(*map(targeted, targets))
            case ast.Expr() | ast.Return() | ast.Raise() | ast.Assert() | ast.expr():
                pass
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                bound.add(name)
            case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
                bound |= targeted(target)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                bound.update(one.asname or one.name.partition('.')[0] for one in names)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                outer.update(names)
            case _:
                for target in (getattr(node, 'target', None), getattr(node, 'optional_vars', None)):
                    bound |= set[str]() if target is None else targeted(target)
                if isinstance(node, ast.ExceptHandler | ast.match_case):
                    bound |= captured(node)
                for part in ('body', 'orelse', 'finalbody', 'handlers', 'cases', 'items'):
                    waiting += getattr(node, part, ())
    return bound, outer


def targeted(target: ast.expr) -> set[str]:
    if isinstance(target, ast.Name):
        return {target.id}
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}


def captured(node: ast.ExceptHandler | ast.match_case) -> set[str]:
    parts = [node] if isinstance(node, ast.ExceptHandler) else ast.walk(node.pattern)
    found = [name for part in parts for name in (getattr(part, 'name', None), getattr(part, 'rest', None))]
    return {name for name in found if name}


def parameters(function: Function) -> list[str]:
    args = function.args
    extra = [arg for arg in (args.vararg, args.kwarg) if arg is not None]
    return [arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs, *extra)]
