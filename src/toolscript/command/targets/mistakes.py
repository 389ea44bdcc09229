"""What is wrong with a target, each mistake with its place."""

from collections.abc import Sequence
from dataclasses import dataclass

from toolscript.discovery.search_config import ConfigError


@dataclass(frozen=True)
class Mistake:
    """Something in a file that cannot be used."""

    line: int
    """From 1."""
    place: str
    """Where in the data, as `mcpServers.git.args[0]`; empty for all of it."""
    what: str
    """What is wrong, and what to do."""

    def __str__(self) -> str:
        return f'line {self.line}, {self.place}: {self.what}' if self.place else f'line {self.line}: {self.what}'


class TargetError(ConfigError):
    """A target that cannot be used; the message names the file, each place, and what to do."""

    def __init__(self, target: str, mistakes: Sequence[Mistake | str]) -> None:
        if len(mistakes) == 1:
            text = f'{target}: {mistakes[0]}'
        else:
            text = '\n'.join([f'{target} has {len(mistakes)} mistakes:', *(f'  {each}' for each in mistakes)])
        super().__init__(text)
        self.target = target
        self.mistakes: tuple[Mistake | str, ...] = tuple(mistakes)


def place_of(path: Sequence[str | int]) -> str:
    """A path into data as people write it."""
    return ''.join(f'[{step}]' if isinstance(step, int) else f'.{step}' for step in path).removeprefix('.')
