"""A script that is ready to be checked and run."""

from collections.abc import Mapping
from dataclasses import dataclass, field

INLINE = '_now__'
"""The prefix of a call that is answered in place. It is as long as `await `, so that columns do not change."""


@dataclass(frozen=True)
class Code:
    """Text that was generated from the model's text."""

    text: str
    lines: tuple[int, ...] = ()
    """For each line, its number in the model's text; empty if the numbers are unchanged."""

    def line(self, number: int) -> int:
        """Return the number of a line in the model's text."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else number


@dataclass(frozen=True)
class Snippet:
    """A script that is ready to be checked and run."""

    text: str
    """The code as the model wrote it, without the text around it."""
    code: Code
    """The code that runs."""
    checked: Code = Code('')
    """The code that is type-checked: the text with its fixes."""
    fixes: tuple[str, ...] = ()
    """The changes to the text, a sentence each."""
    name: str | None = None
    """The variable that will hold the result."""
    used: frozenset[str] = frozenset()
    """Names that the script reads."""
    computed: frozenset[str] = frozenset()
    """Names that the script reads outside annotations."""
    bound: frozenset[str] = frozenset()
    """Names that the script binds for later scripts."""
    defined: frozenset[str] = frozenset()
    """The bound names that are functions, classes and modules."""
    imports: tuple[str, ...] = ()
    """Import statements that the script forgot, to run before it."""
    hosts: frozenset[str] = frozenset()
    """Host functions that the script calls although variables hide them."""
    polyfills: tuple[str, ...] = ()
    """Polyfills that the script needs, in the order in which they are loaded."""
    meanings: Mapping[str, str] = field(default_factory=dict[str, str])
    """Imported names of this and earlier scripts, with their dotted full names."""
    facts: frozenset[str] = frozenset()
    """Facts that transforms recorded about this and earlier scripts."""
    tasks: bool = False
    """Whether the script runs with the polyfill of asyncio's tasks."""
    interleaves: bool = False
    """Whether several coroutines of the script may wait concurrently."""

    @property
    def awaiting(self) -> str:
        """The code that runs, in readable form: with `await` where a call is answered in place."""
        return self.code.text.replace(INLINE, 'await ')
