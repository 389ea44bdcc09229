"""What scripts show before they are read: their imports, and which names, methods and calls they have."""

import ast
from collections.abc import Iterable, Iterator, Sequence

from . import library as known
from .names import imported_names


class Hidden(Exception):
    """The script uses something whose effect its text does not show."""


class Overview:
    """Facts about all scripts of a session.

    Raises:
        Hidden: A script uses a name of `HIDDEN_NAMES`.
    """

    def __init__(self, trees: Sequence[ast.Module]) -> None:
        nodes = [node for tree in trees for node in ast.walk(tree)]
        _refuse_hidden(nodes)
        self._imports, self.defined, self.bound = imported_names(trees)
        functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
        self.has_dunders = any(is_dunder(node.name) for node in functions)
        self.catches = any(isinstance(node, ast.ExceptHandler | ast.With | ast.AsyncWith) for node in nodes)
        """Whether scripts may go on after an exception."""
        self.decorated = {node.name for node in (*functions, *classes) if node.decorator_list}
        self.own_methods = _own_methods(classes)
        self.calls = {id(call): place for number, tree in enumerate(trees) for call, place in _calls(tree, number)}
        """By the identity of a call's node, the number of its script, and whether it is in a function."""

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


def _calls(tree: ast.Module, script: int) -> Iterator[tuple[ast.Call, tuple[int, bool]]]:
    """The calls of a script, with its number, and whether they are in a function."""
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, inside = waiting.pop()
        if isinstance(node, ast.Call):
            yield node, (script, inside)
        inside = inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        waiting += [(child, inside) for child in ast.iter_child_nodes(node)]


def _refuse_hidden(nodes: Iterable[ast.AST]) -> None:
    for node in nodes:
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name) | ast.FunctionDef(name=name):
                if name in known.HIDDEN_NAMES:
                    raise Hidden(name)
            case _:
                pass
