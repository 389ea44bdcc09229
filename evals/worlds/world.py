"""A place where tools do real things."""

from typing import Protocol

from pydantic_ai.toolsets import AbstractToolset


class World(Protocol):
    """Tools and the state they work on, fresh for each run."""

    @property
    def deps(self) -> object:
        """The agent's dependencies."""
        ...

    @property
    def toolset(self) -> AbstractToolset[object]:
        """The tools."""
        ...

    @property
    def size(self) -> int:
        """How many tools there are."""
        ...

    def snapshot(self) -> object:
        """A copy of all that a tool could change; equal where two worlds are, in whatever order that came about."""
        ...
