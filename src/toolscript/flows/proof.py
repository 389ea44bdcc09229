"""Calls that a script makes in any case, with arguments that certainly contain results of other calls."""

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .library import SCALAR_METHODS


@dataclass(frozen=True)
class CertainCall:
    """A call of a tool in a top-level statement."""

    function: str
    line: int
    arguments: Mapping[str, frozenset[str]]
    """By name, the texts of the calls whose results it certainly contains. Positional arguments are left to the run."""


def certain_calls(code: str, is_tool: Callable[[str], bool]) -> list[CertainCall]:
    """Return the calls that a script certainly makes unless an earlier one fails."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    reader = _Reader(is_tool)
    for statement in tree.body:
        reader.statement(statement)
        if isinstance(statement, ast.Return | ast.Raise):
            break
    return reader.calls


class _Reader:
    def __init__(self, is_tool: Callable[[str], bool]) -> None:
        self.calls = list[CertainCall]()
        self._is_tool = is_tool
        self._variables = dict[str, frozenset[str]]()
        self._own = set[str]()

    def statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found = self.value(value)
                self._forget(statement)
                self._variables[name] = found
            case ast.Expr(value=value) | ast.Return(value=ast.expr() as value):
                self.value(value)
                self._forget(statement)
            case _:
                self._forget(statement)

    def value(self, node: ast.expr) -> frozenset[str]:
        """Return the calls whose results are certainly in the value."""
        match node:
            case ast.Name(id=name):
                return self._variables.get(name, frozenset())
            case ast.Await(value=inner) | ast.Attribute(value=inner) | ast.FormattedValue(value=inner):
                return self.value(inner)
            case ast.Subscript(value=inner):
                return self.value(inner)
            case ast.JoinedStr(values=parts):
                return frozenset[str]().union(*map(self.value, parts))
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self.value(left) | self.value(right)
            case ast.Call(func=ast.Attribute(value=inner, attr=name), args=[]) if name in SCALAR_METHODS:
                return self.value(inner)
            case ast.Call(func=ast.Name(id=name)) if name not in self._own and self._is_tool(name):
                named = {word.arg: self.value(word.value) for word in node.keywords if word.arg is not None}
                self.calls.append(CertainCall(name, node.lineno, named))
                return frozenset([ast.unparse(node)])
            case _:
                return frozenset()

    def _forget(self, statement: ast.stmt) -> None:
        """Forget the variables that a statement binds, and those whose values it may change."""
        for node in ast.walk(statement):
            match node:
                case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                    self._variables.pop(name, None)
                    self._own.add(name)
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                    self._variables.pop(name, None)
                    self._own.add(name)
                case ast.alias(name=name, asname=alias):
                    self._own.add(alias or name)
                case _:
                    pass
