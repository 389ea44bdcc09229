"""Events of scripts, in the event stream of their run.

pydantic-ai's own events of tool calls would say that the model made these calls: chat UIs refuse results of calls that
they have not seen, and histories built from events would contain calls that no message has. So these are custom events,
which `event_stream_handler`, `run_stream_events`, `agent.iter` and the UI adapters pass on: AG-UI as `CUSTOM`, with
the event's name, Vercel AI as `data-{name}`. Each belongs to a `run_code` call, whose id is its `tool_call_id`.
"""

import asyncio
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeVar

from pydantic_ai import CustomEvent, RunContext, UserError
from pydantic_ai.messages import CapabilityEvent

from toolscript_sandbox import Status


@dataclass(kw_only=True)
class _ScriptEvent(CustomEvent, abstract=True):
    def to_payload(self) -> dict[str, Any]:
        """Return what chat UIs get: the fields, the tool's name, and the `run_code` call as `run_code_id`."""
        return {'run_code_id': self.tool_call_id, 'tool_name': self.tool_name, **super().to_payload()}


@dataclass(kw_only=True)
class ScriptCallEvent(_ScriptEvent, name='toolscript.call'):
    """A script calls a tool. `tool_name` is the tool's own name.

    A call that waited for an approval has another event, with the same id, when it resumes.
    """

    call_id: str
    """`{run_code_id}__{n}`."""
    arguments: dict[str, Any] = field(default_factory=dict[str, Any])
    """Long values are replaced by their shape."""
    line: int | None = None
    """The line of the model's code."""


@dataclass(kw_only=True)
class ScriptResultEvent(_ScriptEvent, name='toolscript.result'):
    """A call of a script has ended, or waits: each `ScriptCallEvent` has one."""

    call_id: str
    status: Status
    """`'finished'`, `'failed'`; `'waiting'` for an approval or an external result; `'running'`, if it was cancelled and
    its outcome is unknown."""
    result: Any = None
    """Whole up to about 2,000 characters of JSON, otherwise a text about its shape and size."""
    truncated: bool = False
    """Whether `result` is only a part or the shape of the result."""
    error: str | None = None
    seconds: float = 0.0
    reused: bool = False
    """Whether it ran earlier and was not repeated."""
    speculative: bool = False
    """Whether it started while the model was writing the script."""
    origins: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """By argument, the calls and variables that it comes from, as text, if flows are tracked."""
    row: str | None = None
    """The row of the plan that it used up: `'2.3'` is row 3 of the plan of the script's second pause."""


@dataclass(kw_only=True)
class ScriptPrintEvent(_ScriptEvent, name='toolscript.print'):
    """A script printed something. The event comes before the script's next call, or at its end."""

    text: str
    """At most the last 4,000 characters of it."""


@dataclass(kw_only=True)
class ScriptPauseEvent(_ScriptEvent, name='toolscript.pause'):
    """A script waits for these calls; the run ends in `DeferredToolRequests`."""

    call_ids: list[str]
    planned: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """The rows of its plan, as `PendingCall.to_json()` gives them."""


@dataclass(kw_only=True)
class ScriptUndoEvent(_ScriptEvent, name='toolscript.undo'):
    """A call of a script was undone, or an attempt at that failed."""

    call_id: str
    undo_tool_name: str
    """The tool that was called to undo it."""
    status: Literal['undone', 'failed', 'unknown']
    """`'unknown'`: the inverse call may or may not have done its work."""
    error: str | None = None


HELD_SECONDS = 0.005
"""The longest delay of an event, on an event loop that is not busy."""
MAX_EVENTS = 4_000
"""The most events of one script, because the run stores those that are not consumed yet."""

DepsT_co = TypeVar('DepsT_co', covariant=True)
EventT = TypeVar('EventT', CustomEvent, CapabilityEvent)


class EventBuffer:
    """The events of one script, in order, sent in batches.

    An application that iterates a run's events wakes up for each of them, which takes three turns of the event loop and
    more time than the event itself. A script that makes quick calls one after the other has a hundred of them within a
    few turns, so they are held for a few milliseconds and sent together. The order is kept: an event that a tool sends
    comes after those that are held.
    """

    def __init__(self, ctx: RunContext[Any]) -> None:
        self.holds: bool = False
        """Whether events may wait for others."""
        self._ctx = ctx
        self._left = MAX_EVENTS
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
    """Return the context with these changes and with `held`, which keeps the order of events."""
    same = {one.name: getattr(ctx, one.name) for one in fields(ctx) if one.init}
    return EventContext(**(same | changes), held=held)
