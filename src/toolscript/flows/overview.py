"""Facts about scripts that are collected before the analysis: their imports, names, methods and calls."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from toolscript_sandbox.language.syntax import index_of

from . import library as known
from .names import captured

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SPECIAL = re.compile(r'(?:^|(?<=\.))__[a-z]\w*__(?=[.[}!:]|$)')
_Nodes = defaultdict[type[ast.AST], list[Any]]


class Hidden(Exception):
    """The script uses something whose effect is not visible in its text."""


class Overview:
    """Facts about all scripts of a session.

    Raises:
        Hidden: A script uses something that cannot be analysed.
    """

    def __init__(self, trees: Sequence[ast.Module]) -> None:
        self._trees = trees
        self._indexes = [index_of(tree) for tree in trees]
        nodes = _Nodes(list)
        for index in self._indexes:
            for kind, found in index.kinds.items():
                nodes[kind] += found
        self.bound_in_expressions = defaultdict[ast.AST, set[str]](set)
        """By module, function or class, the names that `:=` binds there."""
        for node in nodes[ast.NamedExpr]:
            owner = next(one for one in self._around(node) if isinstance(one, (*_FUNCTIONS, ast.ClassDef, ast.Module)))
            self.bound_in_expressions[owner].add(node.target.id)
        classes: list[ast.ClassDef] = nodes[ast.ClassDef]
        definitions: list[ast.FunctionDef] = nodes[ast.FunctionDef] + nodes[ast.AsyncFunctionDef] + classes
        self._stored = {node.attr for node in nodes[ast.Attribute] if not isinstance(node.ctx, ast.Load)}
        _refuse_hidden(nodes, self._stored)
        self.generators = {
            around
            for node in nodes[ast.Yield] + nodes[ast.YieldFrom]
            for around in self._around(node)
            if isinstance(around, _FUNCTIONS)
        }
        """The functions that have a `yield`, or are around one that has."""
        self.catches = bool(nodes[ast.ExceptHandler] or nodes[ast.With] or nodes[ast.AsyncWith])
        """Whether scripts may continue after an exception."""
        declared = {name for node in nodes[ast.Global] + nodes[ast.Nonlocal] for name in node.names}
        self.bound_elsewhere = declared.union(*self.bound_in_expressions.values())
        """Names that may be bound by something other than the statements of their own scope."""
        assigned = {node.id for node in nodes[ast.Name] if not isinstance(node.ctx, ast.Load)}
        assigned |= {node.arg for node in nodes[ast.arg]}
        assigned = assigned.union(*map(captured, nodes[ast.ExceptHandler] + nodes[ast.match_case]))
        self.own_methods = _own_methods(classes)
        """Names of methods of the script's classes, unless the classes inherit methods from others."""
        decorated = {node.name for node in definitions if node.decorator_list}
        self.plain_methods = self.own_methods - self._stored - assigned - decorated
        """The own methods whose names nothing else uses: accessed through an instance, they are bound."""
        imports = _imports(nodes)
        bound = assigned.union(node.name for node in definitions)
        self.bound = bound | imports.keys()
        """All names that scripts bind anywhere."""
        self._imports = {
            name: min(dotted) for name, dotted in imports.items() if name not in bound and len(dotted) == 1
        }

    def _around(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield what is around a node, from the inside out."""
        [parents] = [index.parents for index in self._indexes if node in index.parents]
        while node in parents:
            node = parents[node]
            yield node

    def place(self, call: ast.Call) -> tuple[int, bool]:
        """Return the number of the script that a call is in, and whether it is in a function."""
        around = list(self._around(call))
        return self._trees.index(around[-1]), any(isinstance(one, _FUNCTIONS) for one in around)

    def dotted(self, node: ast.expr) -> str:
        """Return the dotted name of a builtin or an imported object; empty if it may be something else."""
        match node:
            case ast.Name(id=name):
                return self._imports.get(name, name if name in known.BUILTINS and name not in self.bound else '')
            case ast.Attribute(value=base, attr=name) if name not in self._stored:
                dotted = self.dotted(base)
                return f'{dotted}.{name}' if dotted else ''
            case _:
                return ''


def is_hidden(name: str) -> bool:
    """Returns whether scripts that use this name cannot be analysed."""
    is_special = name.startswith('__') and name.endswith('__') and name not in known.SPECIAL_NAMES
    return is_special or name in known.HIDDEN_NAMES


def _refuse_hidden(nodes: _Nodes, stored: set[str]) -> None:
    named = {node.id for node in nodes[ast.Name]}.union(node.attr for node in nodes[ast.Attribute])
    for kind in (ast.FunctionDef, ast.AsyncFunctionDef, ast.alias):
        named.update(node.name for node in nodes[kind])
    for node in nodes[ast.Constant]:
        # `attrgetter` and format strings take names as strings.
        named.update(_SPECIAL.findall(node.value) if isinstance(node.value, str) else ())
    hidden = [name for name in named if is_hidden(name)]
    hidden += known.HIDDEN_BUILTINS & {node.id for node in nodes[ast.Name]}.union(
        node.name for node in nodes[ast.alias]
    )
    hidden += [f'another {name}' for name in stored & {'stdin', 'stdout', 'stderr'}]
    if any(word.arg == 'metaclass' for node in nodes[ast.ClassDef] for word in node.keywords):
        hidden.append('metaclass')
    annotations = [node.annotation for node in (*nodes[ast.arg], *nodes[ast.AnnAssign])]
    annotations += [node.returns for node in (*nodes[ast.FunctionDef], *nodes[ast.AsyncFunctionDef])]
    parts = [part for one in annotations if one is not None for part in ast.walk(one)]
    if any(isinstance(part, ast.Call | ast.NamedExpr) for part in parts):
        hidden.append('a call in an annotation')
    if hidden:
        raise Hidden(min(hidden))


def _own_methods(classes: Sequence[ast.ClassDef]) -> frozenset[str]:
    names = {one.name for one in classes}
    if any(not isinstance(base, ast.Name) or base.id not in names for one in classes for base in one.bases):
        return frozenset()
    bodies = [node for one in classes for node in one.body]
    return frozenset(node.name for node in bodies if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def _imports(nodes: _Nodes) -> dict[str, set[str]]:
    """Return the dotted names of what imports bind, by the name that is bound."""
    imports = defaultdict[str, set[str]](set)
    for one in (one for node in nodes[ast.Import] for one in node.names):
        top = one.name.partition('.')[0]
        imports[one.asname or top].add(one.name if one.asname else top)
    for node in nodes[ast.ImportFrom]:
        for one in node.names:
            imports[one.asname or one.name].add(f'{node.module}.{one.name}')
    return imports
