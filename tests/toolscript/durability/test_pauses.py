"""All state of a run continues with its script."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from os import urandom
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic import TypeAdapter
from pydantic_ai import Agent, BinaryContent, ModelMessage, ModelMessagesTypeAdapter, RunContext, ToolReturn
from pydantic_ai.capabilities import HandleDeferredToolCalls
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred
from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults, ToolApproved, ToolDenied
from pydantic_ai.toolsets import AbstractToolset

from tests.toolscript.approvals.conversation import KEY, approve_all, approved, conversation
from tests.toolscript.lives import python
from tests.toolscript.scripted import Script, call, run_code, streaming
from toolscript import (
    CodeMode,
    CodeModeToolset,
    FunctionToolset,
    MemoryStore,
    SearchableToolset,
    pending_calls,
    resolve,
)

PICTURE = BinaryContent(b'\xff\xd8 picture', media_type='image/jpeg')


def studio() -> tuple[FunctionToolset[object], list[str]]:
    log: list[str] = []

    async def take_picture() -> BinaryContent:
        log.append('picture')
        return PICTURE

    async def describe() -> ToolReturn[str]:
        return ToolReturn('described', content='what the model should read', metadata={'seen': b'\xff'})

    async def publish(what: object) -> str:
        log.append('publish')
        return 'published'

    async def count_visitors(day: str) -> int:
        log.append(f'count {day}')
        return 7

    toolset = FunctionToolset[object]([take_picture, describe])
    toolset.tool_plain(requires_approval=True)(publish)
    toolset.tool_plain(defer_loading=True)(count_visitors)
    return toolset, log


def prompts_of(parts: Sequence[Any]) -> list[Any]:
    return [
        part.content
        for message in parts
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, UserPromptPart)
    ]


async def test_files_reach_the_model_as_files() -> None:
    toolset, log = studio()
    talk = await approved(toolset, run_code('picture = await take_picture()\nawait publish(picture)\npicture'))
    (answer,) = talk.script.answers
    assert isinstance(answer, BinaryContent)
    assert (answer.data, answer.media_type, log) == (PICTURE.data, 'image/jpeg', ['picture', 'publish'])


async def test_messages_and_metadata_of_tools_survive() -> None:
    toolset, _ = studio()
    talk = await approved(toolset, run_code('await describe()\nawait publish(1)'))
    assert prompts_of(talk.messages)[-1] == ['what the model should read']
    assert talk.script.parts[0].metadata['tool_calls'][0]['metadata'] == {'seen': '_w=='}


async def test_metadata_and_reasons_that_json_cannot_hold_stop_no_script() -> None:
    toolset = FunctionToolset[object]()
    cycle: list[object] = []
    cycle.append(cycle)

    @toolset.tool_plain
    async def sign() -> ToolReturn[str]:
        return ToolReturn('signed', content='half \udcff', metadata={'form': cycle})

    @toolset.tool
    async def publish(ctx: RunContext[object]) -> str:
        raise ApprovalRequired({'form': cycle})

    talk = conversation(toolset, run_code('await sign()\nawait publish()'), snapshots=replace(KEY, store=MemoryStore()))
    (waiting,) = await talk.start()
    assert waiting.metadata == {'form': ['...']}
    denied = resolve(talk.requests, {waiting.tool_call_id: ToolDenied('half \udcff')})
    result = await talk.agent.run(message_history=talk.messages, deferred_tool_results=denied)
    assert 'publish was not approved: half ?' in result.all_messages_json().decode()


async def test_a_script_that_holds_a_deeply_nested_result_can_resume() -> None:
    toolset, log = studio()
    page: list[object] = []
    for _ in range(300):
        page = [page]

    @toolset.tool_plain
    async def read_page() -> list[object]:
        return page

    store = replace(KEY, store=MemoryStore())
    talk = await approved(toolset, run_code('await publish(await read_page())'), snapshots=store)
    assert (talk.script.answers, log) == (['published'], ['publish'])


async def test_tools_found_before_a_pause_can_be_called_after_it() -> None:
    toolset, log = studio()
    searchable: AbstractToolset[object] = SearchableToolset(toolset)
    code = "found = await search_tools('visitors')\nawait publish(1)\nawait count_visitors('today')"
    talk = await approved(searchable, run_code(code))
    assert (talk.script.answers, log) == ([7], ['publish', 'count today'])
    assert talk.script.parts[0].metadata['toolscript_discovered'] == ['count_visitors']


async def test_text_printed_before_a_pause_is_shown_after_it() -> None:
    toolset, _ = studio()
    talk = await approved(toolset, run_code("print('before')\nawait publish(1)\nprint('after')"))
    assert talk.script.answers == [{'stdout': 'before\nafter\n'}]


async def test_a_value_that_was_read_is_stored_once_with_a_paused_script() -> None:
    toolset, _ = studio()

    @toolset.tool_plain(metadata={'read_only': True})
    async def read_page(chars: int) -> str:
        return urandom(chars // 2).hex()

    sizes = list[int]()
    for chars in (10, 100_000):
        talk = conversation(toolset, run_code(f'size = len(await read_page(chars={chars}))\nawait publish(size)'))
        await talk.start()
        sizes.append(len(str(talk.requests.metadata)))
    assert 50_000 < sizes[1] - sizes[0] < 100_000


async def test_a_call_whose_result_was_too_large_has_failed_in_the_record_of_the_resumed_script() -> None:
    toolset, _ = studio()
    toolset.add_function(lambda: ['x'] * 10_000_000, name='list_all')
    code = 'try:\n    await list_all()\nexcept RuntimeError:\n    await publish(1)'
    talk = await approved(toolset, run_code(code))
    listed, published = talk.script.parts[0].metadata['tool_calls']
    assert (listed['tool_name'], published['tool_name'], published['status']) == ('list_all', 'publish', 'finished')
    assert listed['error'].startswith('RuntimeError: list_all has run, but its result is too large for a script')


async def test_a_restart_clears_variables_and_can_still_pause() -> None:
    toolset, _ = studio()
    talk = await approved(toolset, run_code('x = 20'), run_code('x = await publish(1)\nx', restart=True))
    assert talk.script.answers == [20, 'published']


# -- content and metadata of tools survive whatever their types, also in a process that reads before it writes

PROGRAM = """
from math import nan
from pydantic_ai.tools import DeferredToolResults
from toolscript.approvals.decisions import Decisions
from toolscript.durability.call_cache import CallCache, stored_cache
from toolscript.durability.journal import CallEntry, Finished, stored_entry
from toolscript.durability.script_state import ScriptState
from toolscript.results.values import ReturnExtras

