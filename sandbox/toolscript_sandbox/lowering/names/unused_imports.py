"""`import threading` that nothing uses: models write such lines out of habit, and Python only looks the module up."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from functools import cache

from toolscript_sandbox.lowering.guest_modules import GUESTS
from toolscript_sandbox.lowering.monty_features import MODULES
from toolscript_sandbox.lowering.refusals.offered import offered
from toolscript_sandbox.text.source import Edit, Source
from toolscript_sandbox.text.syntax import all_of


def without_unused_imports(source: Source) -> tuple[Source, tuple[str, ...]]:
    """The source without imports of Python's own that are not to be had here and that nothing uses, and what to say."""
    nodes = (*all_of(source.tree, ast.Import), *all_of(source.tree, ast.ImportFrom))
    # A script of nothing but imports means to use them in the next one.
    if all(isinstance(node, (ast.Import, ast.ImportFrom)) for node in source.tree.body) or all(
        _is_offered(node, alias) for node in nodes for alias in node.names
    ):
        return source, ()
    used, edits, notes = frozenset(_named(source.tree)), list[Edit](), list[str]()
    for node in nodes:
        idle = [alias for alias in node.names if not _is_offered(node, alias) and _is_idle(node, alias, used)]
        if idle:
            edits.append(source.replace(node, _without(node, idle)))
            notes += [f'Left out the import of {alias.name}: nothing uses it.' for alias in idle]
    return source.edited(edits), tuple(notes)


def _is_offered(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> bool:
    module = alias.name if isinstance(node, ast.Import) else node.module or ''
    names = offered(module)
    if module not in MODULES and module not in GUESTS:
        return False
    return isinstance(node, ast.Import) or names is None or alias.name in names or alias.name == '*'


def _is_idle(node: ast.Import | ast.ImportFrom, alias: ast.alias, used: frozenset[str]) -> bool:
    if (alias.asname or alias.name).partition('.')[0] in used or alias.name == '*':
        return False
    if isinstance(node, ast.Import):
        return alias.name in _IDLE
    module = node.module or ''
    return not node.level and (module in _IDLE or offered(module) is not None) and alias.name in _names(module)


@cache
def _names(module: str) -> frozenset[str]:
    return frozenset(dir(importlib.import_module(module)))


def _named(tree: ast.Module) -> Iterator[str]:
    """All that may mean a name: where one is read, and texts that could be asked for (`globals()['struct']`)."""
    yield from (node.id for node in all_of(tree, ast.Name))
    yield from (name for kind in (ast.Global, ast.Nonlocal) for node in all_of(tree, kind) for name in node.names)
    yield from (node.value for node in all_of(tree, ast.Constant) if isinstance(node.value, str))


def _without(node: ast.Import | ast.ImportFrom, idle: list[ast.alias]) -> str:
    kept = [alias for alias in node.names if alias not in idle]
    if not kept:
        return 'pass'
    if isinstance(node, ast.Import):
        return ast.unparse(ast.Import(kept))
    return ast.unparse(ast.ImportFrom(node.module, kept, node.level))


_WORDS = (
    'array ast bz2 codecs configparser contextvars copyreg cProfile dis email errno filecmp gc getopt getpass glob '
    'gzip importlib inspect ipaddress linecache locale lzma mimetypes multiprocessing pickle platform pstats reprlib '
    'sched select selectors shelve shutil signal socket sqlite3 ssl struct subprocess symtable tarfile tempfile '
    'threading timeit token tokenize tracemalloc unittest urllib.request weakref xml zipfile zlib'
)
_IDLE = frozenset(_WORDS.split())
"""Modules of Python that only define names."""
