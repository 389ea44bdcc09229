"""Names that nothing defines, and names that the dialect provides and the checker lacks."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Container

from toolscript_sandbox.contract.functions import Functions
from toolscript_sandbox.language.dialect import BUILTINS, MODULES
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


def is_provided(finding: Diagnostic, functions: Functions) -> bool:
    """Whether the finding is about a module, a member of one, or a builtin that a polyfill or the host provides."""
    match finding.rule, re.findall(r'`([^`]*)`', finding.message):
        case 'unresolved-import' | 'unresolved-attribute', [module, name] if finding.message.startswith('Module '):
            provided = module in MODULES and name in MODULES[module].providers
            return provided or f'{module}.{name}' in _PACKAGES or functions.get(name) is not None
        case 'unresolved-import', [module]:
            return module in _PACKAGES
        case 'unresolved-reference', [name]:
            return hasattr(builtins, name) and name not in BUILTINS.refused
        case _:
            return False


_PACKAGES = frozenset(
    '.'.join(parts[: place + 1]) for name in MODULES for parts in [name.split('.')] for place in range(len(parts))
)
"""The modules of the table, and the packages that they are in."""
