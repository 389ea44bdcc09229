"""The polyfills that a text needs, found by their names in it, and their code for a session.

A file of this folder is one polyfill. Its top-level names reach a session with a prefix (`heappush` of `heapq.py` as
`_heapq__heappush`), so that nothing a script binds can hide them. `from .errors import own` names a definition of another
polyfill. Builtins are used under names of their own too (`natives`), for a script may bind `max`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TypeVar

from toolscript_sandbox.language.names import names_of
from toolscript_sandbox.language.scopes import scopes_of
from toolscript_sandbox.language.syntax import all_of, module_of
from toolscript_sandbox.language.names import polyfill

_FunctionT = TypeVar('_FunctionT', ast.FunctionDef, ast.AsyncFunctionDef)
_FOLDER = files('toolscript_sandbox') / 'polyfills'
_PYTHON = frozenset(['__init__', 'linker'])
"""Files of the folder that run on the host."""
NATIVES = 'natives'
"""The polyfill that holds builtins under names of their own."""
_NATIVES = (
    'NotImplemented TimeoutError abs all any bin bool bytes chr complex dict divmod enumerate filter float format '
    'frozenset getattr hasattr hash hex id int isinstance iter len list map max min next object oct open ord pow print '
    'property range repr reversed round set setattr slice sorted str sum tuple type zip'
)
_NAME = re.compile(r'\b_([a-zA-Z][a-zA-Z0-9_]*?)__\w')


@dataclass(frozen=True)
class Polyfill:
    """One file of the folder."""

    name: str
    code: str
    """With prefixed names."""
    needs: tuple[str, ...]
    """Other polyfills that it uses, which are loaded before it."""


@cache
def names() -> frozenset[str]:
    """The names of all polyfills."""
    found = (file.name for file in _FOLDER.iterdir() if file.name.endswith('.py'))
    return frozenset(name.removesuffix('.py') for name in found) - _PYTHON


@cache
def home(module: str, name: str) -> str:
    """The name of a definition where it is made: a file that only passes it on is not loaded for it."""
    file = _FOLDER / f'{module.replace(".", "_")}.py'
    if file.is_file():
        for node in all_of(module_of(file.read_text()), ast.ImportFrom):
            if node.level and node.module and name in [alias.asname or alias.name for alias in node.names]:
                return home(node.module, name)
    return polyfill(module, name)


def needed_by(text: str) -> frozenset[str]:
    """The polyfills whose names stand in the text."""
    return frozenset(_NAME.findall(text)) & names()


def in_order(needed: Iterable[str]) -> tuple[str, ...]:
    """The polyfills and those that they use, in the order in which they are loaded."""
    found = dict[str, None]()
    waiting = [(name, False) for name in sorted(needed, reverse=True)]
    begun = set[str]()
    while waiting:
        name, is_ready = waiting.pop()
        if is_ready:
            found[name] = None
        elif name not in begun and name in names():
            begun.add(name)
            waiting += [(name, True), *((need, False) for need in reversed(read(name).needs))]
    return tuple(found)


@cache
def waits(name: str) -> bool:
    """Whether a polyfill, or one that it uses, asks the host for something."""
    return any('_host__(' in (code := read(one).code) or '_loop__(' in code for one in in_order([name]))


def code_of(loaded: Iterable[str]) -> str:
    """What gives a session these polyfills, which are in order."""
    return '\n'.join(read(name).code for name in loaded)


@cache
def read(name: str) -> Polyfill:
    """A polyfill, read from its file."""
    if name == NATIVES:
        return Polyfill(name, '\n'.join(f'{polyfill(NATIVES, one)} = {one}' for one in _NATIVES.split()), ())
    tree = module_of((_FOLDER / f'{name}.py').read_text())
    homes = {
        alias.asname or alias.name: (node.module, alias.name)
        for node in all_of(tree, ast.ImportFrom)
        if node.level and node.module
        for alias in node.names
    }
    prefixed = {own: polyfill(name, own) for own in names_of(tree).bound}
    prefixed |= {own: polyfill(home, real) for own, (home, real) in homes.items()}
    uses_builtins = _with_own_builtins(tree)
    code = ast.unparse(_Prefixed(prefixed).visit(tree))
    used = [home for own, (home, real) in homes.items() if polyfill(home, real) in code]
    needs = dict.fromkeys([*([NATIVES] if uses_builtins else []), *used])
    return Polyfill(name, code, tuple(needs))


def _with_own_builtins(tree: ast.Module) -> bool:
    """Give builtins their own names; whether there were any."""
    scopes, known, found = scopes_of(tree), native_names(), False
    for node in all_of(tree, ast.Name):
        if node.id in known and isinstance(node.ctx, ast.Load) and scopes.owner(node) is None:
            node.id, found = polyfill(NATIVES, node.id), True
    return found


@cache
def native_names() -> frozenset[str]:
    """The builtins that polyfills use under names of their own."""
    return frozenset(_NATIVES.split())


class _Prefixed(ast.NodeTransformer):
    """Renames the definitions of a file wherever it uses them, and leaves out what only readers need."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._names.get(node.id, node.id)
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        self.generic_visit(node)
        return ast.Pass() if isinstance(node.value, ast.Constant) else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        return self._function(node)

    def _function(self, node: _FunctionT) -> _FunctionT:
        # A parameter hides the definition of that name.
        node.name, names = self._names.get(node.name, node.name), self._names
        parameters = {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
        self._names = {name: own for name, own in names.items() if name not in parameters}
        self.generic_visit(node)
        self._names = names
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        # A method may have the name of a definition.
        node.name = self._names.get(node.name, node.name)
        methods = [part for part in node.body if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))]
        kept = [method.name for method in methods]
        self.generic_visit(node)
        for method, name in zip(methods, kept, strict=True):
            method.name = name
        return node

    def visit_Import(self, node: ast.Import) -> ast.Import:
        for alias in node.names:
            alias.asname = self._names[alias.asname or alias.name]
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt | None:
        if node.level or node.module in ('__future__', 'typing'):
            return None
        for alias in node.names:
            alias.asname = self._names[alias.asname or alias.name]
        return node
