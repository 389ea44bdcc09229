"""What a session leaves to one that goes on with it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Variable:
    """A variable, in as many words as tell what it is."""

    name: str
    kind: str
    """The name of its type."""
    length: int | None = None
    """Of a text or a container of Python's."""

    def __str__(self) -> str:
        return f'{self.name}: {self.kind}' if self.length is None else f'{self.name}: {self.kind} of {self.length:,}'


@dataclass(frozen=True)
class SavedSession:
    """A session between two of its snippets."""

    state: bytes
    """All that `Session.load` needs. It is neither signed nor encrypted."""
    variables: tuple[Variable, ...]
    """What is in it, by name."""
    too_large: tuple[Variable, ...] = ()
    """What had to be left out of it."""
