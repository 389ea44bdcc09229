"""Sabotages: changes of the code, each of which breaks one promise."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]


class Outdated(Exception):
    """The code has changed, so the sabotage no longer matches it."""


@dataclass(frozen=True)
class Mutant:
    """A change of the code that breaks one promise."""

    promise: str
    """The promise of the docs that the changed code breaks."""
    file: str
    old: str
    """The text to replace, which the file contains exactly once."""
    new: str
    tests: list[str]
    """Tests of which at least one must fail: paths, optionally with ``::name``."""
    sample: bool = False
    """Whether CI, which has no time for all sabotages, tries this one."""

    def apply(self, root: Path = REPOSITORY) -> str:
        """Return the sabotaged text of the file.

        Raises:
            Outdated: The file does not contain the text exactly once.
        """
        text = (root / self.file).read_text()
        if (times := text.count(self.old)) != 1:
            raise Outdated(f'{self.file} contains {self.old!r} {times} times, not once')
        return text.replace(self.old, self.new)


MUTANTS = [Mutant(**row) for row in tomllib.loads((Path(__file__).parent / 'mutants.toml').read_text())['mutants']]
