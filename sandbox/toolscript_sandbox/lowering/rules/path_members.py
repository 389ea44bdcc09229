"""Rules for members of paths that Monty's lack (`path.relative_to(base)`, `path.parents`)."""

from __future__ import annotations

import ast

from toolscript_sandbox.lowering.parts import arguments, as_method, piece
from toolscript_sandbox.lowering.rewriter import Rewriter, named


def _read(node: ast.Attribute, r: Rewriter) -> str | None:
    """`path.parents` and its kin, where the snippet has paths."""
    if not isinstance(node.ctx, ast.Load):
        return None
    if not _has_paths(r) or r.scene.module(node.value) is not None:
        return None
    parent = r.parent(node)
    is_called = isinstance(parent, ast.Call) and parent.func is node
    return None if is_called else f'{piece(r, "paths", node.attr)}({r.text(node.value)})'


def _called(node: ast.Call, r: Rewriter) -> str | None:
    func = node.func
    if not isinstance(func, ast.Attribute) or not _has_paths(r):
        return None
    if r.scene.module(func.value) is not None:
        return None
    return as_method(r, func, piece(r, 'paths', func.attr), arguments(node, r))


def _has_paths(r: Rewriter) -> bool:
    return bool(r.once('paths', lambda: _paths(r)))


def _paths(r: Rewriter) -> list[str]:
    scene = r.scene
    words = {*scene.scopes.imported, *scene.members, *scene.modules, *scene.modules.values(), *scene.known}
    return sorted(words & {'Path', 'PurePath', 'PurePosixPath', 'PosixPath', 'pathlib'})


_READ = frozenset(['anchor', 'drive', 'parents', 'root'])
_CALLED = frozenset(['as_uri', 'is_relative_to', 'match', 'relative_to', 'with_stem'])
CALLS_OF_PATHS = (named(_called, *_CALLED),)
PARTS_OF_PATHS = (named(_read, *_READ),)
