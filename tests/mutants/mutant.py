"""One sabotage."""

from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]


class Outdated(Exception):
    """The code has moved on, and the sabotage no longer says what to change."""


@dataclass(frozen=True)
class Mutant:
    """A change of the code that breaks one promise."""

    promise: str
    """What users were told, and no longer holds once the code is changed."""
    file: str
    old: str
    """Stands in the file exactly once."""
    new: str
    tests: tuple[str, ...]
    """Of these, at least one goes red: paths of tests, perhaps with ``::name``."""
    sample: bool = False
    """Tried in CI as well, where there is no time for all."""

    def apply(self, root: Path = REPOSITORY) -> str:
        """The text of the file, sabotaged.

        Raises:
            Outdated: The text that is to be changed is not there, or not once.
        """
        text = (root / self.file).read_text()
        if (times := text.count(self.old)) != 1:
            raise Outdated(f'{self.file} holds {self.old!r} {times} times; it has to stand there once')
        return text.replace(self.old, self.new)
