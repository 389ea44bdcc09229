"""Methods taken from their objects (`bus.on(self.handle)`): Python finds two of one object equal, Monty does not.

Where a snippet asks for equality (`in`, `remove`, `==` and the like), each object keeps those that were taken from it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.monty_features import METHODS_OF_TYPES
from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.text.source import Edit, Source
from toolscript_sandbox.text.syntax import all_of

from .lineage import Family, decorator, methods


def kept_methods(source: Source, scene: Scene, family: Family, properties: frozenset[str]) -> Iterator[Edit]:
    """What each method that is a value becomes."""
    plain = {
        method.name
        for node in family.classes.values()
        for method in methods(node)
        if not decorator(method) and not method.name.startswith('__')
    }
    names = plain - properties - METHODS_OF_TYPES
    if not names or not _asks_for_equality(source.tree):
        return
    called = {node.func for node in all_of(source.tree, ast.Call)}
    classes = family.classes.keys()
    for node in all_of(source.tree, ast.Attribute):
        is_value = isinstance(node.ctx, ast.Load) and node.attr in names and node not in called
        if (
            is_value
            and isinstance(node.value, ast.Name)
            and node.value.id not in classes
            and not _is_module(node, scene)
        ):
            version = guest('members')
            assert version is not None
            text = f'{version.prefixed("bound")}({node.value.id}, lambda _it: _it.{node.attr}, {node.attr!r})'
            if not _is_shown(node, source):
                yield source.replace(node, text)


def _is_module(node: ast.Attribute, scene: Scene) -> bool:
    return scene.module(node.value) is not None


def _is_shown(node: ast.Attribute, source: Source) -> bool:
    """Whether it stands before more dots (`self.run.__name__`)."""
    return source.text[source.end(node) :].lstrip()[:1] == '.'


def _asks_for_equality(tree: ast.Module) -> bool:
    if any(
        isinstance(sign, (ast.In, ast.NotIn, ast.Eq, ast.NotEq))
        for node in all_of(tree, ast.Compare)
        for sign in node.ops
    ):
        return True
    return any(node.attr in ('remove', 'discard', 'index', 'count', 'add') for node in all_of(tree, ast.Attribute))
