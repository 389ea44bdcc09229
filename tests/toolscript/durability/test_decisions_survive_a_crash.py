"""The process dies while a script continues by somebody's decisions; the same decisions, handed in again, count once."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field, replace

import pytest
from pydantic_ai import RunContext
from pydantic_ai.exceptions import ApprovalRequired
from pydantic_ai.tools import DeferredToolResults

from tests.toolscript.approvals.conversation import KEY, Conversation, conversation
from tests.toolscript.scripted import run_code
from toolscript import ApproveCalls, FunctionToolset, MemoryStore, resolve

pytestmark = pytest.mark.anyio


@dataclass
class DyingStore(MemoryStore):
    """Ends the life of the run right after one of its writes."""

    writes_left: int = field(default=1_000)

    async def save(self, key: str, text: str, /) -> None:
        await super().save(key, text)
        self.writes_left -= 1
        if self.writes_left == 0:
            raise asyncio.CancelledError


def desk() -> tuple[FunctionToolset[object], list[str]]:
    log: list[str] = []
    toolset = FunctionToolset[object]()

    async def sign(what: str) -> str:
        log.append(f'sign {what}')
        return what

    async def note(what: str) -> str:
        log.append(f'note {what}')
        return what

    toolset.tool_plain(requires_approval=True)(sign)
    toolset.tool_plain(note)
    return toolset, log


async def die_after(writes: int, talk: Conversation, store: DyingStore, results: DeferredToolResults) -> bool:
    """Whether a run with the decisions died at its n-th write."""
    store.writes_left = writes
    try:
        await talk.agent.run(message_history=talk.messages, deferred_tool_results=results)
    except asyncio.CancelledError:
        return True
    return False


TWO = """
import asyncio
async def reported(call):
    try:
        return await call
    except RuntimeError as error:
        return str(error).partition(':')[0]
signed = await asyncio.gather(reported(sign('a')), reported(sign('b')))
noted = await reported(note('n'))
last = await reported(sign('c'))
[*signed, noted, last]
"""


async def test_nothing_runs_or_is_asked_twice_whenever_the_process_dies() -> None:
    for writes in range(1, 100):
        toolset, log = desk()
        store = DyingStore()
        talk = conversation(toolset, run_code(TWO), snapshots=replace(KEY, store=store))
        await talk.start()
        results = resolve(talk.requests, {call.tool_call_id: True for call in talk.waiting})
        if not await die_after(writes, talk, store, results):
            assert writes > 5
            return
        waiting = await talk.resume(results)
        assert [call.args for call in waiting] == [{'what': 'c'}]
        await talk.decide(sign=True)
        (answer,) = talk.script.answers
        assert max(Counter(log).values()) == 1
        known = {what for what, reported in zip('abnc', answer, strict=True) if reported == what}
        assert known <= {line[-1] for line in log}
        assert answer.count('UnknownOutcome') == 4 - len(known) <= 2


async def test_a_rule_approves_no_more_than_it_says_whenever_the_process_dies() -> None:
    for writes in range(1, 100):
        toolset, log = desk()
        store = DyingStore()
        code = TWO.partition('signed')[0] + '[await reported(sign(str(n))) for n in range(6)]'
        talk = conversation(toolset, run_code(code), snapshots=replace(KEY, store=store))
        await talk.start()
        results = resolve(talk.requests, {}, rules=[ApproveCalls('sign', at_most=3)])
        if not await die_after(writes, talk, store, results):
            assert writes > 5
            return
        (waiting,) = await talk.resume(results)
        assert waiting.args == {'what': '3'}
        assert len(log) in (2, 3)


async def test_a_tool_that_asks_twice_gets_what_goes_with_the_second_answer_only() -> None:
    toolset, _ = desk()
    reported: list[object] = []

    async def transfer(ctx: RunContext[object], amount: int) -> str:
        reported.append(ctx.tool_call_metadata)
        if len(reported) < 3:
            raise ApprovalRequired({'signatures': len(reported)})
        return f'{amount} transferred'

    toolset.tool(transfer)
    talk = conversation(toolset, run_code('await transfer(5)'))
    (first,) = await talk.start()
    (second,) = await talk.resume(
        resolve(talk.requests, {first.tool_call_id: True}, metadata={first.tool_call_id: {'by': 'Ada'}})
    )
    assert second == replace(first, metadata={'signatures': 2})
    await talk.decide(transfer=True)
    assert (talk.script.answers, reported) == (['5 transferred'], [None, {'by': 'Ada'}, None])
