"""The parts of messages, as entries of a transcript."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pydantic_ai.messages import (
    BaseToolCallPart,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    ToolCallPart,
)

from toolscript.guards import strings

from .answers import Answers, answer_of, is_return
from .excerpts import Room
from .scripts import Scripts
from .transcript import Called, Entry, LeftOut, Said, Speaker
from .values import as_json, as_text, prompt_text

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
        """What the model is told, but for what its calls gave: that is told with them."""
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
