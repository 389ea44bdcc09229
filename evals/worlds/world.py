"""A world in which tools have real effects."""

from collections.abc import Awaitable, Callable
from functools import wraps
from inspect import isfunction
from typing import Any, ClassVar, Protocol

from pydantic_ai.toolsets import AbstractToolset

from toolscript import FunctionToolset


class World(Protocol):
    """Tools and the state they work on, fresh for each run."""

    @property
    def deps(self) -> object: ...

    @property
    def toolset(self) -> AbstractToolset[object]: ...

    @property
    def size(self) -> int:
        """The number of tools."""
        ...

    def snapshot(self) -> object:
        """Return a copy of everything that a tool could change. Equal worlds have equal copies, in any order."""


class Service:
    """A world whose tools are its public methods, in their order; those that need approval come last."""

    deps: None = None
    careful: ClassVar[tuple[str, ...]] = ()
    """The tools that need approval."""

    @property
    def toolset(self) -> AbstractToolset[Any]:
        toolset = FunctionToolset[object](id=type(self).__name__.lower())
        for name in self._tools():
            toolset.add_function(_at_once(getattr(self, name)), requires_approval=name in self.careful)
        return toolset

    @property
    def size(self) -> int:
        return len(self._tools())

    def _tools(self) -> list[str]:
        public = [name for name, value in vars(type(self)).items() if isfunction(value) and name[0] != '_']
        return sorted((name for name in public if name != 'snapshot'), key=lambda name: name in self.careful)


def _at_once(function: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    """Make the function run in the event loop: in threads, concurrent calls would conflict over the state."""

    @wraps(function)
    async def tool(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return tool
