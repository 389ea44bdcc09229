"""Code that expects an error: a `try` or a `suppress` catches it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from toolscript_sandbox.language.syntax import walk

_ANYTHING = frozenset(['Exception', 'BaseException', ''])
"""Names that catch all errors; the empty name is a bare `except`."""
_OF_CALLS = frozenset(['TypeError', 'ValueError', 'RuntimeError']) | _ANYTHING
"""Errors that a call with wrong arguments raises in Python, in the host or in the function's own validator."""
_RAISED = {
    # Other code than calls is rarely meant to fail, so only a handler that names the error counts.
    'unresolved-reference': frozenset(['NameError']),
    'unknown-name': frozenset(['NameError']),
    'unresolved-import': frozenset(['ImportError', 'ModuleNotFoundError']),
    'unresolved-attribute': frozenset(['AttributeError']),
    'invalid-key': frozenset(['KeyError', 'LookupError']),
    'unsupported-operator': frozenset(['TypeError']),
    'not-subscriptable': frozenset(['TypeError']),
    'not-iterable': frozenset(['TypeError']),
    'call-non-callable': frozenset(['TypeError']),
    **dict.fromkeys(
        [
            'invalid-argument-type',
            'wrong-argument',
            'missing-argument',
            'unknown-argument',
            'too-many-positional-arguments',
            'parameter-already-assigned',
        ],
        _OF_CALLS,
    ),
}
"""For each rule of the type checker, the errors that the code would raise at run time."""


def is_attempted(tree: ast.Module, line: int, rule: str) -> bool:
    """Return whether the script catches the error that the finding predicts."""
    return not _RAISED.get(rule, frozenset[str]()).isdisjoint(_caught_at(tree).get(line, ()))


@lru_cache(maxsize=4)
def _caught_at(tree: ast.Module) -> dict[int, set[str]]:
    """Return for each line the names of the errors that are caught there."""
    found = dict[int, set[str]]()
    for node in walk(tree):
        if isinstance(node, (ast.Try, ast.TryStar, ast.With, ast.AsyncWith)) and (caught := set(_caught(node))):
            for line in range(node.body[0].lineno, (node.body[-1].end_lineno or node.body[-1].lineno) + 1):
                found.setdefault(line, set()).update(caught)
    return found


def _caught(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Try(handlers=handlers) | ast.TryStar(handlers=handlers):
            for handler in handlers:
                yield from _names(handler.type) or ['']
        case ast.With(items=items) | ast.AsyncWith(items=items):
            for item in items:
                match item.context_expr:
                    case ast.Call(func=ast.Name(id=kind) | ast.Attribute(attr=kind), args=args):
                        yield from (name for one in args for name in _names(one) if kind.endswith('suppress'))
                    case _:
                        pass
        case _:
            pass


def _names(kinds: ast.expr | None) -> list[str]:
    return [part.id for part in ast.walk(kinds) if isinstance(part, ast.Name)] if kinds is not None else []
