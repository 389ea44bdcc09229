"""With a store, the state of scripts stays on the server's side and outlives runs and processes."""

import asyncio
import json
import sqlite3
from collections.abc import Callable, Coroutine
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, ModelMessage, UserError
from pydantic_ai.tools import DeferredToolRequests

from tests.toolscript.approvals.conversation import KEY, Conversation, conversation
from tests.toolscript.every_store import StoreMaker
from tests.toolscript.scripted import Script, run_code
from toolscript import CodeModeToolset, FunctionToolset, MemoryStore, SnapshotStore, SqliteStore, pending_calls, resolve

pytestmark = pytest.mark.anyio


def run(function: Callable[..., Coroutine[Any, Any, Any]], *arguments: Any) -> Any:
    """What the coroutine function gives. Not `anyio.run`, which refuses beside fixtures that live for the session."""
    return asyncio.run(function(*arguments))


class Desk:
    """Tools that leave a trace, one of which needs approval."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.toolset = FunctionToolset[object]()
        self.toolset.tool_plain(self.note)
        self.toolset.tool_plain(self.fail)
        self.toolset.tool_plain(requires_approval=True)(self.sign)

    async def note(self, text: str) -> str:
        self.log.append(text)
        return text.upper()

    async def fail(self) -> None:
        raise ValueError('broken')

    async def sign(self, text: str) -> str:
        self.log.append(f'sign {text}')
        return f'signed {text}'


@pytest.fixture
def desk() -> Desk:
    return Desk()


SIGNS = "a = await note('a')\nb = await sign(a)\nc = await note('c')\n[a, b, c]"


def stored(desk: Desk, store: SnapshotStore, *codes: str, **changes: Any) -> Conversation:
    return conversation(desk.toolset, *map(run_code, codes), snapshots=replace(KEY, store=store, **changes))


async def test_what_was_saved_is_loaded(make: StoreMaker, tmp_path: Path) -> None:
    store = make(tmp_path)
    assert await store.load('a.1') is None
    await store.save('a.1', 'first')
    await store.save('a.1', 'second')
    await store.save('a', 'other')
    assert (await store.load('a.1'), await store.load('a')) == ('second', 'other')


async def test_a_paused_script_continues_from_the_store(make: StoreMaker, tmp_path: Path, desk: Desk) -> None:
    talk = stored(desk, make(tmp_path), SIGNS)
    await talk.start()
    (metadata,) = talk.requests.metadata.values()
    assert len(metadata['toolscript_snapshot']) < 60
    await talk.decide(sign=True)
    assert (talk.script.answers, desk.log) == ([['A', 'signed A', 'C']], ['a', 'sign A', 'c'])


async def test_decisions_handed_in_twice_run_nothing_twice(desk: Desk) -> None:
    talk = stored(desk, MemoryStore(), SIGNS)
    (waiting,) = await talk.start()
    requests, history = talk.requests, talk.history
    await talk.decide(sign=True)
    talk.requests, talk.history = requests, history
    assert waiting == talk.waiting[0]
    await talk.decide(sign=True)
    assert (talk.script.answers, desk.log) == ([['A', 'signed A', 'C']] * 2, ['a', 'sign A', 'c'])


async def test_a_snapshot_that_is_not_in_the_store_is_refused(desk: Desk) -> None:
    talk = stored(desk, MemoryStore(), SIGNS)
    await talk.start()
    talk.snapshots = replace(KEY, store=MemoryStore())
    with pytest.raises(UserError) as error:
        await talk.decide(sign=True)
    assert str(error.value).replace(talk.requests.approvals[0].tool_call_id, 'ID') == snapshot(
        'The snapshot of run_code ID is not in the store (any more), so nothing was run. '
        'Every process needs Snapshots with the same store.'
    )
    assert desk.log == ['a']


async def test_a_pause_whose_request_was_lost_is_requested_again(desk: Desk) -> None:
    talk = stored(desk, MemoryStore(), SIGNS)
    waiting = await talk.start()
    # The process died before anybody kept the request: only the history is left.
    result = await talk.agent.run(message_history=talk.messages)
    assert isinstance(result.output, DeferredToolRequests)
    talk.requests = result.output
    assert talk.waiting == waiting
    await talk.decide(sign=True)
    assert (talk.script.answers, desk.log) == ([['A', 'signed A', 'C']], ['a', 'sign A', 'c'])


async def test_what_a_failed_snippet_finished_is_remembered_by_the_next_run(desk: Desk) -> None:
    store = MemoryStore()
    script = Script([run_code("await note('once')\nawait fail()"), 'that failed', run_code("await note('once')")])
    agent = Agent(
        script.model, deps_type=object, toolsets=[CodeModeToolset(desk.toolset, snapshots=replace(KEY, store=store))]
    )
    first = await agent.run('go')
    await agent.run('continue', message_history=first.all_messages())
    assert (script.answers[1], desk.log) == ('ONCE', ['once'])


async def test_after_an_interruption_what_failed_has_failed_and_what_ran_is_unknown(desk: Desk) -> None:
    lingering = asyncio.Event()

    async def stumble() -> None:
        desk.log.append('stumble')
        raise KeyError('gone')

    async def linger(name: str) -> str:
        desk.log.append(f'linger {name}')
        await asyncio.sleep(0.01)
        lingering.set()
        await asyncio.sleep(3600)
        return name

    async def read() -> int:
        desk.log.append('read')
        if desk.log.count('read') == 1:
            await asyncio.sleep(3600)
        return 3

    desk.toolset.tool_plain(stumble)
    desk.toolset.tool_plain(linger)
    desk.toolset.tool_plain(metadata={'read_only': True})(read)
    code = """
