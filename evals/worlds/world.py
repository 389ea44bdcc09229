"""A world in which tools have real effects."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import ParamSpec, Protocol, TypeVar

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
        """The number of tools."""
        ...

    def snapshot(self) -> object:
        """Return a copy of everything that a tool could change. Equal worlds have equal copies, in any order."""
        ...


P = ParamSpec('P')
R = TypeVar('R')


def at_once(function: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    """Make the function run in the event loop: in threads, concurrent calls would conflict over the state."""

    @wraps(function)
    async def tool(*args: P.args, **kwargs: P.kwargs) -> R:
        return function(*args, **kwargs)

    return tool
