"""A turn in the protocol of the Vercel AI SDK.

Its approvals are an id with yes or no. So pending calls are sent in a separate chunk at the end of a run,
`data-toolscript.waiting`, and the answers come in a separate field, `decisions`, as `body` of `sendMessage`:

    {"decisions": {"ID__2": {"approved": true, "editedArgs": {...}}}}

Without that field, the SDK's own approvals count, which can decide about whole scripts.
"""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from pydantic import ValidationError
from pydantic_ai import AgentRunResult
from pydantic_ai.tools import DeferredToolRequests
from pydantic_ai.ui.vercel_ai import VercelAIAdapter
from pydantic_ai.ui.vercel_ai.request_types import (
    DynamicToolApprovalRespondedPart,
    RequestData,
    SubmitMessage,
    TextUIPart,
    ToolApprovalResponded,
    ToolApprovalRespondedPart,
    UIMessage,
)
from pydantic_ai.ui.vercel_ai.response_types import DataChunk, ErrorChunk

from examples.approvals.answers import Answer, Refused, answers_by_id
from examples.approvals.clerk import Clerk
from examples.approvals.turn import Setting, Turn
from toolscript import pending_calls


@dataclass(frozen=True)
class VercelTurn(Turn):
    """The body of a request of `useChat`."""

    @classmethod
    def read(cls, body: bytes) -> 'VercelTurn':
        """Parse the turn in a request.

        Raises:
            ValidationError: The body is invalid.
            Refused: An answer is invalid.
        """
        given = VercelAIAdapter.build_run_input(body)
        last = given.messages[-1] if given.messages else None
        if last is None or last.role != 'user':
            return cls(given.id, None, _answers(given))
        return cls(given.id, ''.join(part.text for part in last.parts if isinstance(part, TextUIPart)), {})

    def run(self, clerk: Clerk, setting: Setting) -> AsyncIterator[str]:
        """Run the agent and yield the frames of the protocol."""
        messages = [UIMessage(id=uuid4().hex, role='user', parts=[TextUIPart(text=self.text)])] if self.text else []
        run_input = SubmitMessage(id=self.chat_id, messages=messages)
        adapter = VercelAIAdapter(agent=clerk, run_input=run_input, sdk_version=6)

        async def ended(result: AgentRunResult[Any]) -> AsyncIterator[DataChunk]:
            await setting.ended(result)
            if isinstance(result.output, DeferredToolRequests):
                calls = [call.to_json() for call in pending_calls(result.output)]
                yield DataChunk(type='data-toolscript.waiting', data=calls)

        chunks = adapter.run_stream(
            message_history=setting.history,
            deferred_tool_results=setting.results,
            capabilities=setting.capabilities,
            conversation_id=self.chat_id,
            deps=setting.shop,
            on_complete=ended,
        )
        return adapter.encode_stream(chunks)

    def heard(self) -> str:
        """Return a frame with the message or the decisions of the turn."""
        answers = answers_by_id.dump_python(self.answers, by_alias=True, exclude_none=True)
        return _frame(DataChunk(type='data-chat.heard', data={'text': self.text, 'answers': answers}))

    def broken_off(self, why: str) -> str:
        """Return a frame that says that the run ended early."""
        return _frame(ErrorChunk(error_text=why))


def _answers(given: RequestData) -> dict[str, Answer]:
    decisions = (given.model_extra or {}).get('decisions')
    if decisions is None:
        parts = given.messages[-1].parts if given.messages else []
        decisions = {part.tool_call_id: _own(part.approval) for part in parts if isinstance(part, _Responded)}
    try:
        return answers_by_id.validate_python(decisions)
    except ValidationError as error:
        raise Refused(f'An answer has to say approved: true or false, nothing was run: {error}') from error


def _own(approval: object) -> dict[str, Any]:
    """Return the decision that `addToolApprovalResponse` sends."""
    responded = isinstance(approval, ToolApprovalResponded)
    return {'approved': approval.approved, 'reason': approval.reason} if responded else {}


def _frame(chunk: Any) -> str:
    return f'data: {json.dumps(chunk.model_dump(by_alias=True, exclude_none=True))}\n\n'


_Responded = ToolApprovalRespondedPart | DynamicToolApprovalRespondedPart
