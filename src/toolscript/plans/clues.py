"""Clues about missing results in the text of a script: the keys it uses, and the constants it compares with.

Wrong guesses affect only the number of questions, so this ignores scopes and control flow.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

Keys: TypeAlias = 'dict[str, Keys]'
"""The keys of an object, each with the keys of its value."""


@dataclass(frozen=True)
class Clues:
    """Clues in a script about results."""

    keys: Mapping[str, Keys] = field(default_factory=dict[str, 'Keys'])
    """The keys that it uses in the results of a function, by the function's Python name."""
    literals: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The constant that the script compares a key's value with, by key."""
    numbers: frozenset[str] = frozenset()
    """Keys whose values the script uses in calculations."""


@lru_cache(maxsize=64)
def clues_of(code: str) -> Clues:
    """Return the clues in a script; none if it is not valid Python."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return Clues()
    nodes = list(ast.walk(tree))
    origins = _origins(nodes)
    keys = defaultdict[str, Keys](dict)
    literals, numbers = dict[str, Any](), set[str]()
    for node in nodes:
        base, path = _chain(node)
        if path:
            for function in _functions_in(base, origins):
                level = keys[function]
                for key in path:
                    level = level.setdefault(key, {})
        if isinstance(node, ast.Compare):
            _compared(node, literals, numbers)
        elif isinstance(node, ast.BinOp | ast.AugAssign) and not isinstance(node.op, ast.Add | ast.Mod):
            sides = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.value,)
            numbers.update(path[-1] for side in sides if (path := _chain(side)[1]))
    return Clues(dict(keys), literals, frozenset(numbers))


def _compared(node: ast.Compare, literals: dict[str, Any], numbers: set[str]) -> None:
    for operator, other in zip(node.ops, node.comparators, strict=True):
        for side, against in ((node.left, other), (other, node.left)):
            path = _chain(side)[1]
            if not path:
                continue
            values = [one.value for one in _constants(against)]
            if isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
                numbers.update(path[-1:] if any(_is_number(value) for value in values) else [])
                continue
            good = [value for value in values if not (isinstance(value, str) and value.lower() in _FAILURES)]
            if good and good[0] is not None and isinstance(good[0], str | int | float):
                literals.setdefault(path[-1], good[0])


def _constants(node: ast.expr) -> list[ast.Constant]:
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return [part for part in parts if isinstance(part, ast.Constant)]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _chain(node: ast.AST) -> tuple[ast.AST, list[str]]:
    """Return the base of an expression, and the constant keys that are looked up in it, in order."""
    path = list[str]()
    while True:
        match node:
            case ast.Subscript(value=value, slice=ast.Constant(value=str(key))):
                path.append(key)
            case ast.Subscript(value=value, slice=ast.Constant(value=int())):
                pass
            case ast.Call(func=ast.Attribute(value=value, attr='get'), args=[ast.Constant(value=str(key)), *_]):
                path.append(key)
            case ast.Await(value=value):
                pass
            case _:
                return node, path[::-1]
        node = value


def _origins(nodes: list[ast.AST]) -> Mapping[str, set[str]]:
    """Return, for each name, the functions whose results it may hold, or return if it is a function itself."""
    origins = defaultdict[str, set[str]](set)
    functions = {node.name: node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    flows = list[tuple[str, ast.AST]]()
    for node in nodes:
        match node:
            case ast.Assign(targets=targets, value=value):
                flows += [(name, value) for target in targets for name in _names(target)]
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                flows += [(name, value) for name in _names(target)]
            case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
                flows += [(name, value) for name in _names(target)]
            case ast.comprehension(target=target, iter=value):
                flows += [(name, value) for name in _names(target)]
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr='append' | 'extend'), args=[value]):
                flows.append((name, value))
            case ast.Call(func=ast.Name(id=name), args=args) if name in functions:
                flows += [(one.arg, value) for one, value in zip(functions[name].args.args, args, strict=False)]
            case _:
                pass
    for name, function in functions.items():
        returned = [node.value for node in ast.walk(function) if isinstance(node, ast.Return) and node.value]
        flows += [(name, value) for value in returned]
    for _ in range(_ROUNDS):
        before = sum(map(len, origins.values()))
        for name, value in flows:
            origins[name] |= _functions_in(value, origins, own=functions.keys())
        if sum(map(len, origins.values())) == before:
            break
    return origins


def _functions_in(node: ast.AST, origins: Mapping[str, set[str]], own: Any = ()) -> set[str]:
    found = set[str]()
    for part in _parts(node):
        if isinstance(part, ast.Name):
            found |= origins.get(part.id, set())
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
            name = part.func.id
            found |= origins.get(name, set()) if name in own or name in origins else {name}
    return found


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the expression and its parts, except the arguments of other functions."""
    yield node
    match node:
        case ast.Call(func=ast.Name(id=name)) if name not in _PASSING:
            return
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _parts(child)


def _names(target: ast.AST) -> list[str]:
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]


_FAILURES = frozenset(['cancelled', 'denied', 'error', 'failed', 'failure', 'invalid', 'rejected', 'unknown'])
_PASSING = frozenset(['dict', 'enumerate', 'list', 'max', 'min', 'next', 'reversed', 'sorted', 'tuple', 'zip'])
_ROUNDS = 6
