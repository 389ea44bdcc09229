"""A conversation that may end, be serialized as JSON, and continue as if in another process."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import TypeAdapter
from pydantic_ai import Agent, CallDeferred, ModelMessage, ModelMessagesTypeAdapter, UserError
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults
from pydantic_ai.toolsets import AbstractToolset

from tests.toolscript.scripted import Script, Turn, run_code
from toolscript import (
    ApproveCalls,
    CodeModeToolset,
    FunctionToolset,
    PendingCall,
    Snapshots,
    pending_calls,
    resolve,
)

KEY = Snapshots(key='the key of the tests')

_requests = TypeAdapter(DeferredToolRequests)
_results = TypeAdapter(DeferredToolResults)


def approve_all(requests: DeferredToolRequests) -> DeferredToolResults:
    return resolve(requests, {call.tool_call_id: True for call in pending_calls(requests)})


@dataclass
class Conversation:
    """The runs of one conversation. Only JSON is passed from run to run."""

    toolset: AbstractToolset[object]
    script: Script
    snapshots: Snapshots = KEY
    capabilities: Sequence[AbstractCapability[object]] = ()
    history: bytes = b'[]'
    requests: DeferredToolRequests = field(default_factory=DeferredToolRequests)
    output: Any = None
    questions: list[list[PendingCall]] = field(default_factory=list[list[PendingCall]])

    async def start(self) -> list[PendingCall]:
        """Do the first run and return the pending calls."""
        result = await self.agent.run('go')
        return self._ended(result.output, result.all_messages())

    async def decide(self, *rules: ApproveCalls, **decisions: object) -> list[PendingCall]:
        """Do the next run; `decisions` are by tool name, for all pending calls of that tool."""
        by_id = {call.tool_call_id: decisions[call.tool_name] for call in self.waiting if call.tool_name in decisions}
        return await self.resume(resolve(self.requests, by_id, rules=rules))

    async def decide_each(self, decisions: Iterable[object]) -> list[PendingCall]:
        """Do the next run with one decision for each pending call."""
        by_id = {call.tool_call_id: decision for call, decision in zip(self.waiting, decisions, strict=True)}
        return await self.resume(resolve(self.requests, by_id))

    async def approve_all(self, most: int = 100) -> list[list[PendingCall]]:
        """Run to the end, approving everything. Returns the pending calls of each pause."""
        waiting = await self.start()
        while waiting:
            self.questions.append(waiting)
            assert len(self.questions) <= most
            waiting = await self.decide_each([True] * len(waiting))
        return self.questions

    async def resume(self, results: DeferredToolResults) -> list[PendingCall]:
        carried = _results.validate_json(_results.dump_json(results))
        result = await self.agent.run(message_history=self.messages, deferred_tool_results=carried)
        return self._ended(result.output, result.all_messages())

    async def again(self) -> list[PendingCall]:
        """Do the next run without decisions."""
        result = await self.agent.run(message_history=self.messages)
        return self._ended(result.output, result.all_messages())

    @property
    def agent(self) -> Agent[object, str | DeferredToolRequests]:
        """Return an agent without state from earlier runs."""
        return Agent(
            self.script.model,
            deps_type=object,
            output_type=[str, DeferredToolRequests],
            toolsets=[self.code_mode()],
            capabilities=self.capabilities,
        )

    def code_mode(self) -> AbstractToolset[object]:
        return CodeModeToolset(self.toolset, snapshots=self.snapshots)

    @property
    def messages(self) -> list[ModelMessage]:
        return ModelMessagesTypeAdapter.validate_json(self.history)

    @property
    def waiting(self) -> list[PendingCall]:
        return pending_calls(self.requests)

    @property
    def approved(self) -> DeferredToolResults:
        """The decisions that approve all pending calls."""
        return approve_all(self.requests)

    def _ended(self, output: Any, messages: list[ModelMessage]) -> list[PendingCall]:
        self.history, self.output = ModelMessagesTypeAdapter.dump_json(messages), output
        waits = isinstance(output, DeferredToolRequests)
        self.requests = _requests.validate_json(_requests.dump_json(output)) if waits else DeferredToolRequests()
        return self.waiting


def conversation(toolset: AbstractToolset[object], *turns: Turn, **options: Any) -> Conversation:
    return Conversation(toolset, Script([*turns]), **options)


async def approved(toolset: AbstractToolset[object], *turns: Turn, **options: Any) -> Conversation:
    """Return a conversation that has ended, and in which every call was approved."""
    talk = conversation(toolset, *turns, **options)
    await talk.approve_all()
    return talk


def at_desk(*codes: str, **keys: Any) -> tuple[Conversation, list[str]]:
    """Return a conversation that runs these scripts at the desk, with these settings of its key, and the log."""
    toolset, log = desk()
    return conversation(toolset, *map(run_code, codes), snapshots=replace(KEY, **keys)), log


def desk(**metadata: Any) -> tuple[FunctionToolset[object], list[str]]:
    """Tools that log their calls; `sign` and `pay` need approval, and `ask` is answered externally."""
    log = list[str]()

    async def note(what: str) -> str:
        log.append(f'note {what}')
        return what

    async def sign(what: str) -> str:
        log.append(f'sign {what}')
        return f'signed {what}'

    async def pay(amount: int) -> str:
        log.append(f'pay {amount}')
        return f'{amount} paid'

    async def ask(question: str) -> str:
        log.append(f'ask {question}')
        raise CallDeferred({'line': 7})

    async def fail() -> None:
        log.append('fail')
        raise ToolFailed('broken')

    toolset = FunctionToolset[object]([note, ask, fail], metadata=metadata or None)
    toolset.tool_plain(requires_approval=True)(sign)
    toolset.tool_plain(requires_approval=True)(pay)
    return toolset, log


async def interrupted(talk: Conversation) -> tuple[list[ModelMessage], Exception | None]:
    """Return the history of a run and the error that ended it early."""
    history = list[ModelMessage]()
    async with talk.agent.iter('go') as run:
        try:
            async for _ in run:
                history[:] = run.all_messages()
        except UserError as error:
            return history, error
    return history, None
