"""Events of a script, told several at a time.

Whoever iterates a run's events is woken for each that comes while nobody looks, which takes three turns of the event
loop and more time than the event itself. A script that calls quick tools one after the other has a hundred of them in
the time of a few turns. So they are held, for a time that nobody can see, and told together. What a tool tells itself
stands where it always stood: it has a context that lets go of what is held before it tells anything.
"""

import asyncio
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from pydantic_ai import CustomEvent, RunContext, UserError
from pydantic_ai.messages import CapabilityEvent

HELD_SECONDS = 0.005
"""How late an event is told at most, on an event loop that has time."""
MOST_EVENTS = 4_000
"""Of one script: the run keeps those that nobody has taken yet."""

DepsT_co = TypeVar('DepsT_co', covariant=True)
EventT = TypeVar('EventT', CustomEvent, CapabilityEvent)


class HeldEvents:
    """What one script tells the watchers of its run, in order."""

    def __init__(self, ctx: RunContext[Any]) -> None:
        """`ctx` is that of the script."""
        self.holds: bool = False
        """Whether events may wait for others."""
        self._ctx = ctx
        self._left = MOST_EVENTS
        self._held = list[CustomEvent]()
        self._timer: asyncio.TimerHandle | None = None
        self._telling: asyncio.Task[None] | None = None

    async def tell(self, event: CustomEvent) -> None:
        """Tell it, soon."""
        if self._left == 0:
            return
        self._left -= 1
        self._held.append(event)
        if not self.holds:
            await self.flush()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(HELD_SECONDS, self._is_late)

    async def flush(self) -> None:
        """Tell now what is held."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        held, self._held = self._held, []
        try:
            for event in held:
                await self._ctx.emit(event)
        except UserError:
            # There is no run to watch: the toolset is used by itself, or an engine keeps the run's events to itself.
            self._left = 0

    def _is_late(self) -> None:
        self._telling = asyncio.ensure_future(self.flush())


@dataclass(repr=False, kw_only=True)
class TellingContext(RunContext[DepsT_co]):
    """The context of a script's calls: what their tools tell comes after what the script told before."""

    held: HeldEvents

    async def emit(self, event: EventT, /) -> EventT:
        """As `RunContext.emit`, in its place among the events of the script."""
        await self.held.flush()
        return await super().emit(event)


def telling(ctx: RunContext[DepsT_co], held: HeldEvents, **changes: Any) -> RunContext[DepsT_co]:
    """The context with these changes, and in step with the events that are held."""
    same = {one.name: getattr(ctx, one.name) for one in fields(ctx) if one.init}
    return TellingContext(**(same | changes), held=held)
