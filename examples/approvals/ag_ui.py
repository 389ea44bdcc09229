"""A turn in the AG-UI protocol.

An interrupt lists the pending calls in its metadata, and an answer may change arguments. AG-UI has no form for single
calls of a script, so the answers to those are in the payload, under `calls`:

    {"interruptId": "int-ID", "status": "resolved", "payload": {"calls": {"ID__2": {"approved": true}}, ...}}
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from ag_ui.core import CustomEvent, ResumeEntry, RunAgentInput, RunErrorEvent, UserMessage
from ag_ui.encoder import EventEncoder
from pydantic import BaseModel, ValidationError
from pydantic_ai.ui.ag_ui import AGUIAdapter

from examples.approvals.answers import Answer, Refused, answers_by_id
from examples.approvals.clerk import Clerk
from examples.approvals.turn import Setting, Turn


@dataclass(frozen=True)
class AGUITurn(Turn):
    """The body of a request of `HttpAgent`, or of the page."""

    run_id: str

    @classmethod
    def read(cls, body: bytes) -> 'AGUITurn':
        """Parse the turn in a request.

        Raises:
            ValidationError: The body is invalid.
            Refused: An answer is invalid.
        """
        given = AGUIAdapter.build_run_input(body)
        answers = {call_id: answer for entry in given.resume or [] for call_id, answer in _answers(entry).items()}
        last = given.messages[-1] if given.messages and not answers else None
        text = last.content if isinstance(last, UserMessage) and isinstance(last.content, str) else None
        return cls(given.thread_id, text, answers, given.run_id)

    def run(self, clerk: Clerk, setting: Setting) -> AsyncIterator[str]:
        """Run the agent and yield the frames of the protocol."""
        messages = [UserMessage(id=self.run_id, content=self.text)] if self.text else []
        run_input = RunAgentInput(
            thread_id=self.chat_id,
            run_id=self.run_id,
            messages=[*messages],
            state={},
            tools=[],
            context=[],
            forwarded_props={},
        )
        adapter = AGUIAdapter(agent=clerk, run_input=run_input)
        events = adapter.run_stream(
            message_history=setting.history,
            deferred_tool_results=setting.results,
            capabilities=setting.capabilities,
            deps=setting.shop,
            on_complete=setting.ended,
        )
        return adapter.encode_stream(events)

    def heard(self) -> str:
        """Return a frame with the message or the decisions of the turn."""
        answers = answers_by_id.dump_python(self.answers, by_alias=True, exclude_none=True)
        return EventEncoder().encode(CustomEvent(name='chat.heard', value={'text': self.text, 'answers': answers}))

    def broken_off(self, why: str) -> str:
        """Return a frame that says that the run ended early."""
        return EventEncoder().encode(RunErrorEvent(message=why))


class _Payload(BaseModel):
    calls: dict[str, Answer] = {}
    """The answers by call id."""


def _answers(entry: ResumeEntry) -> dict[str, Answer]:
    call_id = entry.interrupt_id.removeprefix('int-')
    if entry.status == 'cancelled':
        return {call_id: Answer(approved=False, reason='Cancelled by user.')}
    try:
        payload = _Payload.model_validate(entry.payload)
        return payload.calls or {call_id: Answer.model_validate(entry.payload)}
    except ValidationError as error:
        raise Refused(f'An answer has to say approved: true or false, nothing was run: {error}') from error
