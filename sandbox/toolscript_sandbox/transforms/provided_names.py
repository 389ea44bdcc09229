"""Names of builtins and modules that a polyfill provides.

An import keeps the names that Monty has; the others become assignments, and an import of a module that Monty lacks goes.
"""

from __future__ import annotations

import ast
from typing import cast

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.dialect import BUILTINS, MODULES, Names
from toolscript_sandbox.polyfills.linker import home

from .transform import Context, Transform
from .tree import Transformer, meaning, placed, quoted, quoted_expression


def _apply(tree: ast.Module, context: Context) -> ast.Module:
    return _Provided(context).below(tree)


def _needed(analysis: Analysis) -> bool:
    if ast.Import in analysis.kinds or ast.ImportFrom in analysis.kinds:
        return True
    return any(is_polyfilled(dotted) for dotted in analysis.meant)


def is_polyfilled(dotted: str) -> bool:
    """Whether a polyfill defines what the dotted name means."""
    module, _, name = dotted.rpartition('.')
    return _names(module).providers.get(name) in ('polyfill', 'host')


def _names(module: str) -> Names:
    return BUILTINS if module == 'builtins' else MODULES.get(module, _NONE)


_NONE = Names()


class _Provided(Transformer):
    def __init__(self, context: Context) -> None:
        self._functions = context.analysis.functions

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._provided(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        found = self._provided(node)
        return self.below(node) if found is node else found

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(args=[module, ast.Constant(value=str(name)), *default]) if meaning(module) in MODULES:
                offered = name in _names(cast('str', meaning(module))).providers
                if meaning(node.func) == 'builtins.hasattr':
                    return placed(ast.Constant(offered), node)
                if meaning(node.func) == 'builtins.getattr' and default and not offered:
                    return self.expression(default[0])
            case _:
                pass
        return self.below(node)

    def _provided(self, node: ast.Name | ast.Attribute) -> ast.expr:
        dotted = meaning(node)
        if dotted is None or not isinstance(node.ctx, ast.Load) or not is_polyfilled(dotted):
            return node
        module, _, name = dotted.rpartition('.')
        new = placed(ast.Name(home(module, name), ast.Load()), node)
        return new

    def visit_Import(self, node: ast.Import) -> ast.AST | list[ast.stmt]:
        kept = [alias for alias in node.names if alias.name not in MODULES or MODULES[alias.name].monty]
        if len(kept) == len(node.names):
            return node
        return placed(ast.Import(kept), node) if kept else quoted('pass', node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | list[ast.stmt]:
        module = 'typing' if node.module == 'typing_extensions' else node.module or ''
        if module == '__future__':
            return quoted('pass', node)
        providers = _names(module).providers
        kept, made = list[ast.alias](), list[ast.stmt]()
        for alias in node.names:
            if providers.get(alias.name) == 'monty' or f'{module}.{alias.name}' in MODULES:
                kept.append(alias)
            elif providers.get(alias.name) == 'transform':
                continue
            elif alias.name in providers:
                value = quoted_expression('NAME', node, NAME=home(module, alias.name))
                made += quoted('TARGET = VALUE', node, TARGET=alias.asname or alias.name, VALUE=value)
            elif self._functions.get(alias.name) is None:
                kept.append(alias)
        if len(kept) == len(node.names) and module == node.module:
            return node
        rest: list[ast.stmt] = [placed(ast.ImportFrom(module, kept, 0), node)] if kept else []
        return [*rest, *made] or quoted('pass', node)


PROVIDED_NAMES = Transform(
    'names of builtins and modules that Monty lacks',
    _apply,
    _needed,
    probe='import heapq\nheapq.heappush([], 1)',
)
