"""A script that is ready to be checked and run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

INLINE = '_now__'
"""The prefix of a call that is answered in place: as long as `await `, so that every column stays."""


@dataclass(frozen=True)
class Code:
    """Text that was made of what a model wrote."""

    text: str
    lines: tuple[int, ...] = ()
    """For each line, its number in the model's text; empty where that is its place."""

    def line(self, number: int) -> int:
        """The model's number of a line."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else number


@dataclass(frozen=True)
class Snippet:
    """A script that is ready to be checked and run."""

    text: str
    """What the model wrote, without what stood around it."""
    code: str
    """What runs."""
    checked: Code = Code('')
    """What is checked before: the text with its fixes."""
    lines: tuple[int, ...] = ()
    """For each line of `code`, its number in `text`; empty where that is its place."""
    fixes: tuple[str, ...] = ()
    """What was changed, a sentence each."""
    name: str | None = None
    """The variable that will hold the result."""
    used: frozenset[str] = frozenset()
    """Names that it reads."""
    computed: frozenset[str] = frozenset()
    """Those of them that it reads outside annotations."""
    bound: frozenset[str] = frozenset()
    """Names that it binds for the next scripts."""
    defined: frozenset[str] = frozenset()
    """Those of them that are functions, classes and modules."""
    imports: tuple[str, ...] = ()
    """Imports that it lacks: statements to run before it."""
    hosts: frozenset[str] = frozenset()
    """Host functions that it calls although variables hide them."""
    pieces: tuple[str, ...] = ()
    """Polyfills that it needs, in the order in which they are loaded."""
    meanings: Mapping[str, str] = field(default_factory=dict[str, str])
    """What imported names mean, of it and of earlier scripts."""
    facts: frozenset[str] = frozenset()
    """What transforms noted, of it and of earlier scripts."""
    tasks: bool = False
    """Whether it runs with the polyfill of asyncio's tasks."""
    interleaves: bool = False
    """Whether coroutines of its own may wait side by side."""

    @property
    def awaiting(self) -> str:
        """What runs, for reading: with `await` where a call is answered in place."""
        return self.code.replace(INLINE, 'await ')

    def line(self, number: int) -> int:
        """The model's number of a line of the code that runs."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else number
