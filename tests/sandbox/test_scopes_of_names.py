"""Names are taken apart by scope as Python takes them apart."""

import ast
import symtable
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolscript_sandbox.language.scopes import Scope, Scopes

LIBRARY = sorted(Path(sysconfig.get_paths()['stdlib']).glob('*.py'))[::3]
NAMED: dict[type[ast.expr], str] = {
    ast.Lambda: 'lambda',
    ast.ListComp: 'listcomp',
    ast.SetComp: 'setcomp',
    ast.DictComp: 'dictcomp',
    ast.GeneratorExp: 'genexpr',
}
INLINED: tuple[str, ...] = ('listcomp', 'setcomp', 'dictcomp') if sys.version_info >= (3, 12) else ()
"""Comprehensions whose names symtable gives to what is around them, too."""


def _ours(tree: ast.Module) -> dict[tuple[int, str], list[Scope]]:
    found = dict[tuple[int, str], list[Scope]]()
    for node, scope in Scopes(tree).opened.items():
        # The parameters of types are newer than the Python of scripts.
        if not isinstance(node, ast.Module) and not getattr(node, 'type_params', None):
            found.setdefault(_place(node), []).append(scope)
    return found


def _pythons(table: symtable.SymbolTable) -> Iterator[tuple[tuple[int, str], set[str]]]:
    for inner in table.get_children():
        symbols = [symbol for symbol in inner.get_symbols() if symbol.is_local() and symbol.get_name() != '.0']
        bound = {s.get_name() for s in symbols if s.is_assigned() or s.is_parameter() or s.is_imported()}
        yield (inner.get_lineno(), inner.get_name()), bound | {s.get_name() for s in symbols if s.is_namespace()}
        yield from _pythons(inner)


def _inlined(tree: ast.Module) -> dict[tuple[int, str], set[str]]:
    """The names of comprehensions that symtable may give to what is in a place, too."""
    scopes, found = Scopes(tree), dict[tuple[int, str], set[str]]()
    for node, scope in scopes.opened.items():
        if isinstance(node, ast.expr) and NAMED[type(node)] in INLINED:
            around = scope.above
            while around is not None and not isinstance(around.node, ast.Module):
                place = _place(around.node)
                found.setdefault(place, set()).update(scope.bound)
                around = around.above
    return found


def _place(node: ast.AST) -> tuple[int, str]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return node.lineno, node.name
    assert isinstance(node, ast.expr)
    return node.lineno, NAMED[type(node)]


@pytest.mark.parametrize('path', LIBRARY, ids=lambda path: path.name)
def test_each_scope_of_the_standard_library_binds_what_symtable_says(path: Path) -> None:
    text = path.read_text('utf-8')
    tree = ast.parse(text)
    ours, inlined = _ours(tree), _inlined(tree)
    for place, bound in _pythons(symtable.symtable(text, path.name, 'exec')):
        if place in ours and not any(name.startswith('_') for name in bound):
            also = inlined.get(place, set())
            assert any(scope.bound.keys() <= bound <= scope.bound.keys() | also for scope in ours[place]), place
