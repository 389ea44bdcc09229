"""Pauses in streams, in `iter`, in `run_sync`, in agents within agents, and with handlers that answer at once."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic import TypeAdapter
from pydantic_ai import Agent, ModelMessage, ModelMessagesTypeAdapter, RunContext
from pydantic_ai.capabilities import HandleDeferredToolCalls
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults, ToolApproved, ToolDenied

from tests.toolscript.approvals.conversation import KEY, conversation
from tests.toolscript.scripted import Script, call, run_code, streaming
from toolscript import CodeMode, CodeModeToolset, FunctionToolset, pending_calls, resolve

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

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


def yes_to_all(requests: DeferredToolRequests) -> DeferredToolResults:
    return resolve(requests, {call.tool_call_id: True for call in pending_calls(requests)})


@pytest.mark.usefixtures('loop')
def test_run_sync_pauses_and_continues() -> None:
    toolset, log = bank()
    script = Script([run_code(TWO)])
    agent = agent_of(script, toolset)
    first = agent.run_sync('go')
    second = agent.run_sync(message_history=first.all_messages(), deferred_tool_results=yes_to_all(first.output))
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
    assert (await run(agent, None, message_history=history, deferred_tool_results=yes_to_all(requests)))[0] == 'done'
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


async def test_a_handler_may_resolve_the_script_as_a_whole() -> None:
    asked: list[list[str]] = []

    def handle(ctx: RunContext[object], requests: DeferredToolRequests) -> DeferredToolResults | None:
        if any(part.tool_name != 'run_code' for part in requests.approvals):
            return None
        asked.append([call.tool_name for call in pending_calls(requests)])
        return yes_to_all(requests)

    toolset, log = bank()
    talk = conversation(
        toolset, run_code(TWO), run_code('await read() + 1'), capabilities=[HandleDeferredToolCalls[object](handle)]
    )
    assert await talk.start() == []
    assert (talk.script.answers, len(log), asked) == ([321, 301], 4, [['pay', 'pay']])


async def test_a_handler_that_approves_the_script_alone_is_an_error() -> None:
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


async def test_a_direct_call_for_the_outside_is_listed_and_answered() -> None:
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


async def test_an_agent_within_a_script_pauses_the_script_and_continues_itself() -> None:
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
            result = await inner.run(message_history=history, deferred_tool_results=yes_to_all(requests))
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
