"""Facts about scripts that are collected before the analysis: their imports, names, methods and calls."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from toolscript_sandbox.language.analysis import imported_by
from toolscript_sandbox.language.names import annotations_of
from toolscript_sandbox.language.syntax import index_of, walk

from . import library as known

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_OWNERS = (*_FUNCTIONS, ast.ClassDef, ast.Module)
_BORDERS = frozenset([*_OWNERS, ast.comprehension])
"""The nodes that hide the names bound in them from the nodes around them."""
_SPECIAL = re.compile(r'(?:^|(?<=\.))__[a-z]\w*__(?=[.[}!:]|$)')
_Names: TypeAlias = defaultdict[ast.AST, set[str]]


class Hidden(Exception):
    """The script uses something whose effect is not visible in its text."""


class Overview:
    """Facts about all scripts of a session.

    Raises:
        Hidden: A script uses something that cannot be analysed.
    """

    def __init__(self, trees: Sequence[ast.Module]) -> None:
        self._trees, self._indexes = trees, [index_of(tree) for tree in trees]
        self._parents = _merged([index.parents for index in self._indexes])
        self._below = _merged([index.below for index in self._indexes])
        functions = self._all(ast.FunctionDef, ast.AsyncFunctionDef)
        classes: list[ast.ClassDef] = self._all(ast.ClassDef)
        definitions = [*functions, *classes]
        self._stored = {node.attr for node in self._all(ast.Attribute) if not isinstance(node.ctx, ast.Load)}
        named = self._named(functions)
        self._refuse_hidden(named, classes)
        self.has_partials = not named.isdisjoint(['partial', 'partialmethod', 'methodcaller'])
        """Whether scripts may put arguments before those of a call."""
        yields = self._all(ast.Yield, ast.YieldFrom)
        self.generators = {one for node in yields for one in self._around(node) if isinstance(one, _FUNCTIONS)}
        """The functions that have a `yield`, or are around one that has."""
        self.catches = bool(self._all(ast.ExceptHandler, ast.With, ast.AsyncWith))
        """Whether scripts may continue after an exception."""
        self.binds, self.binds_in_expressions = _Names(set), _Names(set)
        """By node, the names that it or something in it binds, but not inside functions, classes and comprehensions; by
        function, class or module, the names that `:=` binds there."""
        self.globals, self.nonlocals = _Names(set), _Names(set)
        """By function, class or module, the names that it declares."""
        assigned = [(node.id, node) for node in self._all(ast.Name) if not isinstance(node.ctx, ast.Load)]
        assigned += [(node.name, node) for node in self._all(ast.ExceptHandler, ast.MatchAs, ast.MatchStar)]
        assigned += [(node.rest, node) for node in self._all(ast.MatchMapping)]
        for name, node in (*assigned, *((node.name, node) for node in definitions)):
            if name:
                self._bind(name, node)
        imports: defaultdict[str, set[str]] = defaultdict(set)
        for node in self._all(ast.Import, ast.ImportFrom):
            for name, dotted in imported_by(node):
                self._bind(name, node)
                imports[name].add(dotted)
        for node in self._all(ast.Global):
            self.globals[self._owner(node)].update(node.names)
            self.binds[trees[0]].update(node.names)
        for node in self._all(ast.Nonlocal):
            self.nonlocals[self._owner(node)].update(node.names)
        apart = (self.globals, self.nonlocals, self.binds_in_expressions)
        self.bound_elsewhere = {name for by in apart for names in by.values() for name in names}
        """Names that may be bound by something other than the statements of their own scope."""
        variables = {name for name, _ in assigned if name} | {node.arg for node in self._all(ast.arg)}
        self.own_methods = _own_methods(classes)
        """Names of methods of the script's classes, unless the classes inherit methods from others."""
        decorated = {node.name for node in definitions if node.decorator_list}
        self.plain_methods = self.own_methods - self._stored - variables - decorated
        """The own methods whose names nothing else uses: accessed through an instance, they are bound."""
        variables.update(node.name for node in definitions)
        self.bound = variables | imports.keys()
        """All names that scripts bind anywhere."""
        self._own_names = self._stored | self.bound if classes else self._stored
        self._imports = {
            name: min(dotted) for name, dotted in imports.items() if name not in variables and len(dotted) == 1
        }
        modules = {dotted.partition('.')[0] for names in imports.values() for dotted in names}
        self._has_unknown_types = not (named.isdisjoint(known.TYPE_MAKERS) and modules <= known.KNOWN_MODULES)

    def _all(self, *kinds: type[ast.AST]) -> list[Any]:
        return [node for index in self._indexes for kind in kinds for node in index.kinds.get(kind, ())]

    def _around(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield what is around a node, from the inside out."""
        while node in self._parents:
            node = self._parents[node]
            yield node

    def _owner(self, node: ast.AST) -> ast.AST:
        return next(one for one in self._around(node) if isinstance(one, _OWNERS))

    def _bind(self, name: str, node: ast.AST) -> None:
        around = self._parents[node]
        if isinstance(around, ast.NamedExpr):
            self.binds_in_expressions[self._owner(node)].add(name)
            return
        self.binds[around].add(name)
        while type(around) not in _BORDERS:
            around = self._parents[around]
            self.binds[around].add(name)

    def _named(self, functions: Sequence[ast.FunctionDef]) -> set[str]:
        """Return the names by which scripts may refer to something."""
        named = {node.name for node in (*functions, *self._all(ast.alias))}
        named.update(*(index.words for index in self._indexes))
        for node in self._all(ast.Constant):
            # `attrgetter` and format strings take names as strings.
            if isinstance(node.value, str) and '__' in node.value:
                named.update(_SPECIAL.findall(node.value))
        return named

    def _refuse_hidden(self, named: set[str], classes: Sequence[ast.ClassDef]) -> None:
        hidden = [name for name in named if '__' in name or name in known.HIDDEN_NAMES if is_hidden(name)]
        hidden += [name for index in self._indexes for name in known.HIDDEN_BUILTINS & index.names]
        hidden += [f'another {name}' for name in self._stored & {'stdin', 'stdout', 'stderr'}]
        if any(word.arg == 'metaclass' for node in classes for word in node.keywords):
            hidden.append('metaclass')
        parts = [part for tree in self._trees for one in annotations_of(tree) for part in walk(one)]
        if any(isinstance(part, ast.Call | ast.NamedExpr) for part in parts):
            hidden.append('a call in an annotation')
        if hidden:
            raise Hidden(min(hidden))

    def may_define(self, method: str) -> bool:
        """Return whether scripts may have objects of their own with a function of this name."""
        return self._has_unknown_types or method in self._own_names

    def place(self, call: ast.Call) -> tuple[int, bool]:
        """Return the number of the script that a call is in, and whether it is in a function."""
        around = list(self._around(call))
        return self._trees.index(around[-1]), any(isinstance(one, _FUNCTIONS) for one in around)

    def size(self, function: ast.AST) -> int:
        """Return the number of syntax nodes of a function."""
        nodes = [function]
        for node in nodes:
            nodes += self._below.get(node, ())
        return len(nodes)

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


def _merged(parts: Sequence[dict[ast.AST, Any]]) -> dict[ast.AST, Any]:
    return parts[0] if len(parts) == 1 else {key: value for part in parts for key, value in part.items()}


def is_hidden(name: str) -> bool:
    """Return whether scripts that use this name cannot be analysed."""
    is_special = name[:2] == '__' == name[-2:] and name not in known.SPECIAL_NAMES
    return is_special or name in known.HIDDEN_NAMES


def _own_methods(classes: Sequence[ast.ClassDef]) -> frozenset[str]:
    names = {one.name for one in classes}
    if any(not isinstance(base, ast.Name) or base.id not in names for one in classes for base in one.bases):
        return frozenset()
    bodies = [node for one in classes for node in one.body]
    return frozenset(node.name for node in bodies if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
