"""Modules of Python's own library that are lowered as a snippet is, from their source on the host, and kept.

What lowers is exact by construction, and no line of it is copied into this repository; it follows the host's Python
(3.11 to 3.13 differ little in what stands here). Of a module is taken what `guest_modules.HOSTED` names, and what that
stands on; a file of the folder `guest` may define some of it otherwise. Tried with all pure modules: `heapq`, `html`
and `bisect` lower too, but Monty's own and the guest's versions do the same with less; `string`, `fractions`,
`statistics`, `uuid` and `pprint` do not: they build on C modules, on several bases, or on heirs of
builtin types. Lowering takes 20 to 200 ms once per process; loading it, once per session that names it, 1 to 7 ms
beside the regular expressions that some need.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import logging
import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache

from toolscript_sandbox.contract.functions import Function
from toolscript_sandbox.text.names import names_of
from toolscript_sandbox.text.refusals import Refused
from toolscript_sandbox.text.syntax import module_of

from .snippet import prepared


@dataclass(frozen=True)
class Hosted:
    """A module as Monty takes it."""

    code: str
    pieces: frozenset[str]
    """Guest modules that it needs."""


@cache
def hosted(module: str, names: frozenset[str], instead: str) -> Hosted:
    """The module's definitions of these names, with what they stand on, lowered; nothing where that cannot be done.

    What the text `instead` defines stands in the place of the host's definitions.
    """
    tree = module_of(inspect.getsource(importlib.import_module(module)))
    own = module_of(instead)
    known = names_of(own).bound
    body = [node for node in _Bare().visit(tree).body if known.isdisjoint(names_of(ast.Module([node], [])).bound)]
    tree.body = [*own.body, *_needed(body, names)]
    try:
        snippet = prepared(ast.unparse(ast.fix_missing_locations(tree)), _NoFunctions(), frozenset(), {})
    except (Refused, SyntaxError):
        _logger.warning('scripts have no %s: as this Python has it, it cannot be lowered', module)
        return Hosted('', frozenset())
    code = _DERIVED.sub(r'\1, named="\2")', snippet.code)
    return Hosted(code, frozenset(snippet.pieces))


def _needed(body: Sequence[ast.stmt], names: frozenset[str]) -> list[ast.stmt]:
    """The statements that bind the names, and those that these need, in their order."""
    binding = dict[str, list[ast.stmt]]()
    for node in body:
        for name in names_of(ast.Module([node], [])).bound:
            binding.setdefault(name, []).append(node)
    waiting, needed, kept = [*names], set[str](), set[ast.stmt]()
    while waiting:
        name = waiting.pop()
        needed.add(name)
        for node in binding.pop(name, ()):
            if node not in kept:
                kept.add(node)
                waiting += {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return [_trimmed(node, needed) for node in body if node in kept]


class _NoFunctions(dict[str, Function]):
    def hint(self, name: str, /) -> str | None:
        """Nothing."""
        return None


def _trimmed(node: ast.stmt, names: AbstractSet[str]) -> ast.stmt:
    if isinstance(node, ast.ImportFrom):
        node.names = [alias for alias in node.names if (alias.asname or alias.name) in names]
    return node


class _Bare(ast.NodeTransformer):
    """Without texts that nobody reads here, and without what classes only say to type checkers and to `pickle`."""

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        self.generic_visit(node)
        return ast.Pass() if isinstance(node.value, (ast.Constant, ast.Attribute)) else node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        self.generic_visit(node)
        return ast.Pass() if _is_silent(node.targets[0]) else node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self.generic_visit(node)
        node.body = [written for part in node.body for written in _written_out(part)]
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if ast.unparse(node) == 'sys.stdin':
            # Nobody types anything here.
            return ast.Constant(None)
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        # Asked only to refuse what is no bytes.
        return node.args[0] if ast.unparse(node.func) == 'memoryview' else node

    def visit_Tuple(self, node: ast.Tuple) -> ast.Tuple:
        # Nobody has any.
        node.elts = [part for part in node.elts if not (isinstance(part, ast.Name) and part.id == 'bytearray')]
        self.generic_visit(node)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        self.generic_visit(node)
        return ast.Pass() if node.name in _SILENT else node


def _written_out(part: ast.stmt) -> list[ast.stmt]:
    """`size = property(get_size, set_size)`, with decorators."""
    match part:
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.Call(func=ast.Name(id='property'), args=[ast.Name(id=getter), ast.Name(id=setter)]),
        ):
            read = f'@property\ndef {name}(self): return self.{getter}()'
            return module_of(f'{read}\n@{name}.setter\ndef {name}(self, value): self.{setter}(value)').body
        case _:
            return [part]


def _is_silent(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id in _SILENT


_logger = logging.getLogger('toolscript.sandbox')
_DERIVED = re.compile(r'^(_errors_derived\((\w+), .*)\)$', re.MULTILINE)
_SILENT = frozenset(['__class_getitem__', '__reduce__', '__sizeof__', '__slots__', 'sourcehook'])
