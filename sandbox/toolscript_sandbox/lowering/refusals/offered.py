"""Which names of the modules are offered; all others are refused, however a snippet comes to them.

Monty's own modules have what `monty_features.NATIVE` lists, guest modules what their file defines. An unlisted name
would fail while the snippet runs, or, where Monty has it and means something else by it, not at all.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from functools import cache

from toolscript_sandbox.lowering.guest_modules import GUESTS, guest
from toolscript_sandbox.lowering.monty_features import INSTEAD, INSTEAD_WITH_FILES, MODULES, NATIVE, OF_FILES, WRITTEN
from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.text.refusals import Refusal, refusal
from toolscript_sandbox.text.syntax import all_of, walk

from .suggestions import asked, closest


def offered(module: str) -> frozenset[str] | None:
    """The names of a module; None where there is no such module, or where it has rules of its own."""
    if module in _OF_ITS_OWN or (module not in GUESTS and module not in MODULES):
        return None
    return _own(module) | NATIVE.get(module, frozenset()) | WRITTEN.get(module, frozenset())


@cache
def _own(module: str) -> frozenset[str]:
    version = guest(module)
    # A guest module also defines what only rules use; a snippet finds no more than Python's own module has.
    return frozenset() if version is None else version.names & frozenset(dir(importlib.import_module(module)))


def unoffered(tree: ast.Module, scene: Scene) -> list[Refusal]:
    """What the snippet takes from modules that do not offer it."""
    if not scene.has_modules:
        return []
    tries = all_of(tree, ast.Try)
    ready = {part for node in tries if _is_ready(node) for body in node.body for part in walk(body)}
    nodes = (*all_of(tree, ast.ImportFrom), *all_of(tree, ast.Attribute))
    return [found for node in nodes if node not in ready for found in _of_node(node, scene)]


def about_unoffered(module: str, name: str, *, has_files: bool = False) -> str:
    """What to say of a name that a module does not offer."""
    said = f'There is no {module}.{name} here.'
    instead = (INSTEAD_WITH_FILES if has_files else INSTEAD).get(f'{module}.{name}')
    if instead:
        return f'{said} {instead}'
    of_files = (whole.rpartition('.') for whole in OF_FILES if has_files)
    names = sorted({*(offered(module) or ()), *(name for home, _, name in of_files if home == module)})
    close = closest(name, names)
    if close:
        return f'{said}{asked(close)}'
    return f'{said} {module} has: {", ".join(names[:_NAMES])}{", ..." if len(names) > _NAMES else "."}'


def _of_node(node: ast.AST, scene: Scene) -> Iterator[Refusal]:
    if isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
        if node.module in _ONLY_KNOWN:
            yield refusal(node, f'There is no module {node.module} here.')
        home = 'typing' if node.module == 'typing_extensions' else node.module
        for alias in node.names:
            if _lacks(home, alias.name, scene) and scene.functions.get(alias.name) is None:
                yield refusal(alias, about_unoffered(home, alias.name, has_files=scene.has_files))
    if isinstance(node, ast.Attribute) and scene.module(node) is None:
        module = scene.module(node.value)
        if module is not None and _lacks(module, node.attr, scene):
            yield refusal(node, about_unoffered(module, node.attr, has_files=scene.has_files))


def _lacks(module: str, name: str, scene: Scene) -> bool:
    if scene.has_files and f'{module}.{name}' in OF_FILES:
        return False
    names = offered(module)
    return names is not None and name != '*' and name not in names and f'{module}.{name}' not in MODULES


def _is_ready(node: ast.Try) -> bool:
    """Whether the script asks what there is: `try: from math import sumprod`, `except ImportError`."""
    kinds = [handler.type for handler in node.handlers]
    named = {part.id for kind in kinds if kind is not None for part in ast.walk(kind) if isinstance(part, ast.Name)}
    return None in kinds or bool(named & _READY)


_READY = frozenset(['ImportError', 'ModuleNotFoundError', 'AttributeError', 'Exception'])
_OF_ITS_OWN = frozenset(['concurrent.futures'])
"""Rules of their own say what they lack."""
_ONLY_KNOWN = frozenset(['builtins', 'genericpath'])
"""Modules that the checker lets through, and nobody has."""
_NAMES = 40
