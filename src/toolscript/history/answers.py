"""What the model's calls gave, each to be found by its call."""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pydantic_ai.messages import BaseToolCallPart, ModelMessage, ModelRequestPart, ModelResponsePart

from toolscript.discovery.discoveries import names_in
from toolscript.discovery.search_options import DEFAULT_SEARCH_TOOL_NAME
from toolscript.guards import fields, is_object, strings

from .excerpts import Room
from .transcript import Answer, Outcome
from .values import as_json, as_text

Part = ModelRequestPart | ModelResponsePart

_RETURNS = {'tool-return', 'builtin-tool-return', 'retry-prompt'}
_OUTCOMES: dict[object, Outcome] = {
    'success': 'success',
    'failed': 'failed',
    'denied': 'denied',
    'interrupted': 'interrupted',
    'retried': 'retried',
}
_BESIDE = {'stdout', 'changed', 'new_functions', 'observed'}
"""What may stand in the answer to a script beside its result."""


class _Told(NamedTuple):
    place: int
    part: Part
    run_id: str | None


class Answers:
    """The answers in a history: each belongs to the first call before it that has its id and no answer yet."""

    def __init__(self, messages: Sequence[ModelMessage]) -> None:
        waiting: dict[str, deque[_Told]] = {}
        for told in _told(messages):
            if is_return(told.part):
                waiting.setdefault(_id_of(told.part), deque()).append(told)
        self._by_call: dict[int, tuple[_Told, bool]] = {}
        for call in _told(messages):
            found = waiting.get(_id_of(call.part)) if isinstance(call.part, BaseToolCallPart) else None
            if found and found[0].place >= call.place:
                answer = found.popleft()
                later = None not in (call.run_id, answer.run_id) and call.run_id != answer.run_id
                self._by_call[id(call.part)] = answer, later
        self._lone = {id(told.part) for found in waiting.values() for told in found}

    def to(self, call: BaseToolCallPart, room: Room) -> Answer | None:
        """What a call gave; `None` where the history does not say."""
        found = self._by_call.get(id(call))
        return None if found is None else answer_of(found[0].part, room, later=found[1])

    def is_lone(self, part: Part) -> bool:
        """Whether the part answers a call that the history does not have."""
        return id(part) in self._lone


def is_return(part: Part) -> bool:
    """Whether a part answers a call."""
    # Asking for another try is also a part of its own in older histories, and has a tool's name if it answers a call.
    return part.part_kind in _RETURNS and getattr(part, 'tool_name', None) is not None


def answer_of(part: Part, room: Room, *, later: bool = False) -> Answer:
    """What a part that answers a call says."""
    outcome = 'retried' if part.part_kind == 'retry-prompt' else getattr(part, 'outcome', 'success')
    parts = tuple((name, room.excerpt(text)) for name, text in _parts(part))
    return Answer(outcome=_OUTCOMES.get(outcome, 'success'), parts=parts, later=later)


def _parts(part: Part) -> Iterator[tuple[str, str]]:
    content: object = getattr(part, 'content', None)
    metadata = fields(getattr(part, 'metadata', None))
    if is_object(content) and _BESIDE & content.keys() and content.keys() <= _BESIDE | {'result'}:
        yield from ((name, as_text(value)) for name, value in content.items())
    else:
        # An empty text would look like nothing at all.
        yield 'result', as_text(content) or as_json(content)
    if fixes := strings(metadata.get('fixes')):
        yield 'repaired', '\n'.join(fixes)
    if found := list(dict.fromkeys(names_in(part, tool_name=DEFAULT_SEARCH_TOOL_NAME))):
        yield 'found', ', '.join(found)


def _told(messages: Sequence[ModelMessage]) -> Iterator[_Told]:
    for place, message in enumerate(messages):
        for part in message.parts:
            yield _Told(place, part, message.run_id)


def _id_of(part: Part) -> str:
    return str(getattr(part, 'tool_call_id', ''))
