"""Calls of host functions that forget to wait, where a type checker does not notice."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from toolscript_sandbox.text.scopes import scopes_of
from toolscript_sandbox.text.syntax import all_of, index_of

from .checker import Diagnostic

RULE = 'missing-await'


def unawaited(tree: ast.Module, is_awaited: Callable[[str], bool]) -> list[Diagnostic]:
    """Uses of what an async host function returned, where only its awaited result makes sense."""
    scene = _Uses(tree, is_awaited)
    return [_finding(call, name) for call, name in scene.misused()]


def _finding(call: ast.expr, name: str) -> Diagnostic:
    return Diagnostic(
        rule=RULE,
        message=f'`{name}` must be awaited: `await {name}(...)`, or `await asyncio.gather(...)` for several calls',
        line=call.lineno,
        column=call.col_offset,
        end_line=call.end_lineno or call.lineno,
        end_column=call.end_col_offset or call.col_offset + 1,
    )


@dataclass
class _Uses:
    tree: ast.Module
    is_awaited: Callable[[str], bool]

    def __post_init__(self) -> None:
        self._scopes = scopes_of(self.tree)
        self._parents: Mapping[ast.AST, ast.AST] = index_of(self.tree).parents
        self._stores = Counter(node.id for node in all_of(self.tree, ast.Name) if isinstance(node.ctx, ast.Store))
        self._reads = dict[str, list[ast.Name]]()
        for node in all_of(self.tree, ast.Name):
            if isinstance(node.ctx, ast.Load):
                self._reads.setdefault(node.id, []).append(node)

    def misused(self) -> Iterator[tuple[ast.expr, str]]:
        """Calls, and variables that hold what a call returned, in places that want a value."""
        for node in all_of(self.tree, ast.Call):
            if isinstance(node.func, ast.Name) and self._is_host(node.func):
                yield from self._of_call(node, node.func.id)

    def _is_host(self, name: ast.Name) -> bool:
        owner = self._scopes.owner(name)
        return (owner is None or owner.kind == 'module') and self.is_awaited(name.id)

    def _of_call(self, node: ast.Call, name: str) -> Iterator[tuple[ast.expr, str]]:
        if self._wants_value(node):
            yield node, name
        variable = self._variable(node)
        if variable is not None:
            uses = self._reads.get(variable, [])
            if uses and all(self._wants_value(use) for use in uses):
                yield node, name

    def _variable(self, node: ast.Call) -> str | None:
        match self._parents.get(node):
            case ast.Assign(targets=[ast.Name(id=name)]):
                return name if self._stores[name] == 1 else None
            case _:
                return None

    def _wants_value(self, node: ast.expr) -> bool:
        parent = self._parents.get(node)
        match parent:
            case ast.Compare() | ast.BinOp() | ast.UnaryOp() | ast.FormattedValue() | ast.AugAssign():
                return True
            case ast.Subscript(value=value) | ast.Attribute(value=value):
                return value is node
            case ast.For(iter=items) | ast.comprehension(iter=items):
                return items is node
            case ast.If(test=test) | ast.While(test=test):
                return test is node
            case ast.Call(func=func):
                return func is not node and _takes_values(func)
            case ast.ListComp(elt=elt) | ast.GeneratorExp(elt=elt) | ast.SetComp(elt=elt):
                outer = self._parents.get(parent)
                takes = isinstance(outer, ast.Call) and outer.func is not parent and _takes_elements(outer.func)
                return elt is node and takes
            case _:
                return False


def _takes_values(func: ast.expr) -> bool:
    match func:
        case ast.Name(id=name):
            return name in _VALUE_BUILTINS
        case ast.Attribute(value=ast.Name(id=module), attr=name):
            return f'{module}.{name}' in ('json.dumps', 'math.floor', 'math.ceil', 'math.sqrt', 'statistics.mean')
        case _:
            return False


def _takes_elements(func: ast.expr) -> bool:
    match func:
        case ast.Name(id=name):
            return name in ('sum', 'max', 'min', 'sorted', 'any', 'all', 'print', 'str')
        case ast.Attribute(attr='join') | ast.Attribute(value=ast.Name(id='json'), attr='dumps'):
            return True
        case _:
            return False


_WORDS = (
    'abs any all bool dict enumerate float frozenset int isinstance iter len list max min next print repr reversed '
    'round set sorted str sum tuple type zip'
)
_VALUE_BUILTINS = frozenset(_WORDS.split())
