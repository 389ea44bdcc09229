"""The context of what an MCP client asks for: a run without an agent."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pydantic_ai import CustomEvent, RunContext
from pydantic_ai.models.test import TestModel

Listener: TypeAlias = Callable[[CustomEvent], Awaitable[None]]

STAND_IN = TestModel(model_name='an MCP client')
"""Nobody asks it anything: the model is the client's."""


@dataclass(repr=False, kw_only=True)
class ServedContext(RunContext[None]):
    """A run context whose events go to whoever listens: an agent's run, which would carry them, there is none."""

    listener: Listener | None = field(default=None, repr=False)

    async def emit(self, event: Any, /) -> Any:
        """Hand the event on."""
        if self.listener is not None:
            await self.listener(event)
        return event
