"""What a snippet imports, and what it forgot to import."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from toolscript_sandbox.contract.functions import Functions
from toolscript_sandbox.lowering.guest_modules import ASKED_OF_GUESTS, guest
from toolscript_sandbox.lowering.monty_features import HOMES, MODULES
from toolscript_sandbox.lowering.scene import Scene, imported_by
from toolscript_sandbox.text.names import names_of
from toolscript_sandbox.text.syntax import all_of, index_of


def scene_of(
    tree: ast.Module,
    functions: Functions,
    known: frozenset[str],
    defined: frozenset[str],
    modules: dict[str, str],
) -> Scene:
    """The scene of a snippet.

    Of the `known` names, `defined` are functions, classes and modules; `modules` are those that earlier snippets
    imported, by the names they gave them.
    """
    names = names_of(tree)
    phantom = {alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    names = replace(names, bound=names.bound - {name for name in phantom if functions.get(name) is not None})
    scene = Scene(functions, names, tree, known, defined, dict(modules))
    for node in sorted((*all_of(tree, ast.Import), *all_of(tree, ast.ImportFrom)), key=lambda node: node.lineno):
        if scene.scopes.around(node).kind == 'module':
            _read_import(node, scene)
    for name in sorted(names.used - names.bound - known - scene.modules.keys() - _variables(tree)):
        if functions.get(name) is None:
            _forgotten(name, tree, scene)
    return scene


def imported_modules(tree: ast.Module) -> frozenset[str]:
    """The modules that a snippet imports, or imports from, and, behind a dot, what it takes from them."""
    modules = {alias.name for node in all_of(tree, ast.Import) for alias in node.names}
    taken = {(node.module or '', alias.name) for node in all_of(tree, ast.ImportFrom) for alias in node.names}
    names = {f'{module}.{name}' for module, name in taken}
    if modules:
        attributes = index_of(tree).attributes
        names |= {name for name in ASKED_OF_GUESTS if name.partition('.')[2] in attributes}
    return frozenset([*modules, *(module for module, _ in taken), *names])


def _read_import(node: ast.AST, scene: Scene) -> None:
    for name, meaning in imported_by(node):
        if isinstance(meaning, str):
            scene.modules[name] = meaning


def _forgotten(name: str, tree: ast.Module, scene: Scene) -> None:
    if name in ('datetime', 'date', 'time'):
        _forgotten_clock(name, tree, scene)
    elif name in MODULES or (guest(name) is not None and name not in _NO_MODULES):
        if any(True for _ in _attributes(tree, name)):
            _import(f'import {name}', name in MODULES, scene)
            scene.modules[name] = name
    elif name in HOMES:
        _import(f'from {HOMES[name]} import {name}', True, scene)
        scene.members[name] = (HOMES[name], name)


def _forgotten_clock(name: str, tree: ast.Module, scene: Scene) -> None:
    attributes = set(_attributes(tree, name))
    modular = attributes & {'datetime', 'timedelta', 'timezone', 'date', 'time', 'sleep', 'perf_counter', 'monotonic'}
    if name == 'time' and not modular:
        return
    if modular and name != 'date':
        _import(f'import {name}', True, scene)
        scene.modules[name] = name
    else:
        _import(f'from datetime import {name}', True, scene)
        scene.members[name] = ('datetime', name)


def _import(statement: str, native: bool, scene: Scene) -> None:
    scene.note(f'Added `{statement}`.')
    if native:
        scene.imports.append(statement)


def _attributes(tree: ast.Module, name: str) -> Iterator[str]:
    for node in all_of(tree, ast.Attribute):
        if isinstance(node.value, ast.Name) and node.value.id == name:
            yield node.attr


def _variables(tree: ast.Module) -> set[str]:
    """Parameters, and the variables of every scope."""
    parameters = {node.arg for node in all_of(tree, ast.arg)}
    return parameters | {node.id for node in all_of(tree, ast.Name) if isinstance(node.ctx, ast.Store)}


_NO_MODULES = frozenset(['builtins', 'generators', 'iterators', 'methods'])
