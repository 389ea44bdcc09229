"""The process dies, and part of the store is lost: decisions count once, no call is repeated, and the record grows linearly."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import pytest
from pydantic_ai import ModelMessage, RunContext, ToolReturn, UserError
from pydantic_ai.exceptions import ApprovalRequired
from pydantic_ai.tools import DeferredToolResults

from tests.sampling import sampled, share
from tests.toolscript.approvals.conversation import KEY, Conversation, at_desk, conversation, desk
from tests.toolscript.scripted import run_code
from toolscript import ApproveCalls, FunctionToolset, MemoryStore, resolve


@dataclass
class DyingStore(MemoryStore):
    """Kills the run right after one of its writes, or instead of it."""

    writes_left: int = field(default=1_000)
    loses_last: bool = False

    async def save(self, key: str, text: str, /) -> None:
        self.writes_left -= 1
        if self.writes_left or not self.loses_last:
            await super().save(key, text)
        if self.writes_left == 0:
            raise asyncio.CancelledError


async def die_after(
    writes: int, talk: Conversation, store: DyingStore, results: DeferredToolResults | None = None
) -> list[ModelMessage] | None:
    """Return the history of a run that died at its n-th write; `None` if it finished."""
    store.writes_left, history = writes, list[ModelMessage]()
    prompt = None if results else 'go'
    try:
        async with talk.agent.iter(prompt, message_history=talk.messages, deferred_tool_results=results) as run:
            async for _ in run:
                history[:] = run.all_messages()
    except asyncio.CancelledError:
        return history
    return None


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


@pytest.mark.parametrize('loses_last', [False, True])
async def test_nothing_runs_or_asks_twice_whenever_the_process_dies(loses_last: bool) -> None:
    for writes in range(1, 100):
        store = DyingStore(loses_last=loses_last)
        talk, log = at_desk(TWO, store=store)
        await talk.start()
        results = talk.approved
        if await die_after(writes, talk, store, results) is None:
            assert writes > 5
            return
        waiting = await talk.resume(results)
        assert [call.args for call in waiting] == [{'what': 'c'}]
        await talk.decide(sign=True)
        (answer,) = talk.script.answers
        assert max(Counter(log).values()) == 1
        known = {what for what, reported in zip('abnc', answer, strict=True) if reported in (what, f'signed {what}')}
        assert known <= {line[-1] for line in log}
        assert answer.count('UnknownOutcome') == 4 - len(known) <= 2


@pytest.mark.parametrize('loses_last', [False, True])
async def test_a_rule_approves_each_call_once_and_no_more_than_it_states_whenever_the_process_dies(
    loses_last: bool,
) -> None:
    for writes in range(1, 100):
        store = DyingStore(loses_last=loses_last)
        code = TWO.partition('signed')[0] + '[await reported(sign(str(n))) for n in range(6)]'
        talk, log = at_desk(code, store=store)
        await talk.start()
        results = resolve(talk.requests, {}, rules=[ApproveCalls('sign', at_most=3)])
        if await die_after(writes, talk, store, results) is None:
            assert writes > 5
            return
        (waiting,) = await talk.resume(results)
        assert waiting.args == {'what': '3'}
        assert len(log) in (2, 3)
        assert len({*log}) == len(log)


async def test_the_metadata_of_a_second_answer_replaces_that_of_the_first() -> None:
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


# -- the state of a script is lost but not its journal, or the other way round: nothing is repeated

HALVES = """
import asyncio
async def reported(call):
    try:
        return await call
    except (KeyError, RuntimeError) as error:
        return str(error).partition(':')[0]
