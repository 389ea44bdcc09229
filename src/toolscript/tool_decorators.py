"""What `@agent.tool(...)` and `@toolset.tool(...)` give back: decorators that keep the type of a function.

A function without `RunContext` may have any parameters, so to a type checker a function with the `RunContext` of other
deps would pass as one of those. A deprecated overload stands before them and catches it.
"""

from collections.abc import Callable
from typing import Any, Concatenate, Never, ParamSpec, Protocol, TypeVar, overload

from pydantic_ai import RunContext
from typing_extensions import deprecated

from .routing.registration import takes_context

DepsT_co = TypeVar('DepsT_co', covariant=True)
Params = ParamSpec('Params')
ReturnT = TypeVar('ReturnT')
Function = Callable[Params, ReturnT]
FunctionWithContext = Callable[Concatenate[RunContext[DepsT_co], Params], ReturnT]
WithOtherDeps = Callable[Concatenate[RunContext[Never], Params], ReturnT]

OTHER_DEPS = 'The RunContext of this function has other deps than the agent or toolset that it is given to.'


class ToolDecorator(Protocol[DepsT_co]):
    """Registers a function that takes the `RunContext` of these deps first, or none."""

    @overload
    def __call__(
        self, func: FunctionWithContext[DepsT_co, Params, ReturnT], /
    ) -> FunctionWithContext[DepsT_co, Params, ReturnT]: ...

    @overload
    @deprecated(OTHER_DEPS)
    def __call__(self, func: WithOtherDeps[Params, ReturnT], /) -> Never: ...

    @overload
    def __call__(self, func: Function[Params, ReturnT], /) -> Function[Params, ReturnT]: ...


class PlainToolDecorator(Protocol):
    """Registers a function that takes no `RunContext`."""

    def __call__(self, func: Function[Params, ReturnT], /) -> Function[Params, ReturnT]: ...


Register = Callable[[Callable[..., Any]], Any]


def either(with_context: Register, plain: Register) -> Callable[[Any], Any]:
    """A decorator that registers functions with `RunContext` by the one, those without it by the other."""

    def register(func: Callable[..., Any]) -> Callable[..., Any]:
        (with_context if takes_context(func) else plain)(func)
        return func

    return register
