"""Names that nothing defines."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Container

from toolscript_sandbox.language.dialect import BUILTINS
from toolscript_sandbox.language.scopes import bound_by
from toolscript_sandbox.language.syntax import all_of, walk

from .attempts import is_attempted
from .checker import Diagnostic

RULE = 'unknown-name'


def unknown_names(tree: ast.Module, known: Container[str]) -> list[Diagnostic]:
    """Names that are read though neither the snippet, in whatever scope, nor anything before it binds them.

    A type checker takes `totl += 1` in a loop for a name that may be bound by then, and knows builtins that are missing
    here.
    """
    augmented = {node.target for node in all_of(tree, ast.AugAssign)}
    suspects = [node for node in augmented if isinstance(node, ast.Name)]
    read = (node for node in all_of(tree, ast.Name) if not isinstance(node.ctx, ast.Store))
    suspects += [node for node in read if node.id in BUILTINS.refused]
    if not suspects:
        return []
    bound = {name for node in walk(tree) if node not in augmented for name in bound_by(node)}
    bound |= {node.arg for node in all_of(tree, ast.arg)}
    found = dict[str, Diagnostic]()
    for name in suspects:
        if not _is_known(name.id, bound, known) and not is_attempted(tree, name.lineno, RULE):
            found.setdefault(name.id, _finding(name))
    return list(found.values())


def _is_known(name: str, bound: Container[str], known: Container[str]) -> bool:
    here = hasattr(builtins, name) and name not in BUILTINS.refused
    return name in bound or name in known or here


def _finding(name: ast.Name) -> Diagnostic:
    end = name.end_col_offset or name.col_offset + 1
    message = f'Name `{name.id}` used when not defined'
    return Diagnostic(RULE, message, name.lineno, name.col_offset, name.end_lineno or name.lineno, end)
