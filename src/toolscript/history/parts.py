"""The parts of messages, scripts with their calls among them, as entries of a transcript."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from pydantic_ai.messages import (
    BaseToolCallPart,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    ToolCallPart,
)

from toolscript.approvals.pause_marks import MadeCall, pauses_before
from toolscript.guards import strings
from toolscript.observability.script_calls import ScriptCall, script_calls
from toolscript.routing.placement import RUN_CODE

from .answers import Answers, answer_of, is_return
from .transcript import Answer, Called, Entry, LeftOut, NestedCall, Ran, Room, Said, Speaker
from .values import as_json, as_python, as_text, prompt_text

_SPEAKERS: dict[str, Speaker] = {
    'user-prompt': 'user',
    'system-prompt': 'system',
    'instruction-delta': 'instructions',
    'retry-prompt': 'feedback',
    'retry-feedback': 'feedback',
    'compaction': 'summary',
    'text': 'model',
    'file': 'model',
    'thinking': 'thinking',
}
_NO_TEXT = {
    'instruction-delta': '(withdrawn)',
    'compaction': '(only the provider can read it)',
    'thinking': '(only the provider can read it)',
}
_NOT_SENT = {'instruction-baseline', 'instruction-digest'}

PartT = TypeVar('PartT')


@dataclass
class PartReader:
    """Reads the parts of a history's messages."""

    answers: Answers
    scripts: Scripts
    room: Room

    def request(self, message: ModelRequest) -> Iterator[Entry]:
        """What the model reads, but for what its calls gave: that is told with them."""
        parts = [part for part in message.parts if not is_return(part) or self.answers.is_lone(part)]
        for part in parts[: self.room.bounds.parts]:
            yield from self._lone(part) if is_return(part) else self._said(part)
        yield from self._more(parts)

    def response(self, message: ModelResponse) -> Iterator[Entry]:
        """What the model said and called."""
        parts = [part for part in message.parts if not is_return(part)]
        for part in parts[: self.room.bounds.parts]:
            yield from self._call(part, message) if isinstance(part, BaseToolCallPart) else self._said(part)
        yield from self._more(parts)

    def _call(self, part: BaseToolCallPart, message: ModelResponse) -> Iterator[Entry]:
        answer = self.answers.to(part, self.room)
        script = self.scripts.told(message, part, answer, self.room) if isinstance(part, ToolCallPart) else None
        yield script or Called(
            tool_name=part.tool_name,
            arguments=self.room.excerpt(part.args if isinstance(part.args, str) else as_json(part.args or {})),
            answer=answer,
            by_provider=not isinstance(part, ToolCallPart),
        )

    def _lone(self, part: ModelRequestPart) -> Iterator[Entry]:
        name = str(getattr(part, 'tool_name', ''))
        yield Called(tool_name=name, arguments=None, answer=answer_of(part, self.room))

    def _said(self, part: ModelRequestPart | ModelResponsePart) -> Iterator[Entry]:
        kind = part.part_kind
        content: object = getattr(part, 'content', None)
        if kind == 'tool-availability-delta':
            names = ', '.join(strings(getattr(part, 'tools_added', None)))
            yield self._entry('note', f'may be called from here on: {names}')
        elif kind == 'speech':
            spoken = (content, getattr(part, 'audio', None))
            yield self._entry('user' if getattr(part, 'speaker', '') == 'user' else 'model', prompt_text(spoken))
        elif kind in _SPEAKERS:
            text = prompt_text(content) if kind == 'user-prompt' else as_text(content) if content else ''
            yield self._entry(_SPEAKERS[kind], text or _NO_TEXT.get(kind, ''))
        elif kind not in _NOT_SENT:
            yield self._entry('note', f'{kind} {as_json(part)}')

    def _entry(self, speaker: Speaker, text: str) -> Said:
        return Said(speaker=speaker, text=self.room.excerpt(text))

    def _more(self, parts: Sequence[PartT]) -> Iterator[LeftOut]:
        over = len(parts) - self.room.bounds.parts
        if over > 0:
            yield LeftOut(what=f'{over:,} more parts')


_ARGUMENT = 2_000


@dataclass(frozen=True)
class Scripts:
    """The calls of all scripts in a history."""

    calls: Mapping[str, Sequence[ScriptCall]] = field(default_factory=dict[str, Sequence[ScriptCall]])
    """By the id of the `run_code` call."""

    @classmethod
    def of(cls, messages: Sequence[ModelMessage]) -> Scripts:
        """Those of these messages."""
        found: dict[str, list[ScriptCall]] = {}
        for call in script_calls(messages):
            found.setdefault(call.run_code_id, []).append(call)
        return cls(found)

    def told(self, response: ModelResponse, part: ToolCallPart, answer: Answer | None, room: Room) -> Ran | None:
        """The script that a call sends; `None` where it sends none."""
        made = MadeCall(response, part)
        code = made.code
        calls = self.calls.get(part.tool_call_id, ())
        # Whatever else takes code is no script, and an application may call `run_code` by another name.
        if code is None or not (part.tool_name.endswith(RUN_CODE) or calls or made.mark):
            return None
        options = {name: value for name, value in part.args_as_dict().items() if name != 'code'}
        most = room.bounds.calls
        return Ran(
            tool_name=part.tool_name,
            code=room.excerpt(code),
            options=room.excerpt(as_json(options) if options else ''),
            calls=tuple(_nested(call, room) for call in calls[:most]),
            more_calls=max(0, len(calls) - most),
            pauses=pauses_before(made.mark),
            answer=answer,
        )


def _nested(call: ScriptCall, room: Room) -> NestedCall:
    arguments = [(name, room.excerpt(as_python(value), _ARGUMENT)) for name, value in call.arguments.items()]
    result = call.result if call.truncated and isinstance(call.result, str) else as_python(call.result)
    return NestedCall(
        function=call.function,
        arguments=tuple(arguments),
        status=call.status,
        result=room.excerpt(result if call.status == 'finished' else ''),
        truncated=call.truncated,
        error=None if call.error is None else room.excerpt(call.error),
        seconds=call.seconds,
        line=call.line,
        reused=call.reused,
        speculative=call.speculative,
        decision=call.decision,
    )
