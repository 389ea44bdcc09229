"""Events of scripts, in the event stream of their run.

pydantic-ai's own events of tool calls would say that the model made these calls: chat UIs refuse results of calls that
they have not seen, and histories built from events would contain calls that no message has. So these are custom events,
which `event_stream_handler`, `run_stream_events`, `agent.iter` and the UI adapters pass on: AG-UI as `CUSTOM`, with
the event's name, Vercel AI as `data-{name}`. Each belongs to a `run_code` call, whose id is its `tool_call_id`.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic_ai import CustomEvent

from toolscript_sandbox import Status


@dataclass(kw_only=True)
class _ScriptEvent(CustomEvent, abstract=True):
    def to_payload(self) -> dict[str, Any]:
        """Returns what chat UIs get: the fields, the tool's name, and the `run_code` call as `run_code_id`."""
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