first = [await reported(note(n)) for n in '012']
both = await asyncio.gather(reported(note('1')), reported(fail()), reported(note('8')))
[*first, *both]
"""
Loses: TypeAlias = Callable[[str], bool]


def of_state(key: str) -> bool:
    return '.' not in key


def of_journal(key: str) -> bool:
    return '.' in key and not key.endswith('memory')


def losing(talk: Conversation, loses: Loses) -> None:
    """Delete part of the store."""
    store = talk.snapshots.store
    assert isinstance(store, DyingStore)
    store.writes_left = 10_000
    for key in [key for key in store.texts if loses(key)]:
        del store.texts[key]


@share(6)
@pytest.mark.parametrize('loses', [of_state, of_journal])
async def test_nothing_is_repeated_whenever_the_process_dies_and_half_of_the_store_is_lost(
    loses: Loses, one_in: int
) -> None:
    undisturbed, _ = at_desk(HALVES)
    await undisturbed.start()
    (whole,) = undisturbed.script.answers
    assert 'broken' in whole
    for writes in range(1, 100, one_in):
        store = DyingStore()
        talk, log = at_desk(HALVES, store=store)
        history = await die_after(writes, talk, store)
        if history is None:
            assert writes > 15
            return
        losing(talk, loses)
        await talk.agent.run(message_history=history)
        most = Counter(log)
        assert most.pop('note 1', 0) <= 2
        assert max(most.values(), default=0) <= 1
        (answer,) = talk.script.answers
        assert [
            value for value, right in zip(answer, whole, strict=True) if value not in (right, 'UnknownOutcome')
        ] == []
        assert answer.count('UnknownOutcome') <= 3


PAUSES = "a = await note('1')\nb = await sign(a)\nc = await note('2')\nd = await sign(c)\n[a, b, c, d]"


@pytest.mark.parametrize('loses', [of_state, of_journal])
async def test_a_waiting_script_continues_after_half_of_the_store_is_lost(loses: Loses) -> None:
    talk, log = at_desk(PAUSES, store=DyingStore())
    (waiting,) = await talk.start()
    losing(talk, loses)
    assert [call.args for call in await talk.decide(sign=True)] == [{'what': '2'}]
    assert log == ['note 1', 'sign 1', 'note 2']
    losing(talk, loses)
    await talk.resume(talk.approved)
    assert waiting.args == {'what': '1'}
    assert talk.script.answers == [['1', 'signed 1', '2', 'signed 2']]
    assert log == ['note 1', 'sign 1', 'note 2', 'sign 2']


@pytest.mark.parametrize('loses', [of_state, of_journal])
async def test_an_approval_by_id_alone_works_after_half_of_the_store_is_lost(loses: Loses) -> None:
    talk, log = at_desk(PAUSES, store=DyingStore())
    await talk.start()
    losing(talk, loses)
    asked = await talk.resume(talk.requests.build_results(approve_all=True))
    if loses is of_state:
        # The request is lost, so it is made again.
        assert ([call.args for call in asked], log) == ([{'what': '1'}], ['note 1'])
        asked = await talk.resume(talk.requests.build_results(approve_all=True))
    assert ([call.args for call in asked], log) == ([{'what': '2'}], ['note 1', 'sign 1', 'note 2'])


async def test_after_the_whole_store_is_lost_nothing_runs() -> None:
    talk, log = at_desk(PAUSES, store=DyingStore())
    await talk.start()
    losing(talk, lambda key: True)
    for results in (
        resolve(talk.requests, {talk.waiting[0].tool_call_id: True}),
        talk.requests.build_results(approve_all=True),
    ):
        with pytest.raises(UserError, match='is not in the store'):
            await talk.resume(results)
    with pytest.raises(UserError, match='is not in the store'):
        await talk.agent.run(message_history=talk.messages)
    assert log == ['note 1']


async def test_calls_of_a_crashed_attempt_that_the_next_one_did_not_reach_are_not_repeated_later() -> None:
    codes = "factor = '2'", 'a = await note(factor)\nawait sign(a)', "await note('2')"
    talk, log = at_desk(*codes, store=DyingStore())
    await talk.start()
    losing(talk, of_state)
    # The variable of the first script is lost with the state, so the second one fails before its first call.
    await talk.decide(sign=True)
    assert talk.script.answers[-1] == '2'
    assert log == ['note 2']


CUT_SHORT = """
import asyncio
try:
    async with asyncio.timeout(0.3):
        await asyncio.gather(*[linger(n) for n in range(300)])
