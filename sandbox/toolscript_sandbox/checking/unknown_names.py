"""Names that nothing defines."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Container

from toolscript_sandbox.text.names import bound_by
from toolscript_sandbox.text.syntax import walk

from .checker import Diagnostic

RULE = 'unknown-name'


def unknown_names(tree: ast.Module, known: Container[str]) -> list[Diagnostic]:
    """Names that are read though neither the snippet, in whatever scope, nor anything before it binds them.

    A type checker takes `totl += 1` in a loop for a name that may be bound by then.
    """
    augmented = {node.target for node in walk(tree) if isinstance(node, ast.AugAssign)}
    bound = {name for node in walk(tree) if node not in augmented for name in bound_by(node)}
    bound |= {node.arg for node in walk(tree) if isinstance(node, ast.arg)}
    found = dict[str, Diagnostic]()
    for target in augmented:
        if isinstance(target, ast.Name) and not _is_known(target.id, bound, known):
            found.setdefault(target.id, _finding(target))
    return list(found.values())


def _is_known(name: str, bound: Container[str], known: Container[str]) -> bool:
    return name in bound or name in known or hasattr(builtins, name)


def _finding(name: ast.Name) -> Diagnostic:
    end = name.end_col_offset or name.col_offset + 1
    message = f'Name `{name.id}` used when not defined'
    return Diagnostic(RULE, message, name.lineno, name.col_offset, name.end_lineno or name.lineno, end)
