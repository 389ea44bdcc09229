"""Which variable a name of a script means."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass
class Scope:
    """The names of a module, function, class or comprehension."""

    parent: 'Scope | None' = None
    is_class: bool = False
    variables: dict[str, int] = field(default_factory=dict[str, int])
    """By name, the node of the variable."""
    outer: frozenset[str] = frozenset()
    """Names that are declared `global` or `nonlocal`."""

    def find(self, name: str) -> list[int]:
        """The nodes of the variables that the name may mean here."""
        found, scope, start = list[int](), self, self
        while scope is not None:
            if name in scope.variables and name not in scope.outer and (scope is start or not scope.is_class):
                found.append(scope.variables[name])
                # A name of a class may mean one outside of it before it is bound.
                if not scope.is_class:
                    break
            scope = scope.parent
        return found


def bound_names(body: Sequence[ast.AST]) -> tuple[set[str], set[str]]:
    """The names that statements bind, without those of functions in them, and those that they declare as outer."""
    bound, outer = set[str](), set[str]()
    for node in _within(body):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                bound.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                bound.add(name)
            case ast.alias(name=name, asname=alias):
                bound.add(alias or name.partition('.')[0])
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                bound.add(name)
            case ast.MatchMapping(rest=str(name)):
                bound.add(name)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                outer.update(names)
            case _:
                pass
    return bound, outer


def _within(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, _COMPREHENSIONS):
            # Only `:=` binds outside of a comprehension.
            waiting += [inner.target for inner in ast.walk(node) if isinstance(inner, ast.NamedExpr)]
        yield node
        if isinstance(node, _SCOPES):
            waiting += getattr(node, 'decorator_list', [])
        elif not isinstance(node, _COMPREHENSIONS):
            waiting += ast.iter_child_nodes(node)


def parameters(function: Function) -> list[str]:
    """The names of all parameters."""
    args = function.args
    extra = [arg for arg in (args.vararg, args.kwarg) if arg is not None]
    return [arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs, *extra)]


def imported_names(trees: Sequence[ast.Module]) -> tuple[dict[str, str], set[str], set[str]]:
    """What names mean that are bound in one way only: the dotted names of imports, and functions and classes.

    Returns:
        Imports by name, names of functions and classes, and all names that are bound anywhere.
    """
    imports, defined, other = dict[str, str](), set[str](), set[str]()
    for tree in trees:
        for node in ast.walk(tree):
            match node:
                case ast.Import(names=names):
                    for one in names:
                        _note(imports, other, one.asname or one.name.partition('.')[0], one.name)
                case ast.ImportFrom(module=module, names=names):
                    for one in names:
                        _note(imports, other, one.asname or one.name, f'{module}.{one.name}')
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                    (other if name in defined else defined).add(name)
                case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                    other.add(name)
                case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                    other.add(name)
                case ast.MatchMapping(rest=str(name)):
                    other.add(name)
                case _:
                    pass
    everything = {*imports, *defined, *other}
    only = {name: dotted for name, dotted in imports.items() if name not in defined and name not in other}
    return only, defined - other - imports.keys(), everything


def _note(imports: dict[str, str], other: set[str], name: str, dotted: str) -> None:
    if imports.setdefault(name, dotted) != dotted:
        other.add(name)
