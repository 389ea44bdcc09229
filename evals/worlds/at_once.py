"""Tools that nothing else runs beside."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec('P')
R = TypeVar('R')


def at_once(function: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    """The same function, to be run in the event loop: in threads, calls made together would meet in the state."""

    @wraps(function)
    async def tool(*args: P.args, **kwargs: P.kwargs) -> R:
        return function(*args, **kwargs)

    return tool
