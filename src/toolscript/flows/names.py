"""Which variable a name of a script means."""

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
    """By name, the node of what the variable has at any time."""
    now: dict[str, int] = field(default_factory=dict[str, int])
    """By name, the node of what the variable has at the place that is being read, where that is known."""
    merged: dict[str, int] = field(default_factory=dict[str, int])
    """By name, the node of what the variable may have anywhere in the loop or `try` that is being read."""
    outer: frozenset[str] = frozenset()
    """Names that are declared `global` or `nonlocal`."""

    def find(self, name: str, *, at_any_time: bool = False) -> list[int]:
        """The nodes of the variables that the name may mean here."""
        found, scope, start = list[int](), self, self
        while scope is not None:
            if name in scope.variables and name not in scope.outer and (scope is start or scope.kind != 'class'):
                node = scope.variables[name]
                found.append(node if at_any_time else scope.now.get(name, node))
                # A name of a class may mean one outside of it before it is bound.
                if scope.kind != 'class':
                    break
            # Outer variables may have changed when the code of a function runs.
            at_any_time = at_any_time or scope.kind in ('function', 'generator')
            scope = scope.parent
        return found


def bound_names(body: Iterable[ast.AST]) -> tuple[set[str], set[str]]:
    """The names that statements bind, but for `:=`, without those of functions in them, and those declared as outer."""
    bound, outer, waiting = set[str](), set[str](), list(body)
    while waiting:
        node = waiting.pop()
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                bound.add(name)
            case ast.Assign(targets=targets) | ast.Delete(targets=targets):
                bound.update(*map(targeted, targets))
            case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
                bound |= targeted(target)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                bound.update(one.asname or one.name.partition('.')[0] for one in names)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                outer.update(names)
            case ast.Expr() | ast.Return() | ast.Raise() | ast.Assert() | ast.expr():
                pass
            case _:
                for target in (getattr(node, 'target', None), getattr(node, 'optional_vars', None)):
                    bound |= set[str]() if target is None else targeted(target)
                if isinstance(node, ast.ExceptHandler | ast.match_case):
                    bound |= captured(node)
                for part in ('body', 'orelse', 'finalbody', 'handlers', 'cases', 'items'):
                    waiting += getattr(node, part, ())
    return bound, outer


def targeted(target: ast.expr) -> set[str]:
    """The names that an assignment to this binds."""
    if isinstance(target, ast.Name):
        return {target.id}
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}


def captured(node: ast.ExceptHandler | ast.match_case) -> set[str]:
    """The names that an `except` or the pattern of a `case` binds."""
    parts = [node] if isinstance(node, ast.ExceptHandler) else ast.walk(node.pattern)
    found = [name for part in parts for name in (getattr(part, 'name', None), getattr(part, 'rest', None))]
    return {name for name in found if name}


def parameters(function: Function) -> list[str]:
    """The names of all parameters."""
    args = function.args
    extra = [arg for arg in (args.vararg, args.kwarg) if arg is not None]
    return [arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs, *extra)]
