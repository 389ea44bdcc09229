"""Rules for files (`open(path, encoding='latin-1')`, `path.write_text(...)`), where a session has folders."""

from __future__ import annotations

import ast

from toolscript_sandbox.lowering.file_words import is_of_files
from toolscript_sandbox.lowering.parts import arguments, as_method, is_builtin, piece
from toolscript_sandbox.lowering.rewriter import Rewriter, named


def _opened(node: ast.Call, r: Rewriter) -> str | None:
    if not r.scene.has_files or not is_builtin(node, 'open', r):
        return None
    return f'{piece(r, "files", "open_file")}({arguments(node, r)})'


def _called(node: ast.Call, r: Rewriter) -> str | None:
    func = node.func
    if not r.scene.has_files or not isinstance(func, ast.Attribute) or r.scene.module(func.value) is not None:
        return None
    return as_method(r, func, piece(r, 'files', _METHODS[func.attr]), arguments(node, r))


def _handed(node: ast.Name, r: Rewriter) -> str | None:
    """`map(open, paths)`."""
    parent = r.parent(node)
    if isinstance(parent, ast.Call) and parent.func is node:
        return None
    is_read = isinstance(node.ctx, ast.Load) and is_of_files(node, r.scene)
    return piece(r, 'files', 'open_file') if is_read else None


def _told(node: ast.Attribute, r: Rewriter) -> str | None:
    """`error.errno`, of an exception that the host raised."""
    if not r.scene.has_files or not isinstance(node.ctx, ast.Load) or r.scene.module(node.value) is not None:
        return None
    return f'{piece(r, "files", node.attr)}({r.text(node.value)})'


_METHODS = {name: name for name in ('read_text', 'seek', 'tell', 'touch', 'write_text', 'writelines')}
_METHODS['open'] = 'path_open'

CALLS_FOR_FILES = (named(_opened, 'open'), named(_called, *_METHODS))
NAMES_OF_FILES = (named(_handed, 'open'),)
PARTS_OF_ERRORS = (named(_told, 'errno', 'strerror', 'filename'),)
