"""The runs of all chats: one at a time in each, whether or not a browser listens."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from pydantic_ai import AgentRunResult, ModelMessage, RunContext
from pydantic_ai.capabilities import Hooks
from pydantic_ai.messages import ModelResponse, ToolCallPart
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults

from examples.approvals.answers import Refused, decided
from examples.approvals.chats import Chats
from examples.approvals.clerk import Clerk
from examples.approvals.shop import Shop
from examples.approvals.turn import Setting, Turn
from toolscript import UndoReport, undo

NextStep: TypeAlias = Literal['say', 'answer', 'continue']
BROKEN_OFF = 'The server stopped while this ran. Nothing that was done is done again.'


@dataclass
class Conversations:
    clerk: Clerk
    shop: Shop
    chats: Chats
    _bells: dict[str, asyncio.Event] = field(default_factory=dict[str, asyncio.Event], init=False)
    """An event for each running chat, set when its next frame is available."""
    _runs: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]], init=False)

    def start(self, turn: Turn) -> AsyncIterator[str]:
        """Start a run and return its frames. It continues even if they are not read.

        Raises:
            Refused: The chat is running, or this cannot be answered, or not now.
        """
        if turn.chat_id in self._bells:
            raise Refused('This chat is at work. Wait until it is through.')
        history, waiting = self.chats.load(turn.chat_id)
        results = _results(turn, history, waiting)
        self._bells[turn.chat_id] = asyncio.Event()
        sent = self.chats.frame_count(turn.chat_id)
        run = asyncio.create_task(self._run(turn, history, results))
        self._runs.add(run)
        run.add_done_callback(self._runs.discard)
        return self.follow(turn.chat_id, sent)

    async def follow(self, chat_id: str, after: int = 0) -> AsyncIterator[str]:
        """Yield the frames of a chat after the first `after`; if it is running, also new ones up to its end."""
        while True:
            bell = self._bells.get(chat_id)
            for frame in self.chats.frames(chat_id, after):
                yield frame
                after += 1
            if bell is None:
                return
            await bell.wait()

    def next_step(self, chat_id: str) -> NextStep:
        """Return the possible next step of a chat that is not running."""
        history, waiting = self.chats.load(chat_id)
        return 'answer' if waiting else 'continue' if _is_interrupted(history) else 'say'

    async def undo(self, chat_id: str, *, commit: bool, seen: list[str] | None = None) -> UndoReport:
        """Return the changes of a chat's scripts; with `commit`, undo them unless they differ from what the page shows.

        Raises:
            Refused: The chat is running or waits for a decision.
        """
        history, waiting = self.chats.load(chat_id)
        if chat_id in self._bells or waiting is not None:
            raise Refused('Undo what this chat did once it is through.')
        listed = await undo(history, self.clerk, deps=self.shop)
        if not commit or seen not in (None, [call.render() for call in listed.calls]):
            return listed
        return await undo(history, self.clerk, deps=self.shop, commit=listed)

    async def close(self) -> None:
        """Stop all runs. They can continue when the chats are opened again."""
        for run in self._runs:
            run.cancel()
        await asyncio.gather(*self._runs, return_exceptions=True)

    async def _run(self, turn: Turn, history: list[ModelMessage], results: DeferredToolResults | None) -> None:
        chat_id = turn.chat_id

        async def ended(result: AgentRunResult[Any]) -> None:
            waiting = result.output if isinstance(result.output, DeferredToolRequests) else None
            self.chats.save(chat_id, result.all_messages(), waiting)

        keep = _keeping(lambda messages: self.chats.save(chat_id, messages))
        setting = Setting(self.shop, history, results, [keep], ended)
        self.chats.begins(chat_id, turn.broken_off(BROKEN_OFF))
        try:
            heard = False
            async for frame in turn.run(self.clerk, setting):
                self._send(chat_id, frame)
                if not heard:
                    self._send(chat_id, turn.heard())
                heard = True
            self.chats.ends(chat_id)
        finally:
            self._bells.pop(chat_id).set()

    def _send(self, chat_id: str, frame: str) -> None:
        self.chats.add_frame(chat_id, frame)
        bell, self._bells[chat_id] = self._bells[chat_id], asyncio.Event()
        bell.set()


def _results(
    turn: Turn, history: list[ModelMessage], waiting: DeferredToolRequests | None
) -> DeferredToolResults | None:
    if turn.answers:
        return decided(waiting, turn.answers)
    if waiting is not None:
        raise Refused('The chat waits for your decision. Approve or deny what it asks for, then continue.')
    if turn.text is None and not _is_interrupted(history):
        raise Refused('There is nothing to continue with. Say something.')
    if turn.text is not None and _calls_are_open(history):
        raise Refused('The last run was broken off in the middle of a script. Let it continue first.')
    return None


def _is_interrupted(history: list[ModelMessage]) -> bool:
    return _calls_are_open(history) or (bool(history) and not isinstance(history[-1], ModelResponse))


def _calls_are_open(history: list[ModelMessage]) -> bool:
    """Return whether the model made calls that have no results yet."""
    return bool(history) and any(isinstance(part, ToolCallPart) for part in history[-1].parts)


def _keeping(keep: Callable[[Sequence[ModelMessage]], None]) -> Hooks[Shop]:
    """Return hooks that call `keep` with the history before and after each request, from where a run can continue."""

    async def asked(ctx: RunContext[Shop], request_context: ModelRequestContext) -> ModelRequestContext:
        keep(ctx.messages)
        return request_context

    async def answered(
        ctx: RunContext[Shop], *, request_context: ModelRequestContext, response: ModelResponse
    ) -> ModelResponse:
        keep([*ctx.messages, response])
        return response

    return Hooks[Shop](before_model_request=asked, after_model_request=answered)
