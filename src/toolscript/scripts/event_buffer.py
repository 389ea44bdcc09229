"""Events of a script, sent in batches.

An application that iterates a run's events wakes up for each of them, which takes three turns of the event loop and
more time than the event itself. A script that makes quick calls one after the other has a hundred of them within a
few turns, so they are held for a few milliseconds and sent together. The order is kept: an event that a tool sends
comes after those that are held.
"""

import asyncio
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from pydantic_ai import CustomEvent, RunContext, UserError
from pydantic_ai.messages import CapabilityEvent

HELD_SECONDS = 0.005
"""The longest delay of an event, on an event loop that is not busy."""
MOST_EVENTS = 4_000
"""The most events of one script, because the run stores those that are not consumed yet."""

DepsT_co = TypeVar('DepsT_co', covariant=True)
EventT = TypeVar('EventT', CustomEvent, CapabilityEvent)


class EventBuffer:
    """The events of one script, in order."""

    def __init__(self, ctx: RunContext[Any]) -> None:
        self.holds: bool = False
        """Whether events may wait for others."""
        self._ctx = ctx
        self._left = MOST_EVENTS
        self._held = list[CustomEvent]()
        self._timer: asyncio.TimerHandle | None = None
        self._sending: asyncio.Task[None] | None = None

    async def send(self, event: CustomEvent) -> None:
        if self._left == 0:
            return
        self._left -= 1
        self._held.append(event)
        if not self.holds:
            await self.flush()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(HELD_SECONDS, self._start_flush)

    async def flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        held, self._held = self._held, []
        try:
            for event in held:
                await self._ctx.emit(event)
        except UserError:
            # Nothing receives events: the toolset is used without a run, or an engine keeps the events to itself.
            self._left = 0

    def _start_flush(self) -> None:
        self._sending = asyncio.ensure_future(self.flush())


@dataclass(repr=False, kw_only=True)
class EventContext(RunContext[DepsT_co]):
    """The context of a script's calls: events of their tools come after those that the script sent before."""

    held: EventBuffer

    async def emit(self, event: EventT, /) -> EventT:
        """Emit an event like `RunContext.emit`, in order with the events of the script."""
        await self.held.flush()
        return await super().emit(event)


def with_events(ctx: RunContext[DepsT_co], held: EventBuffer, **changes: Any) -> RunContext[DepsT_co]:
    """Returns the context with these changes and with `held`, which keeps the order of events."""
    same = {one.name: getattr(ctx, one.name) for one in fields(ctx) if one.init}
    return EventContext(**(same | changes), held=held)
