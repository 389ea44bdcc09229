"""`d[True] = 2` where `d` has 1: Python keeps the key that came first, Monty the later one.

Only where a snippet writes equal numbers of different types (`1`, `1.0`, `True`) beside each other, or as keys.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from toolscript_sandbox.text.syntax import all_of

from .additions import is_plain
from .guest_modules import guest
from .program import Program


def with_first_keys(program: Program) -> Program:
    """The snippet with its dicts asked for the keys that they have."""
    tree, source = program.tree, program.source
    if not any(map(_mixes, _neighbours(tree))):
        return program
    version = guest('builtins')
    assert version is not None
    stores = [node for node in all_of(tree, ast.Subscript) if isinstance(node.ctx, ast.Store) and _may_be_number(node)]
    edits = [
        edit
        for node in stores
        for edit in source.wrap(node.slice, f'{version.prefixed("first_key")}({source.segment(node.value)}, ', ')')
    ]
    if edits:
        program.scene.pieces.add('builtins')
    return program.edited(edits)


def _neighbours(tree: ast.Module) -> Iterator[Iterable[ast.expr | None]]:
    yield from (node.elts for kind in (ast.List, ast.Tuple, ast.Set) for node in all_of(tree, kind))
    keys: list[ast.expr | None] = [key for node in all_of(tree, ast.Dict) for key in node.keys]
    yield [*keys, *(node.slice for node in all_of(tree, ast.Subscript))]


def _mixes(parts: Iterable[ast.expr | None]) -> bool:
    kinds = dict[object, set[type]]()
    for part in parts:
        if isinstance(part, ast.Constant) and isinstance(part.value, (int, float)):
            kinds.setdefault(part.value, set()).add(type(part.value))
    return any(len(found) > 1 for found in kinds.values())


def _may_be_number(node: ast.Subscript) -> bool:
    if isinstance(node.slice, (ast.Slice, ast.Tuple, ast.JoinedStr)) or not is_plain(node.value):
        return False
    return not (isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str))