import asyncio
async def reported(call):
    try:
        return await call
    except (KeyError, RuntimeError) as error:
        return type(error).__name__
await asyncio.gather(reported(stumble()), reported(linger('x')), reported(read()), reported(note('noted')))
"""
    talk = stored(desk, MemoryStore(), code)
    history: list[ModelMessage] = []

    async def first() -> None:
        async with talk.agent.iter('go') as run:
            async for _ in run:
                history[:] = run.all_messages()

    task = asyncio.create_task(first())
    await lingering.wait()
    task.cancel()
    await asyncio.wait([task])
    await talk.agent.run(message_history=history)
    assert talk.script.answers == [['KeyError', 'RuntimeError', 3, 'NOTED']]
    assert sorted(desk.log) == ['linger x', 'noted', 'read', 'read', 'stumble']


async def test_a_model_that_counts_its_calls_from_zero_in_each_turn_gets_fresh_results(desk: Desk) -> None:
    again = replace(run_code("await note('a')"), tool_call_id='functions.run_code:0')
    script = Script([again, again, again])
    agent = Agent(
        script.model,
        deps_type=object,
        toolsets=[CodeModeToolset(desk.toolset, snapshots=replace(KEY, store=MemoryStore()))],
    )
    await agent.run('go')
    assert desk.log == ['a', 'a', 'a']


async def test_a_history_that_lost_its_conversation_needs_its_id(desk: Desk) -> None:
    talk = stored(desk, MemoryStore(), "import asyncio\nawait asyncio.gather(sign('a'), sign('b'))")
    first, _ = await talk.start()
    conversation_id = talk.messages[-1].conversation_id
    messages = json.loads(talk.history)
    for message in messages:
        message.pop('conversation_id')
    talk.history = json.dumps(messages).encode()
    results = resolve(talk.requests, {first.tool_call_id: True})
    with pytest.raises(UserError, match='another call or conversation'):
        await talk.resume(results)
    assert desk.log == []
    again = await talk.agent.run(
        message_history=talk.messages, deferred_tool_results=results, conversation_id=conversation_id
    )
    assert isinstance(again.output, DeferredToolRequests)
    assert [call.args for call in pending_calls(again.output)] == [{'text': 'b'}]
    assert desk.log == ['sign a']


async def test_old_texts_are_removed_on_demand(make: StoreMaker, tmp_path: Path) -> None:
    store, young = make(tmp_path, ttl=timedelta(hours=-2)), make(tmp_path)
    if isinstance(store, MemoryStore):
        return
    await store.save('key', 'text')
    await young.save('other', 'text')
    assert (young.forget_old(), await young.load('key')) == (0, 'text')
    assert (store.forget_old(), store.forget_old(), await store.load('key')) == (2, 0, None)


def test_an_sqlite_store_can_be_shared_and_closed(tmp_path: Path) -> None:
    one, other = SqliteStore(tmp_path / 'state.db'), SqliteStore(str(tmp_path / 'state.db'))
    run(one.save, 'key', 'text')
    assert run(other.load, 'key') == 'text'
    one.close()
    assert run(one.load, 'key') == 'text'
    one.close()
    other.close()
    connection = sqlite3.connect(tmp_path / 'state.db')
    assert connection.execute('select key, text from toolscript_snapshots').fetchall() == [('key', 'text')]
    connection.close()
