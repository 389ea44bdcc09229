"""What a function tells of itself when it becomes a tool."""

import inspect
from collections.abc import Callable
from typing import Any

from pydantic_ai import Tool


def takes_context(func: Callable[..., Any]) -> bool:
    """Whether the function is to be called with a `RunContext` first.

    One whose first parameter says nothing is taken to be meant so, and upstream tells its author to annotate it.
    """
    first = next(iter(inspect.signature(func).parameters.values()), None)
    if first is None:
        return False
    return first.annotation is inspect.Parameter.empty or Tool[Any](func).takes_ctx
