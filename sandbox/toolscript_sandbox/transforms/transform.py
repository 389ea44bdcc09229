"""The base of the transforms, which change the tree to provide one feature of Python each that Monty lacks."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from types import MappingProxyType
from typing import ClassVar

from toolscript_sandbox.language.analysis import Analysis

from .tree import Transformer, meaning, named
from .writer import Patch


@dataclass
class Context:
    """Shared state of the transforms of one script."""

    analysis: Analysis
    facts: set[str] = field(default_factory=set[str])
    """Facts for later scripts of the session, in addition to those of earlier ones."""
    fixes: list[str] = field(default_factory=list[str])
    """The changes that are reported to the model, a sentence each."""
    patches: list[Patch] = field(default_factory=list[Patch])
    """Changes in statements that are copied from the source."""
    hidden: set[str] = field(default_factory=set[str])
    """Host functions that the script calls although a variable has the same name."""
    uses_tasks: bool = False
    """Whether the script runs with the polyfill of asyncio's tasks."""
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def fresh(self, hint: str) -> str:
        """Return an unused name for a variable of a transform: `_item__1`."""
        return f'_{hint}__{next(self._numbers)}'

    def has(self, fact: str) -> bool:
        """Return whether this script or an earlier one of the session recorded the fact."""
        return fact in self.facts or fact in self.analysis.session.facts

    def fixed(self, sentence: str) -> None:
        """Record a fix, once."""
        if sentence not in self.fixes:
            self.fixes.append(sentence)


class Transform(Transformer):
    """Provides one feature, in scripts that need it."""

    feature: ClassVar[str]
    """The feature, in the words of the language reference."""
    after: ClassVar[tuple[str, ...]] = ()
    """Modules of the transforms that must run before this one, for reasons stated in those modules."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._analysis = context.analysis
        self._fresh = context.fresh

    @staticmethod
    def needed(analysis: Analysis) -> bool:
        """Return whether a script uses the feature."""
        raise NotImplementedError

    def applied(self, tree: ast.Module) -> ast.Module:
        """Return the tree, in which the changed nodes are marked. Raises `Refused` if it cannot be changed."""
        return self.below(tree)


class Renaming(Transform):
    """A transform that replaces names, and names of modules, by polyfills."""

    names: Mapping[str, str] = MappingProxyType({})
    """The polyfill of each dotted name."""

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._renamed(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        new = self._renamed(node)
        return self.below(node) if new is node else new

    def _renamed(self, node: ast.Name | ast.Attribute) -> ast.expr:
        name = self.names.get(meaning(node) or '') if isinstance(node.ctx, ast.Load) else None
        return node if name is None else named(name, node)
