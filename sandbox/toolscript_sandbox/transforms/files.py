"""Files, where the session has folders, and what Monty's paths lack.

What an object is, only the run knows: a call of a method asks a polyfill, which leaves objects of other classes alone.
"""

from __future__ import annotations

import ast

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.dialect import FILES, PATHS
from toolscript_sandbox.language.files import has_paths
from toolscript_sandbox.language.names import polyfill

from .transform import Context, Transform
from .tree import Transformer, meaning, quoted_expression


def _needed(analysis: Analysis) -> bool:
    if analysis.has_files and ('builtins.open' in analysis.meant or not analysis.words.isdisjoint(_OF_FILES)):
        return True
    return not analysis.words.isdisjoint(_OF_PATHS) and has_paths(analysis)


def _apply(tree: ast.Module, context: Context) -> ast.Module:
    return _Files(context.analysis).below(tree)


class _Files(Transformer):
    def __init__(self, analysis: Analysis) -> None:
        self._has_files = analysis.has_files
        self._has_paths = has_paths(analysis)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if self._has_files and meaning(node) == 'builtins.open':
            return quoted_expression(polyfill('files', 'open'), node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        node = self.below(node)
        func = node.func
        if not isinstance(func, ast.Attribute) or meaning(func) is not None:
            return node
        if self._has_files and func.attr in _METHODS:
            module = 'files'
        elif self._has_paths and func.attr in PATHS.providers:
            module = 'pathlib'
        else:
            return node
        function = polyfill(module, 'call')
        call = quoted_expression('F(X, NAME)', node, F=function, X=func.value, NAME=ast.Constant(func.attr))
        assert isinstance(call, ast.Call)
        call.args += node.args
        call.keywords += node.keywords
        return call

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        node = self.below(node)
        if not isinstance(node.ctx, ast.Load) or meaning(node) is not None:
            return node
        if self._has_files and node.attr in _OF_ERRORS:
            function = polyfill('files', 'error_part')
        elif self._has_paths and node.attr in _READ:
            function = polyfill('pathlib', 'read')
        else:
            return node
        return quoted_expression('F(X, NAME)', node, F=function, X=node.value, NAME=ast.Constant(node.attr))


_METHODS = frozenset(
    name
    for kind in ('pathlib.Path', 'open files')
    for name, provider in FILES[kind].providers.items()
    if provider == 'polyfill'
)
_READ = frozenset(['anchor', 'drive', 'parents', 'root'])
_OF_ERRORS = frozenset(['errno', 'strerror', 'filename'])
_OF_FILES = _METHODS | _OF_ERRORS
_OF_PATHS = PATHS.providers.keys() | _READ

FILES_AND_PATHS = Transform(
    'files, and members of paths',
    _apply,
    _needed,
    probe="from pathlib import Path\nlist(Path('a/b').parents)\nPath('a/b').relative_to('a')",
)