except TimeoutError:
    await note('paid')
    await sign('receipt')
"""


async def test_a_call_after_hundreds_that_left_no_record_is_not_repeated_although_the_state_is_lost() -> None:
    toolset, log = desk()

    async def linger(n: int) -> None:
        await asyncio.sleep(3600)

    toolset.tool_plain(metadata={'read_only': True})(linger)
    talk = conversation(toolset, run_code(CUT_SHORT), snapshots=replace(KEY, store=DyingStore()))
    await talk.start()
    losing(talk, of_state)
    await talk.decide(sign=True)
    assert log == ['note paid', 'sign receipt']


# -- the record of a script grows linearly with its calls, and a later process finds all of it

IN_TURN = 'for n in range({calls}):\n    last = await note(n)\nlast'
AT_ONCE = 'import asyncio\nlen(await asyncio.gather(*[note(n) for n in range({calls})]))'
IN_TASKS = 'import asyncio\nlen(await asyncio.gather(*[asyncio.create_task(note(n)) for n in range({calls})]))'
BOTH = """
import asyncio
async def reported(call):
    try:
        return await call
    except RuntimeError as error:
        return str(error).partition(':')[0]
found = [await reported(note(n)) for n in range(40)]
found += await asyncio.gather(*[reported(note(n)) for n in range(40, 75)])
found
"""
WHOLE = [n * 10 for n in range(75)]


@dataclass
class CountingStore(MemoryStore):
    """Counts written bytes."""

    written: int = 0

    async def save(self, key: str, text: str, /) -> None:
        self.written += len(text)
        await super().save(key, text)


def notes() -> tuple[FunctionToolset[object], list[int]]:
    log: list[int] = []

    async def note(n: int) -> ToolReturn[int]:
        log.append(n)
        return ToolReturn(n * 10, metadata={'noted': n})

    return FunctionToolset[object]([note]), log


@pytest.mark.parametrize('code', [IN_TURN, pytest.param(AT_ONCE, marks=pytest.mark.long), IN_TASKS])
async def test_writes_are_linear_in_the_calls(code: str) -> None:
    sizes = list[int]()
    for calls in (32, 64, 128):
        store = CountingStore()
        talk = conversation(notes()[0], run_code(code.format(calls=calls)), snapshots=replace(KEY, store=store))
        await talk.start()
        sizes.append(store.written)
    few, many = sizes[1] - sizes[0], sizes[2] - sizes[1]
    assert many < 2.1 * few


async def dead(writes: int) -> tuple[Conversation, list[int], list[ModelMessage] | None]:
    """A conversation whose process died at its n-th write, in a script that makes 75 calls."""
    toolset, log = notes()
    store = DyingStore()
    talk = conversation(toolset, run_code(BOTH), snapshots=replace(KEY, store=store))
    return talk, log, await die_after(writes, talk, store)


@pytest.mark.parametrize('writes', sampled(range(100, 190, 3), 2))
async def test_a_script_with_many_calls_resumes_after_a_crash_and_repeats_nothing(writes: int) -> None:
    talk, log, history = await dead(writes)
    assert history is not None
    losing(talk, lambda key: False)
    await talk.agent.run(message_history=history)
    assert max(Counter(log).values()) == 1
    (answer,) = talk.script.answers
    assert [value for value, right in zip(answer, WHOLE, strict=True) if value not in (right, 'UnknownOutcome')] == []
    calls = talk.script.parts[0].metadata['tool_calls']
    assert [call['tool_call_id'].rpartition('__')[2] for call in calls] == [str(n) for n in range(1, 76)]
    finished = [number for number, call in enumerate(calls) if call['status'] == 'finished']
    assert [calls[number].get('metadata') for number in finished] == [{'noted': number} for number in finished]
