"""The state of a script is lost and its journal is not, or the other way round: nothing is repeated."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import pytest
from pydantic_ai import ModelMessage, UserError
from pydantic_ai.exceptions import ToolFailed

from tests.sampling import share
from tests.toolscript.approvals.conversation import KEY, Conversation, conversation
from tests.toolscript.durability.test_decisions_survive_a_crash import DyingStore
from tests.toolscript.scripted import run_code
from toolscript import FunctionToolset, resolve

pytestmark = pytest.mark.anyio

CODE = """
import asyncio
async def reported(call):
    try:
        return await call
    except (KeyError, RuntimeError) as error:
        return str(error).partition(':')[0]
first = [await reported(note(n)) for n in range(3)]
both = await asyncio.gather(reported(note(1)), reported(stumble(7)), reported(note(8)))
[*first, *both]
"""
Loses: TypeAlias = Callable[[str], bool]


def of_state(key: str) -> bool:
    return '.' not in key


def of_journal(key: str) -> bool:
    return '.' in key and not key.endswith('memory')


def desk() -> tuple[FunctionToolset[object], list[str]]:
    log: list[str] = []
    toolset = FunctionToolset[object]()

    async def note(n: int) -> int:
        log.append(f'note {n}')
        return n * 10

    async def stumble(n: int) -> int:
        log.append(f'stumble {n}')
        raise ToolFailed('stumbled')

    async def sign(n: int) -> str:
        log.append(f'sign {n}')
        return f'{n} signed'

    toolset.tool_plain(note)
    toolset.tool_plain(stumble)
    toolset.tool_plain(requires_approval=True)(sign)
    return toolset, log


def losing(talk: Conversation, loses: Loses) -> None:
    """Lose part of the store."""
    store = talk.snapshots.store
    assert isinstance(store, DyingStore)
    store.writes_left = 10_000
    for key in [key for key in store.texts if loses(key)]:
        del store.texts[key]


async def die_after(writes: int, talk: Conversation, store: DyingStore) -> list[ModelMessage] | None:
    """The history of a run that died at its n-th write; `None` if it came to its end."""
    store.writes_left = writes
    history = list[ModelMessage]()
    try:
        async with talk.agent.iter('go') as run:
            async for _ in run:
                history[:] = run.all_messages()
    except asyncio.CancelledError:
        return history
    return None


@share(6)
@pytest.mark.parametrize('loses', [of_state, of_journal])
async def test_nothing_is_repeated_whenever_the_process_dies_and_half_of_the_store_with_it(
    loses: Loses, one_in: int
) -> None:
    undisturbed = conversation(desk()[0], run_code(CODE), snapshots=KEY)
    await undisturbed.start()
    (whole,) = undisturbed.script.answers
    assert 10 in whole
    for writes in range(1, 100, one_in):
        toolset, log = desk()
        store = DyingStore()
        talk = conversation(toolset, run_code(CODE), snapshots=replace(KEY, store=store))
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


PAUSES = 'a = await note(1)\nb = await sign(a)\nc = await note(2)\nd = await sign(c)\n[a, b, c, d]'


@pytest.mark.parametrize('loses', [of_state, of_journal])
async def test_a_script_that_waits_continues_with_half_of_the_store_gone(loses: Loses) -> None:
    toolset, log = desk()
    talk = conversation(toolset, run_code(PAUSES), snapshots=replace(KEY, store=DyingStore()))
    (waiting,) = await talk.start()
    losing(talk, loses)
    assert [call.args for call in await talk.decide(sign=True)] == [{'n': 20}]
    assert log == ['note 1', 'sign 10', 'note 2']
    losing(talk, loses)
    await talk.resume(resolve(talk.requests, {call.tool_call_id: True for call in talk.waiting}))
    assert waiting.args == {'n': 10}
    assert (talk.script.answers, log) == (
        [[10, '10 signed', 20, '20 signed']],
        ['note 1', 'sign 10', 'note 2', 'sign 20'],
    )


@pytest.mark.parametrize('loses', [of_state, of_journal])
async def test_an_approval_by_the_id_alone_continues_with_half_of_the_store_gone(loses: Loses) -> None:
    toolset, log = desk()
    talk = conversation(toolset, run_code(PAUSES), snapshots=replace(KEY, store=DyingStore()))
    await talk.start()
    losing(talk, loses)
    asked = await talk.resume(talk.requests.build_results(approve_all=True))
    if loses is of_state:
        # What was asked for is not known any more, so it is asked for again.
        assert ([call.args for call in asked], log) == ([{'n': 10}], ['note 1'])
        asked = await talk.resume(talk.requests.build_results(approve_all=True))
    assert ([call.args for call in asked], log) == ([{'n': 20}], ['note 1', 'sign 10', 'note 2'])


async def test_with_all_of_the_store_gone_nothing_runs() -> None:
    toolset, log = desk()
    talk = conversation(toolset, run_code(PAUSES), snapshots=replace(KEY, store=DyingStore()))
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


async def test_what_a_lost_life_did_and_the_next_one_did_not_come_to_is_not_done_again_by_a_later_script() -> None:
    toolset, log = desk()
    kept = run_code('factor = 2')
    failing = run_code('a = await note(factor)\nawait sign(a)')
    talk = conversation(toolset, kept, failing, run_code('await note(2)'), snapshots=replace(KEY, store=DyingStore()))
    await talk.start()
    losing(talk, of_state)
    # The variable of the first script is gone with the state, so the second one fails before its first call.
    await talk.decide(sign=True)
    assert talk.script.answers[-1] == 20
    assert log == ['note 2']
