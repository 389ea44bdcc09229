"""Variables in a store: others cannot read or change them, and two runs do not mix theirs."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from mcp_types import TextContent
from pydantic_ai import Agent, DeferredToolRequests, ModelResponse, ModelRetry, RunContext, ToolCallPart, UserError
from pydantic_ai.toolsets import ToolsetTool, WrapperToolset

from tests.toolscript.approvals.conversation import approve_all
from tests.toolscript.every_store import PlainStore
from tests.toolscript.scripted import Script, run_code
from tests.toolscript.sessions.chats import Chat, priced, toolset
from toolscript import (
    CodeModeToolset,
    DirectoryStore,
    Files,
    FunctionToolset,
    MemoryStore,
    SavedFunctions,
    Scratch,
    Sessions,
    Snapshots,
    SnapshotStore,
    SqliteStore,
)
from toolscript.serve.client import ServedClient
from toolscript_sandbox import Limits, Sandbox
from toolscript_sandbox.execution.state import SessionState

KEYS = Snapshots(key='a key of the tests')


def kept_in(store: SnapshotStore, *functions: Any, snapshots: Snapshots = KEYS, **options: Any) -> CodeModeToolset[Any]:
    return toolset(Sessions(store, **options), *functions, snapshots=snapshots)


@pytest.mark.parametrize(
    'store', [MemoryStore, lambda: DirectoryStore(Path('folder')), lambda: SqliteStore('variables.db')]
)
async def test_another_process_loads_the_variables(
    store: Callable[[], SnapshotStore], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    place = store()
    chat = Chat(kept_in(place))
    await chat.turn('x = [1, 2]', 'x.append(3)')
    chat.toolset = kept_in(place if isinstance(place, MemoryStore) else store())
    assert await chat.turn('x') == [[1, 2, 3]]


async def test_a_changed_text_is_not_loaded_and_the_model_reads_why(caplog: pytest.LogCaptureFixture) -> None:
    store = MemoryStore()
    chat = Chat(kept_in(store))
    await chat.turn('x = 1')
    ((key, text),) = store.texts.items()
    store.texts[key] = text[:-9] + ('AAAA' if text[-9:-5] != 'AAAA' else 'BBBB') + text[-5:]
    with caplog.at_level(logging.WARNING, 'toolscript.sessions'):
        answer, value = await chat.turn('x', 'y = 2\ny')
    assert '`x`' in answer
    assert chat.reported == [
        'The variables of earlier turns are gone: the stored data is invalid. Set again what you need.'
    ]
    assert 'it was changed' in caplog.text
    assert [value, *await chat.turn('y')] == [2, 2]


@pytest.mark.parametrize('changed', [[0], [1], [0, 1]])
async def test_new_variables_replace_those_that_are_gone(changed: list[int]) -> None:
    store = MemoryStore()
    chat = Chat(kept_in(store))
    await chat.turn('x = 1', 'x = 2', 'x = 3')
    for slot in changed:
        store.texts[sorted(store.texts)[slot]] = 'not signed'
    await chat.turn('y = 1')
    answer, value = await chat.turn('x', 'y')
    assert '`x`' in answer
    assert value == 1


async def test_variables_of_one_owner_are_not_loaded_for_another() -> None:
    store = MemoryStore()
    one, other = Chat(kept_in(store), 'one'), Chat(kept_in(store), 'other')
    await one.turn('secret = 17')
    ((key, text),) = store.texts.items()
    await other.turn('x = 1')
    (place,) = store.texts.keys() - {key}
    store.texts[place] = text
    answer, _ = await other.turn('secret', '0')
    assert '`secret`' in answer


async def test_an_older_state_is_not_accepted_in_place_of_the_newer_one() -> None:
    store = MemoryStore()
    chat = Chat(kept_in(store))
    await chat.turn('x = 1', 'x = 2')
    first, second = sorted(store.texts)
    store.texts[first], store.texts[second] = store.texts[second], store.texts[first]
    answer, _ = await chat.turn('x', '0')
    assert '`x`' in answer


async def test_with_an_encryption_key_the_store_reveals_nothing() -> None:
    store = MemoryStore()
    secrets = Snapshots(encryption_key='another key of the tests')
    await Chat(kept_in(store, snapshots=secrets)).turn('password = "correct horse battery staple"')
    assert store.texts
    assert all(text.startswith('encrypted.') for text in store.texts.values())
    assert await Chat(kept_in(store, snapshots=secrets)).turn('password[:7]') == ['correct']


async def test_variables_of_another_version_are_dropped_and_the_model_reads_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = MemoryStore()
    chat = Chat(kept_in(store))
    with monkeypatch.context() as earlier:
        earlier.setattr(SessionState, 'READERS', 'toolscript 0.0.1 with pydantic-monty 1.4.0')
        await chat.turn('x = 1')
    answer, _ = await chat.turn('x', '0')
    assert '`x`' in answer
    assert chat.reported == [
        'The variables of earlier turns are gone: another version of the sandbox stored them. Set again what you need.'
    ]


@dataclass
class FailingStore(MemoryStore):
    """Fails when the test asks for it."""

    fails: str = ''
    hangs: asyncio.Event = field(default_factory=asyncio.Event)

    async def save(self, key: str, text: str, /) -> None:
        if self.fails == 'save':
            raise OSError('the disk is full')
        await super().save(key, text)

    async def load(self, key: str, /) -> str | None:
        if self.fails == 'load':
            raise OSError('the disk is gone')
        if self.fails == 'once' and self.claimed:
            self.fails = ''
            self.hangs.set()
            await asyncio.Event().wait()
        return await super().load(key)


async def test_the_answer_is_kept_if_no_worker_is_free_to_reduce_the_variables() -> None:
    async with Sandbox(workers=1, checkout_seconds=0.1) as busy:
        kept = toolset(Sessions(MemoryStore(), max_bytes=1_000), snapshots=KEYS, sandbox=busy)
        assert "{'result': 5, 'variables': 'The variables could not be stored." in str(
            await Chat(kept).turn('x = 1\n5')
        )


async def test_a_failed_save_keeps_the_answer_and_a_failed_load_ends_the_run() -> None:
    store = FailingStore(fails='save')
    chat = Chat(kept_in(store))
    assert await chat.turn('x = 1\n5') == [
        {'result': 5, 'variables': 'The variables could not be stored. Later turns find those that were stored before.'}
    ]
    store.fails = ''
    await chat.turn('x = 1')
    store.fails = 'load'
    with pytest.raises(UserError, match='FailingStore could not load the variables of earlier runs: OSError'):
        await chat.turn('x')


class Gate:
    """A tool that runs until the test releases it."""

    def __init__(self) -> None:
        self.reached, self.opened = asyncio.Event(), asyncio.Event()

    async def passed(self) -> int:
        self.reached.set()
        await self.opened.wait()
        return 1

    async def held(self, store: SnapshotStore, **options: Any) -> tuple[CodeModeToolset[Any], asyncio.Task[list[Any]]]:
        """Return code mode whose variables a run holds, and that run, which waits for the test."""
        code = kept_in(store, self.passed, **options)
        await Chat(code).turn('x = ["before"]')
        running = asyncio.create_task(Chat(code).turn('x.append(await passed())\nx'))
        await self.reached.wait()
        return code, running


async def test_the_second_of_two_runs_waits_and_loads_the_result_of_the_first() -> None:
    gate, asked = Gate(), asyncio.Event()
    code, running = await gate.held(MemoryStore())

    def ask(messages: Any, info: Any) -> ToolCallPart:
        asked.set()
        return run_code('x.append("second")\nx')

    waiting = asyncio.create_task(Chat(code).turn(ask, 'x.append("again")\nx'))
    await asked.wait()
    gate.opened.set()
    assert await running == [['before', 1]]
    refused, answer = await waiting
    assert refused.startswith('Nothing was run: the variables of earlier turns changed while you wrote this script.')
    assert answer == ['before', 1, 'again']


async def test_a_run_that_waited_too_long_works_with_a_copy_and_reports_it() -> None:
    gate = Gate()
    code, running = await gate.held(MemoryStore(), wait=timedelta())
    copied, again = await Chat(code).turn('x.append("copied")\nx', 'x.append("again")\nx')
    assert (copied['result'], again) == (['before', 'copied'], ['before', 'copied', 'again'])
    assert copied['variables'].endswith('This run works with a copy of them, and its changes are not stored.')
    gate.opened.set()
    assert await running == [['before', 1]]
    assert await Chat(code).turn('x') == [['before', 1]]


async def test_without_locks_the_variables_of_two_runs_are_not_mixed() -> None:
    gate = Gate()
    code, running = await gate.held(PlainStore())
    assert await Chat(code).turn('x.append("other")\nx') == [['before', 'other']]
    gate.opened.set()
    assert await running == [['before', 1]]
    assert await Chat(code).turn('x') == [['before', 1]]


async def test_a_cancelled_run_releases_the_variables() -> None:
    store = MemoryStore()
    code, running = await Gate().held(store)
    running.cancel()
    await asyncio.wait([running])
    assert store.claimed == {}
    assert await Chat(code).turn('x') == [['before']]


async def test_a_cancelled_script_leaves_the_variables_to_the_next_one_of_its_run() -> None:
    store = FailingStore(fails='once')
    client = ServedClient(kept_in(store, wait=timedelta()), 2_000)
    living = asyncio.create_task(client.live())
    cancelled = asyncio.create_task(client.call('run_code', {'code': 'x = 1'}))
    await store.hangs.wait()
    cancelled.cancel()
    assert (await client.call('run_code', {'code': '2'})).content == [TextContent(text='2')]
    client.end()
    await living


async def test_a_script_that_exceeds_a_limit_loses_no_stored_variable() -> None:
    limits, too_much = Limits(max_memory_bytes=10_000_000), "y = 'a' * 10 ** 9"
    chat = Chat(toolset(Sessions(MemoryStore()), limits=limits, snapshots=KEYS))
    _, failed, again = await chat.turn('x = 1', too_much, 'x = x + 1\nx')
    assert (failed.partition('\n')[2], again) == (
        'The session was reset: earlier variables are gone.\n\n'
        'The next script has the variables again that were stored before this one.',
        2,
    )
    assert await chat.turn('x') == [2]
    failed, again = await chat.turn(too_much, 'x')
    assert ('The next script has the variables again' in failed, again) == (True, 2)


async def test_a_cancelled_script_loses_no_stored_variable() -> None:
    waits = asyncio.Event()

    async def wait() -> None:
        waits.set()
        await asyncio.Event().wait()

    class Impatient(WrapperToolset[Any]):
        async def call_tool(
            self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
        ) -> Any:
            call = asyncio.ensure_future(super().call_tool(name, tool_args, ctx, tool))
            tasks = [call, asyncio.ensure_future(waits.wait())]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if waits.is_set():
                waits.clear()
                call.cancel()
                await asyncio.wait([call])
                raise ModelRetry('It took too long.')
            return await call

    chat = Chat(Impatient(toolset(Sessions(MemoryStore()), wait, snapshots=KEYS)))
    assert await chat.turn('x = 1', 'y = 2\nawait wait()', 'z = 3\nx') == [1, 'It took too long.', 1]
    assert await chat.turn('[x, z]') == [[1, 3]]


async def test_a_script_whose_answer_was_lost_finds_the_variables_of_its_start() -> None:
    store = MemoryStore()
    code = kept_in(store)
    chat = Chat(code)
    await chat.turn('count = 1')
    await chat.turn('count = count + 1\ncount')
    at = max(n for n, message in enumerate(chat.history) if isinstance(message, ModelResponse) and message.tool_calls)
    lost = chat.history[: at + 1]
    script = Script([])
    await Agent(script.model, toolsets=[code]).run(message_history=lost)
    assert script.answers == [2]


async def test_variables_saved_by_another_run_during_a_pause_are_not_overwritten() -> None:
    tools = FunctionToolset[object]()
    tools.add_function(priced, name='refund', requires_approval=True)
    code = CodeModeToolset(tools, snapshots=KEYS, sessions=Sessions(MemoryStore()))
    chat = Chat(code)

    async def run(**options: Any) -> Any:
        return await Agent(script.model, toolsets=[code], output_type=[str, DeferredToolRequests]).run(**options)

    async def decided(waits: Any) -> Any:
        return await run(message_history=waits.all_messages(), deferred_tool_results=approve_all(waits.output))

    await chat.turn('orders = [1]')
    script = Script([run_code('orders.append(await refund("tea"))\norders')])
    waits = await run(user_prompt='go', message_history=chat.history)
    chat.history = (await decided(waits)).all_messages()
    assert await chat.turn('orders') == [[1, 3.0]]
    script = Script([run_code('orders.append(await refund("milk"))\norders'), run_code('orders.append(3)')])
    waits = await run(user_prompt='go', message_history=chat.history)
    await chat.turn('orders = ["kept meanwhile"]')
    await decided(waits)
    assert script.answers[0]['result'] == [1, 3.0, 4.0]
    assert 'Another run changed the variables of earlier turns' in str(script.answers[0])
    assert await chat.turn('orders') == [['kept meanwhile']]


@pytest.mark.parametrize('owner', ['ann', 'bob'])
@pytest.mark.parametrize('named_by', ['sessions', 'functions', 'files'])
async def test_records_of_one_owner_are_not_used_for_another_in_a_conversation_with_the_same_id(
    named_by: str, owner: str, tmp_path: Path
) -> None:
    orders = list[str]()

    def owner_of(ctx: RunContext[str]) -> str:
        return ctx.deps

    settings: dict[str, Any] = {
        'sessions': Sessions(MemoryStore(), owner=owner_of),
        'functions': SavedFunctions(MemoryStore(), scope='user', owner=owner_of),
        'files': Files(scratch=Scratch(tmp_path, owner=owner_of)),
    }

    def order(ctx: RunContext[str], number: int) -> int:
        orders.append(ctx.deps)
        return number

    in_code = CodeModeToolset(
        FunctionToolset[str]([order]),
        snapshots=Snapshots(key='a key of the tests', store=MemoryStore()),
        **{named_by: settings[named_by]},
    )
    for deps in ('ann', owner):
        codes = 'await order(number=1)\n1 / 0', 'await order(number=1)'
        script = Script([ToolCallPart('run_code', {'code': code}, f'call_{n}') for n, code in enumerate(codes)])
        await Agent(script.model, deps_type=str, toolsets=[in_code]).run('go', deps=deps, conversation_id='shared')
    assert orders == (['ann', 'bob'] if owner == 'bob' else ['ann'])


async def test_variables_that_cannot_be_stored_replace_those_of_the_turn_before() -> None:
    store = MemoryStore()
    chat = Chat(kept_in(store))
    await chat.turn('price = 1')
    chat.toolset = kept_in(store, max_bytes=1_000)
    assert 'All variables are too large to be stored for later turns.' in str(await chat.turn('price = 2'))
    chat.toolset = kept_in(store)
    assert 'Nothing was run' in str(await chat.turn('price'))
