"""What asks for files (`open('a.txt')`, `Path('a').exists()`), of which there are none: said before anything runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.text.refusals import Refusal, refusal
from toolscript_sandbox.text.syntax import all_of

from .monty_features import NO_FILES
from .parts import method_names
from .scene import Scene


def of_files(tree: ast.Module, scene: Scene) -> Iterator[Refusal]:
    """Each place where the snippet asks for a file."""
    for call in all_of(tree, ast.Call):
        match call.func:
            case ast.Name(id='open') as name if scene.is_free(name) and scene.called(name) is None:
                yield refusal(call, NO_FILES)
            case ast.Attribute() as method if _is_of_files(method, tree, scene):
                yield refusal(call, NO_FILES)
            case _:
                pass


def _is_of_files(method: ast.Attribute, tree: ast.Module, scene: Scene) -> bool:
    if method.attr in _OF_PATHS:
        return _has_paths(tree, scene) and method.attr not in method_names(tree)
    return method.attr in _OF_MORE_THAN_PATHS and _is_path(method.value, scene)


def _has_paths(tree: ast.Module, scene: Scene) -> bool:
    kinds = (*all_of(tree, ast.Name), *all_of(tree, ast.Attribute))
    return scene.has_modules and any(_is_class(node, scene) for node in kinds)


def _is_path(node: ast.expr, scene: Scene) -> bool:
    """Whether nothing but a path can stand there."""
    match node:
        case ast.Call(func=func):
            return _is_class(func, scene)
        case ast.BinOp(left=left, op=ast.Div()):
            return _is_path(left, scene)
        case _:
            return _is_class(node, scene)


def _is_class(node: ast.expr, scene: Scene) -> bool:
    module, name = scene.member(node) or ('', '')
    return module == 'pathlib' and name in ('Path', 'PosixPath')


_OF_PATHS = frozenset(
    [
        *('absolute', 'chmod', 'cwd', 'exists', 'expanduser', 'hardlink_to', 'home', 'is_dir', 'is_file', 'is_mount'),
        *('is_symlink', 'iterdir', 'lstat', 'mkdir', 'read_bytes', 'read_text', 'readlink', 'resolve', 'rglob'),
        *('rmdir', 'samefile', 'symlink_to', 'touch', 'unlink', 'write_bytes', 'write_text'),
    ]
)
"""Methods that only paths have."""
_OF_MORE_THAN_PATHS = frozenset(['glob', 'group', 'open', 'owner', 'rename', 'replace', 'stat'])
