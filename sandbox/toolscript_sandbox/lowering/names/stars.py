"""`from math import *`, written with the names that the snippet uses, before anything else reads its imports."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator

from toolscript_sandbox.lowering.guest_modules import GUESTS
from toolscript_sandbox.lowering.monty_features import MODULES
from toolscript_sandbox.text.names import names_of
from toolscript_sandbox.text.scopes import scopes_of
from toolscript_sandbox.text.source import Edit, Source
from toolscript_sandbox.text.syntax import all_of


def with_named_stars(source: Source) -> Source:
    """The text without stars."""
    stars = [node for node in all_of(source.tree, ast.ImportFrom) if _is_star(node)]
    return source.edited(_edits(stars, source)) if stars else source


def _is_star(node: ast.ImportFrom) -> bool:
    known = node.module in MODULES or node.module in GUESTS
    return known and not node.level and [alias.name for alias in node.names] == ['*']


def _edits(stars: list[ast.ImportFrom], source: Source) -> Iterator[Edit]:
    wanted = names_of(source.tree).used - scopes_of(source.tree).module.bound.keys()
    # Of two modules with a name, the later one gives it; what `typing` calls as others do makes what theirs makes.
    for node in sorted(stars, key=lambda node: (node.module == 'typing', -node.lineno)):
        names = sorted(wanted & _public(node.module or ''))
        wanted -= set(names)
        yield source.replace(node, f'from {node.module} import {", ".join(names)}' if names else 'pass')


def _public(module: str) -> set[str]:
    known = importlib.import_module(module)
    return set(getattr(known, '__all__', None) or (name for name in dir(known) if not name.startswith('_')))
