"""What a message history says about the pauses of its scripts.

An approval with nothing but the id of a `run_code` call (a chat UI's, `build_results(approve_all=True)`)
does not say what it approves: a script that waits to begin, or the calls for which a started script waits. So
each pause leaves a digest of what it asked for in the metadata of the message with the call. It goes wherever the
history goes, also through the Vercel AI client, and no model sees it. A client that changes it can cause an approval
to be requested again, or do what its user could approve anyway.

The memory of the process was tried instead, but other processes do not have it. The metadata of the requests would be
the right place, but these approvals come without it.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart

from toolscript.guards import fields, items
from toolscript.run_code.history import code_of

from .pending import PendingCall, Plan, call_digest
from .review import one_line_call

_KEY = 'toolscript_paused'
_PLAN_KEY = 'toolscript_planned'


@dataclass(frozen=True)
class PlannedCall:
    """A row of a plan, as the history shows it to readers."""

    place: str
    """`'2.3'`: row 3 of the plan of the script's second pause."""
    line: int | None
    text: str
    """The call, on one line."""


@dataclass(frozen=True)
class HistoryCall:
    """A `run_code` call as it is in the history."""

    response: ModelResponse
    part: ToolCallPart

    @property
    def code(self) -> str | None:
        return code_of(self.part)

    @property
    def mark(self) -> str | None:
        """What its script's last pause asked for; `None` if it never paused, or the history lost that."""
        mark = fields(fields(self.response.metadata).get(_KEY)).get(self.part.tool_call_id)
        return mark if isinstance(mark, str) else None

    @property
    def is_unchanged(self) -> bool:
        """Whether the message is the one that the run wrote, with all its data, and not rebuilt from a client's."""
        return self.response.conversation_id is not None

    @property
    def planned(self) -> list[PlannedCall]:
        rows = items(fields(fields(self.response.metadata).get(_PLAN_KEY)).get(self.part.tool_call_id))
        found = list[PlannedCall]()
        for row in rows:
            match items(row):
                case [str(place), int() | None as line, str(text)]:
                    found.append(PlannedCall(place, line, text))
                case _:
                    continue
        return found

    def leave(self, mark: str, plan: Plan | None) -> None:
        self._add(_KEY, mark)
        if plan is not None:
            rows = [(row.row, one_line_call(row.tool_name, row.args)) for row in plan.to_ask]
            self._add(_PLAN_KEY, [[plan.place(row.number), row.line, text] for row, text in rows if row is not None])

    def _add(self, key: str, value: object) -> None:
        metadata = self.response.metadata or {}
        # A new object, so that a copy of the message in an earlier history does not change.
        self.response.metadata = {**metadata, key: dict(fields(metadata.get(key))) | {self.part.tool_call_id: value}}


def made_call(messages: Sequence[ModelMessage], run_code_id: str) -> HistoryCall | None:
    for message in reversed(messages):
        if isinstance(message, ModelResponse):
            for part in reversed(message.parts):
                if isinstance(part, ToolCallPart) and part.tool_call_id == run_code_id:
                    return HistoryCall(message, part)
    return None


def pause_mark(pauses: int, calls: Iterable[PendingCall]) -> str:
    """Return the number of a script's pause, and a digest of what it asks for."""
    asked = '\n'.join(sorted(call_digest(call) for call in calls))
    return f'{pauses}:{hashlib.sha256(asked.encode()).hexdigest()[:32]}'


def pauses_before(mark: str | None) -> int:
    number = (mark or '').partition(':')[0]
    return int(number) if number.isdecimal() else 0
