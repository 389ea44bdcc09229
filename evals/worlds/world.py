"""A place where tools do real things."""

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
        """How many tools there are."""
        ...

    def snapshot(self) -> object:
        """A copy of all that a tool could change; equal where two worlds are, in whatever order that came about."""
        ...


P = ParamSpec('P')
R = TypeVar('R')


def at_once(function: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    """The same function, to be run in the event loop: in threads, calls made together would meet in the state."""

    @wraps(function)
    async def tool(*args: P.args, **kwargs: P.kwargs) -> R:
        return function(*args, **kwargs)

    return tool
