"""A transform: one feature of Python that Monty lacks, provided by a change of the tree."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field

from toolscript_sandbox.language.analysis import Analysis

from .tree import Fresh
from .writer import Patch


@dataclass
class Context:
    """What the transforms of one script share."""

    analysis: Analysis
    fresh: Fresh = field(default_factory=Fresh)
    facts: set[str] = field(default_factory=set[str])
    """What is noted for the next scripts of the session, beside what earlier ones left."""
    fixes: list[str] = field(default_factory=list[str])
    """What was changed for the model, a sentence each."""
    patches: list[Patch] = field(default_factory=list[Patch])
    """Changes of statements that are copied from the source."""
    hidden: set[str] = field(default_factory=set[str])
    """Host functions that the script calls although a variable has the name."""
    uses_tasks: bool = False
    """Whether the script runs with the polyfill of asyncio's tasks."""

    def has(self, fact: str) -> bool:
        """Whether this script, or an earlier one of the session, left the fact."""
        return fact in self.facts or fact in self.analysis.session.facts

    def fixed(self, sentence: str) -> None:
        """Note a change, once."""
        if sentence not in self.fixes:
            self.fixes.append(sentence)


@dataclass(frozen=True)
class Transform:
    """One feature."""

    feature: str
    """What it provides, in the words of the language reference."""
    apply: Callable[[ast.Module, Context], ast.Module]
    """Changes the tree, in place or not; marks what it changed. Raises `Refused` where it cannot."""
    needed: Callable[[Analysis], bool]
    """Whether a script has anything for it."""
    after: tuple[str, ...] = ()
    """Modules of the transforms that run before it, and why is said there."""
    probe: str = ''
    """A script that Monty runs by itself on the day it has the feature; this transform then goes."""