stored_cache.load(b'{}')
ScriptState.from_bytes(b'{"code": "", "execution": "_w==", "waits": true}')
stored_entry.load(b'{"digest": "a", "outcome": {"status": "started"}}')
Decisions.from_metadata({'toolscript_decisions': {'snapshot': '', 'results': {}, 'shown': {}}})

odd = {'seen': bytes([255]), 'share': nan}
entry = CallEntry('d', Finished(1, ReturnExtras(metadata=odd)))
state, cache = ScriptState('', execution=b'', waits=True, ended={1: entry}), CallCache(earlier={'d': [entry]})
for text in (state.to_bytes(), stored_cache.dump(cache), stored_entry.dump(entry)):
    assert b'"seen":"_w=="' in text and b'"share":NaN' in text, text
decisions = Decisions('', DeferredToolResults(metadata={'call': odd}), {})
assert '_w==' in repr(decisions.to_metadata())
"""


def test_metadata_of_tools_survives_although_no_text_contains_it() -> None:
    # In a separate process, because validators are built on first use.
    done = python('-c', PROGRAM)
    assert (done.returncode, done.stderr) == (0, '')


# -- pauses in streams, in `iter`, in `run_sync`, in agents within agents, and with handlers that answer at once

TWO = 'import asyncio\nsum(await asyncio.gather(pay(1), pay(20), read()))'


def bank() -> tuple[FunctionToolset[object], list[str]]:
    log: list[str] = []
    toolset = FunctionToolset[object]()

    def pay(amount: int) -> int:
        log.append(f'pay {amount}')
        return amount

    def read() -> int:
        log.append('read')
        return 300

    toolset.tool_plain(requires_approval=True)(pay)
    toolset.tool_plain(allowed_callers='both')(read)
    return toolset, log


def agent_of(script: Script, toolset: FunctionToolset[object], **options: Any) -> Agent[object, Any]:
    return Agent(
        script.model,
        output_type=[str, DeferredToolRequests],
        toolsets=[CodeModeToolset(toolset, snapshots=KEY)],
        **options,
    )


@pytest.mark.usefixtures('loop')
def test_run_sync_pauses_and_continues() -> None:
    toolset, log = bank()
    script = Script([run_code(TWO)])
    agent = agent_of(script, toolset)
    first = agent.run_sync('go')
    second = agent.run_sync(message_history=first.all_messages(), deferred_tool_results=approve_all(first.output))
    assert (second.output, script.answers, sorted(log)) == ('done', [321], ['pay 1', 'pay 20', 'read'])


async def in_steps(agent: Agent[object, Any], prompt: str | None, **options: Any) -> tuple[Any, list[ModelMessage]]:
    async with agent.iter(prompt, **options) as run:
        async for _ in run:
            pass
    assert run.result is not None
    return run.result.output, run.result.all_messages()


async def in_a_stream(agent: Agent[object, Any], prompt: str | None, **options: Any) -> tuple[Any, list[ModelMessage]]:
    async with agent.run_stream(prompt, **options) as run:
        return await run.get_output(), run.all_messages()


@pytest.mark.parametrize('run', [in_steps, in_a_stream])
@pytest.mark.parametrize('is_capability', [False, True])
async def test_runs_in_steps_and_streams_pause_and_continue(
    run: Callable[..., Awaitable[tuple[Any, list[ModelMessage]]]], is_capability: bool
) -> None:
    toolset, log = bank()
    script = Script([run_code(TWO)])
    agent = Agent[object, Any](
        streaming(script),
        deps_type=object,
        output_type=[str, DeferredToolRequests],
        toolsets=[toolset if is_capability else CodeModeToolset(toolset, snapshots=KEY)],
        capabilities=[CodeMode[object](snapshots=KEY)] if is_capability else [],
    )
    requests, history = await run(agent, 'go')
    assert (await run(agent, None, message_history=history, deferred_tool_results=approve_all(requests)))[0] == 'done'
    assert (script.answers, sorted(log)) == ([321], ['pay 1', 'pay 20', 'read'])


async def test_a_handler_answers_nested_calls_without_a_pause() -> None:
    asked: list[list[str]] = []

    def handle(ctx: RunContext[object], requests: DeferredToolRequests) -> DeferredToolResults:
        asked.append([part.tool_name for part in requests.approvals])
        return requests.build_results(approve_all=True)

    toolset, log = bank()
    talk = conversation(toolset, run_code(TWO), capabilities=[HandleDeferredToolCalls[object](handle)])
    assert await talk.start() == []
    assert (talk.script.answers, sorted(log), asked) == ([321], ['pay 1', 'pay 20', 'read'], [['pay'], ['pay']])


async def test_a_handler_may_resolve_the_whole_script() -> None:
    asked: list[list[str]] = []

    def handle(ctx: RunContext[object], requests: DeferredToolRequests) -> DeferredToolResults | None:
        if any(part.tool_name != 'run_code' for part in requests.approvals):
            return None
        asked.append([call.tool_name for call in pending_calls(requests)])
        return approve_all(requests)

    toolset, log = bank()
    talk = conversation(
        toolset, run_code(TWO), run_code('await read() + 1'), capabilities=[HandleDeferredToolCalls[object](handle)]
    )
    assert await talk.start() == []
    assert (talk.script.answers, len(log), asked) == ([321, 301], 4, [['pay', 'pay']])


async def test_a_handler_that_approves_only_the_script_is_an_error() -> None:
    def handle(ctx: RunContext[object], requests: DeferredToolRequests) -> DeferredToolResults | None:
        whole = any(part.tool_name == 'run_code' for part in requests.approvals)
        return requests.build_results(approve_all=True) if whole else None

    toolset, log = bank()
    talk = conversation(toolset, run_code('await pay(1)'), capabilities=[HandleDeferredToolCalls[object](handle)])
    with pytest.raises(Exception, match='approved without the snapshot'):
        await talk.start()
    assert log == []


async def test_a_direct_call_and_a_script_wait_side_by_side() -> None:
    toolset, log = bank()

    def close() -> str:
        log.append('close')
        return 'closed'

    toolset.tool_plain(allowed_callers='direct', requires_approval=True)(close)
    talk = conversation(toolset, [run_code('await pay(5)'), call('close')])
    assert [(call.tool_name, call.script_id is None) for call in await talk.start()] == snapshot(
        [('pay', False), ('close', True)]
    )
    await talk.decide(pay=True, close=True)
    assert (sorted(map(str, talk.script.answers)), sorted(log)) == (['5', 'closed'], ['close', 'pay 5'])


@pytest.mark.pydantic_ai
async def test_an_external_direct_call_is_listed_and_answered() -> None:
    toolset, _ = bank()

    def phone(number: int) -> str:
        raise CallDeferred({'line': number})

    toolset.tool_plain(allowed_callers='direct')(phone)
    talk = conversation(toolset, call('phone', number=3), call('phone', number=4))
    (waiting,) = await talk.start()
    assert (waiting.kind, waiting.args, waiting.metadata) == ('external', {'number': 3}, {'line': 3})
    with pytest.raises(ValueError, match='needs a result, not an approval'):
        await talk.decide(phone=ToolApproved())
    await talk.decide(phone='hello')
    await talk.decide(phone=ToolDenied('engaged'))
    assert talk.script.answers == ['hello', 'engaged']


async def test_an_agent_in_a_tool_pauses_the_script_and_continues() -> None:
    toolset, log = bank()
    inner_script = Script([run_code(TWO)])
    inner = agent_of(inner_script, toolset)
    outer_tools = FunctionToolset[object]()

    @outer_tools.tool
    async def delegate(ctx: RunContext[object], task: str) -> str:
        if ctx.tool_call_metadata is None:
            result = await inner.run(task)
        else:
            requests = as_requests.validate_python(ctx.tool_call_metadata['requests'])
            history = ModelMessagesTypeAdapter.validate_python(ctx.tool_call_metadata['history'])
            result = await inner.run(message_history=history, deferred_tool_results=approve_all(requests))
        if isinstance(result.output, DeferredToolRequests):
            raise ApprovalRequired(
                {
                    'requests': as_requests.dump_python(result.output, mode='json'),
                    'history': ModelMessagesTypeAdapter.dump_python(result.all_messages(), mode='json'),
                }
            )
        return result.output

    as_requests = TypeAdapter(DeferredToolRequests)
    script = Script([run_code("await delegate('add up')")])
    outer = agent_of(script, outer_tools)
    first = await outer.run('go')
    (waiting,) = pending_calls(first.output)
    assert waiting.metadata is not None
    decided = resolve(first.output, {waiting.tool_call_id: True}, metadata={waiting.tool_call_id: waiting.metadata})
    await outer.run(message_history=first.all_messages(), deferred_tool_results=decided)
    assert (script.answers, inner_script.answers, len(log)) == (['done'], [321], 3)
