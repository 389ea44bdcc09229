"""Sabotages: changes of the code, each of which breaks one promise."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]


class Outdated(Exception):
    """The code has changed, and the sabotage no longer matches it."""


@dataclass(frozen=True)
class Mutant:
    """A change of the code that breaks one promise."""

    promise: str
    """What the docs promise, and what the changed code no longer does."""
    file: str
    old: str
    """The file contains it exactly once."""
    new: str
    tests: list[str]
    """At least one of these fails: paths of tests, perhaps with ``::name``."""
    sample: bool = False
    """CI tries it too, which has no time for all."""

    def apply(self, root: Path = REPOSITORY) -> str:
        """The text of the file, sabotaged.

        Raises:
            Outdated: The file does not contain the text exactly once.
        """
        text = (root / self.file).read_text()
        if (times := text.count(self.old)) != 1:
            raise Outdated(f'{self.file} contains {self.old!r} {times} times, not once')
        return text.replace(self.old, self.new)


MUTANTS = [Mutant(**row) for row in tomllib.loads((Path(__file__).parent / 'mutants.toml').read_text())['mutants']]
