"""A transform, which changes the tree to provide one feature of Python that Monty lacks."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field

from toolscript_sandbox.language.analysis import Analysis

from .tree import Fresh
from .writer import Patch


@dataclass
class Context:
    """Shared state of the transforms of one script."""

    analysis: Analysis
    fresh: Fresh = field(default_factory=Fresh)
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

    def has(self, fact: str) -> bool:
        """Return whether this script or an earlier one of the session recorded the fact."""
        return fact in self.facts or fact in self.analysis.session.facts

    def fixed(self, sentence: str) -> None:
        """Record a fix, once."""
        if sentence not in self.fixes:
            self.fixes.append(sentence)


@dataclass(frozen=True)
class Transform:
    """A feature and the function that provides it."""

    feature: str
    """The feature, in the words of the language reference."""
    apply: Callable[[ast.Module, Context], ast.Module]
    """Changes the tree, in place or not, and marks the changed nodes. Raises `Refused` if it cannot."""
    needed: Callable[[Analysis], bool]
    """Returns whether a script uses the feature."""
    after: tuple[str, ...] = ()
    """Modules of the transforms that must run before this one, for reasons stated in those modules."""
    probe: str = ''
    """A script that Monty runs unaided once it has the feature, so that the transform can be deleted."""
