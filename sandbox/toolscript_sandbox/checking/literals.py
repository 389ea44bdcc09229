"""The literals of a script, and its variables that are only ever bound to one literal."""

import ast
from collections.abc import Collection, Container, Sequence
from functools import cached_property
from typing import NamedTuple

from toolscript_sandbox.language.scopes import bindings_of, loads_of
from toolscript_sandbox.language.syntax import index_of


class Literal(NamedTuple):
    """A JSON value."""

    value: str | int | float | bool | list[object] | dict[str, object] | None
    size: int
    """How many values it contains, including itself."""


class Literals:
    """The literals of one script. Each expression is evaluated once."""

    def __init__(self, tree: ast.Module, outer: Collection[str], copies: Container[str]) -> None:
        """`outer` are variables of earlier scripts, and `copies` functions that only read their arguments."""
        self._tree = tree
        self._outer = outer
        self._copies = copies
        self._found = dict[ast.expr, Literal | None]()
        self._variables = dict[str, Literal | None]()
        self._depth = 0

    def of(self, node: ast.expr) -> Literal | None:
        """Return the value of an expression; None if it is not a literal, or a huge one."""
        if node not in self._found:
            self._found[node] = None  # for expressions that refer to themselves
            self._depth += 1
            self._found[node] = self._read(node) if self._depth < _DEEPEST else None
            self._depth -= 1
        return self._found[node]

    def _read(self, node: ast.expr) -> Literal | None:
        match node:
            case ast.Constant(value=None | str() | int() | float() as value):
                # Python refuses to convert longer integers to decimal.
                return None if isinstance(value, int) and value.bit_length() > _BITS else Literal(value, 1)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                found = self.of(operand)
                number = None if found is None else found.value
                return Literal(-number, 1) if isinstance(number, (int, float)) else None
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                items = self._all(parts)
                return None if items is None else _bounded([item.value for item in items], items)
            case ast.Dict(keys=keys, values=parts):
                names, items = self._all(keys), self._all(parts)
                if names is None or items is None:
                    return None
                pairs = zip(names, items, strict=True)
                # All keys are strings in JSON.
                return _bounded({str(name.value): item.value for name, item in pairs}, items)
            case ast.Name(id=name) if name not in self._outer:
                if name not in self._variables:
                    self._variables[name] = None
                    self._variables[name] = self._of_variable(name)
                return self._variables[name]
            case _:
                return None

    def _all(self, nodes: Sequence[ast.expr | None]) -> list[Literal] | None:
        found = [literal for node in nodes if node is not None and (literal := self.of(node)) is not None]
        return found if len(found) == len(nodes) else None

    def _of_variable(self, name: str) -> Literal | None:
        bound = bindings_of(self._tree).get(name, [])
        parent = self._parents.get(bound[0]) if len(bound) == 1 else None
        match parent:
            case ast.Assign(targets=[ast.Name()], value=value) | ast.AnnAssign(value=ast.expr() as value):
                found = self.of(value)
                fixed = found is not None and not isinstance(found.value, (list, dict))
                return found if fixed or all(map(self._is_copied, loads_of(self._tree).get(name, []))) else None
            case _:
                return None

    def _is_copied(self, load: ast.expr) -> bool:
        """Return whether the code that reads a variable here cannot change its value."""
        node, parent = load, self._parents.get(load)
        while isinstance(parent, (ast.Dict, ast.List, ast.Tuple, ast.Set, ast.Starred, ast.keyword)):
            node, parent = parent, self._parents.get(parent)
        match parent:
            case ast.Call(func=ast.Name(id=name)):
                return parent.func is not node and name in self._copies
            case _:
                return isinstance(parent, (ast.FormattedValue, ast.Compare, ast.Expr))

    @cached_property
    def _parents(self) -> dict[ast.AST, ast.AST]:
        return index_of(self._tree).parents


def _bounded(value: list[object] | dict[str, object], parts: Collection[Literal]) -> Literal | None:
    size = 1 + sum(part.size for part in parts)
    return Literal(value, size) if size <= _LARGEST else None


_BITS = 10_000
_DEEPEST = 100
_LARGEST = 100_000
