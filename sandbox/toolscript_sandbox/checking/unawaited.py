"""Calls of host functions without `await`, in places where Python, and so a type checker, takes any object."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping

from toolscript_sandbox.language.scopes import scopes_of
from toolscript_sandbox.language.syntax import all_of, index_of

from .checker import Diagnostic

RULE = 'missing-await'


def unawaited(tree: ast.Module, is_awaited: Callable[[str], bool]) -> list[Diagnostic]:
    """Uses of what an async host function returned, where only its awaited result makes sense."""
    scopes, parents = scopes_of(tree), index_of(tree).parents
    stores, loads = Counter[str](), defaultdict[str, list[ast.Name]](list)
    for node in all_of(tree, ast.Name):
        if isinstance(node.ctx, ast.Store):
            stores[node.id] += 1
        elif isinstance(node.ctx, ast.Load):
            loads[node.id].append(node)
    found = list[Diagnostic]()
    for call in all_of(tree, ast.Call):
        if not isinstance(call.func, ast.Name) or not is_awaited(call.func.id):
            continue
        owner = scopes.owner(call.func)
        if owner is not None and owner.kind != 'module':
            continue
        uses: list[ast.expr] = [call]
        match parents.get(call):
            case ast.Assign(targets=[ast.Name(id=name)]) if stores[name] == 1:
                uses = [*loads[name]]
            case _:
                pass
        if uses and all(_wants_value(use, parents) for use in uses):
            found.append(_finding(call, call.func.id))
    return found


def _finding(call: ast.expr, name: str) -> Diagnostic:
    return Diagnostic(
        rule=RULE,
        message=f'`{name}` must be awaited: `await {name}(...)`, or `await asyncio.gather(...)` for several calls',
        line=call.lineno,
        column=call.col_offset,
        end_line=call.end_lineno or call.lineno,
        end_column=call.end_col_offset or call.col_offset + 1,
    )


def _wants_value(node: ast.expr, parents: Mapping[ast.AST, ast.AST]) -> bool:
    parent = parents.get(node)
    match parent:
        case ast.Compare() | ast.FormattedValue() | ast.If() | ast.While():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in _VALUE_BUILTINS
        case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name)):
            return f'{module}.{name}' in ('json.dumps', 'math.floor', 'math.ceil', 'math.sqrt', 'statistics.mean')
        case ast.ListComp(elt=element) | ast.GeneratorExp(elt=element) | ast.SetComp(elt=element) if element is node:
            return _takes_elements(parents.get(parent))
        case _:
            return False


def _takes_elements(call: ast.AST | None) -> bool:
    match call:
        case ast.Call(func=ast.Name(id=name)):
            return name in ('sum', 'max', 'min', 'sorted', 'any', 'all', 'print', 'str')
        case ast.Call(func=ast.Attribute(attr='join') | ast.Attribute(value=ast.Name(id='json'), attr='dumps')):
            return True
        case _:
            return False


_WORDS = (
    'abs any all bool dict enumerate float frozenset int isinstance iter len list max min next print repr reversed '
    'round set sorted str sum tuple type zip'
)
_VALUE_BUILTINS = frozenset(_WORDS.split())
