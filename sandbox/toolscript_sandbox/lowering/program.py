"""A snippet on its way through the lowerings."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from toolscript_sandbox.text.quotes import with_other_quotes
from toolscript_sandbox.text.source import Edit, Source

from .scene import Scene


@dataclass(frozen=True)
class Program:
    """The text so far, and what is known and noted of it."""

    source: Source
    scene: Scene

    def __post_init__(self) -> None:
        # Names are asked for in the text as it stands: in an earlier one, none of its nodes would be found.
        self.scene.tree = self.source.tree

    @property
    def tree(self) -> ast.Module:
        """The text's tree, for reading."""
        return self.source.tree

    def edited(self, edits: Iterable[Edit]) -> Program:
        """The program after edits; as it was where they make no sense of it, for nothing may get worse."""
        source = self.source.edited(edits)
        if source is self.source:
            return self
        if not source.is_python:
            # What was put into an f-string may have its quotes, which Python takes from 3.12 on.
            source = Source(with_other_quotes(source.text), source.numbers)
        return Program(source, self.scene) if source.is_python else self


Lowering: TypeAlias = Callable[[Program], Program]
