"""What scripts show before they are read: their imports, and which names, methods and calls they have."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from toolscript.guards import is_array

from . import library as known
from .names import captured

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_Nodes = defaultdict[type[ast.AST], list[Any]]


class Hidden(Exception):
    """The script uses something whose effect its text does not show."""


class Overview:
    """Facts about all scripts of a session.

    Raises:
        Hidden: A script uses a name of `HIDDEN_NAMES`.
    """

    def __init__(self, trees: Sequence[ast.Module]) -> None:
        self.calls = dict[int, tuple[int, bool]]()
        """By the identity of a call's node, the number of its script, and whether it is in a function."""
        self.bound_in_expressions = defaultdict[int, set[str]](set)
        """By the identity of a module, function or class, the names that `:=` binds there."""
        nodes = _Nodes(list)
        for number, tree in enumerate(trees):
            self._walk(tree, number, nodes)
        functions: list[ast.FunctionDef] = nodes[ast.FunctionDef] + nodes[ast.AsyncFunctionDef]
        classes: list[ast.ClassDef] = nodes[ast.ClassDef]
        names: list[ast.Name] = nodes[ast.Name]
        named = {*(node.id for node in names), *(node.attr for node in nodes[ast.Attribute])}
        hidden = named.union(node.name for node in (*functions, *nodes[ast.alias])) & known.HIDDEN_NAMES
        if hidden:
            raise Hidden(min(hidden))
        self.has_dunders = any(is_dunder(node.name) for node in functions)
        self.catches = bool(nodes[ast.ExceptHandler] or nodes[ast.With] or nodes[ast.AsyncWith])
        """Whether scripts may go on after an exception."""
        self.decorated = {node.name for node in (*functions, *classes) if node.decorator_list}
        self.own_methods = _own_methods(classes)
        stored = {node.attr for node in nodes[ast.Attribute] if not isinstance(node.ctx, ast.Load)}
        declared = {name for node in nodes[ast.Global] + nodes[ast.Nonlocal] for name in node.names}
        self.bound_elsewhere = declared.union(*self.bound_in_expressions.values())
        """Names that something beside the statements of their own scope may bind."""
        other = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
        other |= {node.arg for node in nodes[ast.arg]}.union(
            *map(captured, nodes[ast.ExceptHandler] + nodes[ast.match_case])
        )
        self.plain_methods = self.own_methods - stored - other - self.decorated
        """Methods of the script's classes with names that nothing else has: through an instance, they are bound."""
        self._imports = _imports(nodes, other)
        self.defined = _once(node.name for node in (*functions, *classes)) - other - self._imports.keys()
        """The names of functions and classes that nothing else has."""
        self.bound = {*other, *self._imports, *(node.name for node in (*functions, *classes))}
        """All names that scripts bind anywhere."""
        for name in other.union(node.name for node in (*functions, *classes)):
            self._imports.pop(name, None)

    def _walk(self, tree: ast.Module, number: int, nodes: _Nodes) -> None:
        waiting: list[tuple[ast.AST, ast.AST, bool]] = [(tree, tree, False)]
        while waiting:
            node, owner, is_inside = waiting.pop()
            nodes[type(node)].append(node)
            if isinstance(node, ast.Call):
                self.calls[id(node)] = number, is_inside
            elif isinstance(node, ast.NamedExpr):
                self.bound_in_expressions[id(owner)].add(node.target.id)
            elif isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
                owner, is_inside = node, is_inside or isinstance(node, _FUNCTIONS)
            for name in node._fields:
                value = getattr(node, name, None)
                parts = value if is_array(value) else [value]
                waiting += [
                    (child, owner, is_inside) for child in parts if isinstance(child, ast.AST) and name != 'ctx'
                ]

    def dotted(self, node: ast.expr) -> str:
        """The name of what an import gave, with its module; empty where it may be something else."""
        match node:
            case ast.Name(id=name):
                return self._imports.get(name, '')
            case ast.Attribute(value=base, attr=name):
                dotted = self.dotted(base)
                return f'{dotted}.{name}' if dotted else ''
            case _:
                return ''


def is_dunder(name: str) -> bool:
    return name.startswith('__') and name.endswith('__') and name not in ('__init__', '__post_init__')


def _own_methods(classes: Sequence[ast.ClassDef]) -> frozenset[str]:
    """The names of methods of classes; none where a class may have got methods of a class that is not the script's."""
    names = {one.name for one in classes}
    if any(not isinstance(base, ast.Name) or base.id not in names for one in classes for base in one.bases):
        return frozenset()
    bodies = [node for one in classes for node in one.body]
    return frozenset(node.name for node in bodies if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def _once(names: Iterable[str]) -> set[str]:
    found = list(names)
    return {name for name in found if found.count(name) == 1}


def _imports(nodes: _Nodes, other: set[str]) -> dict[str, str]:
    """The dotted names of imports by the names that they bind; one that means several things is one of the others."""
    imports = dict[str, str]()
    pairs = [(one.asname or one.name.partition('.')[0], one.name) for node in nodes[ast.Import] for one in node.names]
    for node in nodes[ast.ImportFrom]:
        pairs += [(one.asname or one.name, f'{node.module}.{one.name}') for one in node.names]
    for name, dotted in pairs:
        if imports.setdefault(name, dotted) != dotted:
            other.add(name)
    return imports
