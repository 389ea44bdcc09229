"""Modules and functions that Monty lacks, written in the Python that it runs.

The folder `guest` holds one file per module. Its definitions reach a session under prefixed names (`_heapq_heappush`),
so that nothing which a snippet binds can hide them, and nothing of them hides a function of the host.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TypeVar

from toolscript_sandbox.text.bindings import bound_by
from toolscript_sandbox.text.names import names_of
from toolscript_sandbox.text.syntax import module_of

Definition = TypeVar('Definition', ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Guest:
    """One file of the folder."""

    module: str
    code: str
    """With prefixed names."""
    names: frozenset[str]
    """What the module offers."""
    needs: frozenset[str] = frozenset()
    """Other guest modules that it uses."""

    def prefixed(self, name: str) -> str:
        """The name under which a session has it."""
        return _prefixed(self.module, name)


_FOLDER = files('toolscript_sandbox.lowering') / 'guest'
_PARTS = frozenset(
    ['builtins', 'coroutines', 'errors', 'generators', 'iterators', 'members', 'methods', 'rounding', 'sets']
)
"""Files that only rules use."""
_DOTTED = {
    'collections_abc': 'collections.abc',
    'concurrent_futures': 'concurrent.futures',
    'urllib_parse': 'urllib.parse',
}
_FILES = frozenset(file.name.removesuffix('.py') for file in _FOLDER.iterdir() if file.name.endswith('.py'))
HOSTED = frozenset(['textwrap'])
"""Modules whose source on the host is lowered instead, by `host_modules`."""
GUESTS = HOSTED | frozenset(_DOTTED.get(name, name) for name in _FILES - _PARTS)
"""Modules of Python of which there is a guest's version."""


@cache
def guest(module: str) -> Guest | None:
    """The guest's version of a module, or of the part of it that Monty lacks."""
    name = module.replace('.', '_')
    if module in HOSTED:
        # A source is lowered with the help of other guest modules, so the two know each other.
        from .host_modules import hosted

        source = hosted(module)
        return _guest(module, source.code, source.pieces)
    return _guest(module, (_FOLDER / f'{name}.py').read_text()) if name in _FILES else None


def with_needs(pieces: Iterable[str]) -> frozenset[str]:
    """The guest modules, and those that they use."""
    versions = [version for piece in pieces if (version := guest(piece)) is not None]
    return frozenset(pieces).union(*(version.needs for version in versions))


def _guest(module: str, text: str, needs: frozenset[str] = frozenset()) -> Guest:
    tree = module_of(text)
    own = names_of(tree).bound
    imported = {name for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom)) for name in bound_by(node)}
    code = ast.unparse(_Prefix(module, own).visit(tree))
    names = frozenset(name for name in own - imported if not name.startswith('_'))
    return Guest(module, code, names, needs)


def offers(module: str, name: str) -> bool:
    """Whether the guest's version of the module has the name."""
    version = guest(module)
    return version is not None and name in version.names


_DATA = frozenset(['html.entities'])


def _prefixed(module: str, name: str) -> str:
    return f'_{module.replace(".", "_")}_{name}'


class _Prefix(ast.NodeTransformer):
    """Renames the definitions of a file, wherever they are used in it."""

    def __init__(self, module: str, own: frozenset[str]) -> None:
        self._module = module
        self._own = own

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._renamed(node.id)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        node.returns = None
        return self._function(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        methods = [part for part in node.body if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))]
        names = [method.name for method in methods]
        node = self._definition(node)
        for method, name in zip(methods, names, strict=True):
            method.name = name
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        self.generic_visit(node)
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.fix_missing_locations(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Name(id=value)) if target == value:
                # `TimeoutError = TimeoutError` offers a builtin under the module's name.
                node.targets = [ast.Name(self._renamed(target), ast.Store())]
            case _:
                self.generic_visit(node)
        return ast.fix_missing_locations(node)

    def visit_Import(self, node: ast.Import) -> ast.Import:
        for alias in node.names:
            alias.asname = self._renamed(alias.asname or alias.name)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt | None:
        if node.module in ('__future__', 'collections.abc', 'typing'):
            return None
        if node.module in _DATA:
            # Tables of the host's library become part of the text.
            value = module_of(repr(getattr(importlib.import_module(node.module), node.names[0].name))).body[0]
            assert isinstance(value, ast.Expr)
            target = ast.Name(self._renamed(node.names[0].name), ast.Store())
            return ast.fix_missing_locations(ast.copy_location(ast.Assign([target], value.value), node))
        for alias in node.names:
            alias.asname = self._renamed(alias.asname or alias.name)
        return node

    def _function(self, node: Definition) -> Definition:
        # A parameter hides the definition of that name.
        parameters = {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
        node.name = self._renamed(node.name)
        own, self._own = self._own, self._own - parameters
        self.generic_visit(node)
        self._own = own
        return node

    def _definition(self, node: Definition) -> Definition:
        node.name = self._renamed(node.name)
        self.generic_visit(node)
        return node

    def _renamed(self, name: str) -> str:
        return _prefixed(self._module, name) if name in self._own else name
