"""The output that a script gave for its run.

It is in the metadata of the script's `run_code` return, so that it is found wherever the history goes: a run that died
between the end of the script and its own end continues with it.
"""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)

from toolscript.guards import fields
from toolscript.stored_json import StoredJson

ANSWER_KEY = 'toolscript_answer'
"""The metadata key: in a `run_code` return for what its script gave, and in the response made from that for the id of
the call."""


@dataclass(frozen=True)
class FinalAnswer:
    """The output of a run, as a model would give it."""

    content: str
    """The text, or the JSON of an output tool's arguments."""
    tool_name: str | None = None
    """The output tool; `None` for text."""

    def response(self, run_code_id: str) -> ModelResponse:
        """Return the response that a model would have sent; its metadata names the `run_code` call that gave it."""
        return ModelResponse([self._part(run_code_id)], metadata={ANSWER_KEY: run_code_id})

    def _part(self, run_code_id: str) -> ModelResponsePart:
        if self.tool_name is None:
            return TextPart(self.content)
        # The same whenever a durable engine replays it, and no longer than any provider accepts.
        digest = hashlib.sha256(run_code_id.encode('utf-8', 'replace')).hexdigest()[:24]
        return ToolCallPart(self.tool_name, self.content, f'answer_{digest}')

    def to_metadata(self) -> dict[str, Any]:
        return {ANSWER_KEY: _json.dump_python(self)}


def given_answer(messages: Sequence[ModelMessage], run_codes: Collection[str]) -> ModelResponse | None:
    """Return the first answer among the `run_codes`' returns that no model has read yet, as a model's response."""
    for part in unread_parts(messages):
        if isinstance(part, ToolReturnPart) and part.tool_name in run_codes:
            answer = _from_metadata(part.metadata)
            if answer is not None:
                return answer.response(part.tool_call_id)
    return None


def unread_parts(messages: Sequence[ModelMessage]) -> list[ModelRequestPart]:
    """Return the parts after the last response of a model."""
    parts = list[ModelRequestPart]()
    for message in reversed(messages):
        if not isinstance(message, ModelRequest):
            break
        parts[:0] = message.parts
    return parts


def _from_metadata(metadata: object) -> FinalAnswer | None:
    found = fields(metadata).get(ANSWER_KEY)
    try:
        return None if found is None else _json.load_python(found)
    except ValidationError:
        return None


_json = StoredJson(FinalAnswer)
