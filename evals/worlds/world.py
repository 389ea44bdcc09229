"""A world in which tools have real effects."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
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

    def snapshot(self) -> list[str]:
        """Return everything that a tool could change: a line for each fact."""
        ...


def changes(before: Iterable[str], after: Iterable[str]) -> list[str]:
    """Return the lines that differ between two snapshots, sorted: gone ones after `- `, new ones after `+ `."""
    old, new = Counter(before), Counter(after)
    return sorted([f'- {line}' for line in (old - new).elements()] + [f'+ {line}' for line in (new - old).elements()])


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
