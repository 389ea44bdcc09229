"""Which expressions ask the host for files, and so have to wait for it."""

from __future__ import annotations

import ast

from .monty_features import OF_FILES
from .scene import Scene


def asks_for_files(node: ast.AST, scene: Scene) -> bool:
    """Whether a call asks the host for files, as far as its name tells."""
    if not scene.has_files or not isinstance(node, ast.Call):
        return False
    func = node.func
    if isinstance(func, ast.Attribute) and func.attr in _METHODS and scene.module(func.value) is None:
        return True
    return is_of_files(func, scene)


def is_of_files(function: ast.expr, scene: Scene) -> bool:
    """Whether a function does: `open`, or `os.path.getsize`."""
    if not scene.has_files:
        return False
    if isinstance(function, ast.Name) and function.id == 'open':
        return scene.is_free(function) and scene.called(function) is None
    module, name = scene.member(function) or ('', '')
    return f'{module}.{name}' in OF_FILES


_METHODS = frozenset(
    [
        *('exists', 'glob', 'is_dir', 'is_file', 'is_symlink', 'iterdir', 'mkdir', 'open', 'read_bytes', 'read_text'),
        *('rename', 'resolve', 'rglob', 'rmdir', 'stat', 'touch', 'unlink', 'write', 'write_bytes', 'write_text'),
        'writelines',
    ]
)
"""Of paths and of open files."""
