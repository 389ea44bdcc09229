"""Modules of Python's own library that are lowered as a snippet is, from their source on the host, and kept.

What lowers is exact by construction, and no line of it is copied into this repository; it follows the host's Python
(3.11 to 3.13 differ little in what stands here). Tried with all pure modules: `textwrap` lowers as it is. `heapq`,
`difflib`, `html`, `string`, `fractions`, `statistics`, `urllib.parse`, `uuid`, `calendar` and `pprint` do not: they
build on C modules, on class hierarchies of `numbers`, `enum` and `types`, or on frames. Lowering takes a while
once per process; loading it, once per session that names it, 1 ms beside the regular expressions that it needs.
"""

from __future__ import annotations

import ast
import importlib
import inspect
from dataclasses import dataclass
from functools import cache

from toolscript_sandbox.contract.functions import Function
from toolscript_sandbox.text.syntax import module_of

from .snippet import prepared


@dataclass(frozen=True)
class Hosted:
    """A module as Monty takes it."""

    code: str
    pieces: frozenset[str]
    """Guest modules that it needs."""


@cache
def hosted(module: str) -> Hosted:
    """The module's definitions, lowered."""
    tree = module_of(inspect.getsource(importlib.import_module(module)))
    tree.body = [node for node in tree.body if not _is_for_the_shell(node)]
    snippet = prepared(ast.unparse(_Bare().visit(tree)), _NoFunctions(), frozenset(), {})
    return Hosted(snippet.code, frozenset(snippet.pieces))


def _is_for_the_shell(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and '__name__' in ast.unparse(node.test)


class _NoFunctions(dict[str, Function]):
    def hint(self, name: str, /) -> str | None:
        """Nothing."""
        return None


class _Bare(ast.NodeTransformer):
    """Without texts that nobody reads here."""

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        return ast.Pass() if isinstance(node.value, ast.Constant) else node
