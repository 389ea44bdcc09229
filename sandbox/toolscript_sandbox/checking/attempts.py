"""Code that expects to fail: what stands in a `try` whose handlers name the error."""

from __future__ import annotations

import ast

from toolscript_sandbox.text.syntax import walk

_RAISED = {
    'unresolved-reference': frozenset(['NameError']),
    'unknown-name': frozenset(['NameError']),
    'unresolved-attribute': frozenset(['AttributeError']),
    'unresolved-import': frozenset(['ImportError', 'ModuleNotFoundError']),
    'invalid-key': frozenset(['KeyError', 'LookupError']),
    'unsupported-operator': frozenset(['TypeError']),
    'not-subscriptable': frozenset(['TypeError']),
    'not-iterable': frozenset(['TypeError']),
    'invalid-argument-type': frozenset(['TypeError']),
}
"""What code raises of which a type checker finds this."""


def is_attempted(tree: ast.Module, line: int, rule: str) -> bool:
    """Whether the script is ready for what the finding foretells."""
    errors = _RAISED.get(rule, frozenset[str]())
    tries = (node for node in walk(tree) if isinstance(node, ast.Try))
    return any(_surrounds(node, line) and errors & set(_caught(node)) for node in tries)


def _surrounds(node: ast.Try, line: int) -> bool:
    return node.body[0].lineno <= line <= (node.body[-1].end_lineno or line)


def _caught(node: ast.Try) -> list[str]:
    kinds = (handler.type for handler in node.handlers)
    return [part.id for kind in kinds if kind is not None for part in ast.walk(kind) if isinstance(part, ast.Name)]
