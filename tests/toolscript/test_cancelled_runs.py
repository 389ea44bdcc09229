"""A cancelled run ends at once, whatever its script and its tools do, and later results have no effect."""

import asyncio
from collections.abc import AsyncIterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import anyio
import pytest
from pydantic_ai import Agent, AgentStreamEvent, DeferredToolRequests, DeferredToolResults, RunContext
from pydantic_ai.capabilities import HandleDeferredToolCalls, Hooks
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import FunctionToolset

from tests.toolscript.scripted import Script, play, run_code, streaming
from toolscript import (
    CodeModeToolset,
    Limits,
    MemoryStore,
    ScriptResultEvent,
    SearchableToolset,
    Snapshots,
    ToolSearchOptions,
)
from toolscript_sandbox import Sandbox

pytestmark = pytest.mark.pydantic_ai

AT_ONCE = Limits(cancel_grace_seconds=0.01)
ALONE, BESIDE = 'await stubborn()', 'import asyncio\nawait asyncio.gather(stubborn(), stubborn())'


@pytest.mark.parametrize('code', ['while True: pass', 'await started()\nwhile True: pass', 'await forever()'])
async def test_a_cancelled_run_does_not_wait_for_its_script(code: str) -> None:
    begun = asyncio.Event()

    async def started() -> None:
        begun.set()

    async def forever() -> None:
        begun.set()
        await asyncio.Event().wait()

    toolset = FunctionToolset[object]([started, forever])
    agent = Agent(
        Script([run_code(code)]).model, toolsets=[CodeModeToolset(toolset, limits=Limits(max_script_seconds=3600))]
    )
    run = asyncio.create_task(agent.run('go'))
    if 'await' in code:
        await begun.wait()
    else:
        await asyncio.sleep(0.5)
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        # An hour if it waits; otherwise the duration depends on the machine.
        await asyncio.wait_for(run, 300)
    again = Agent(Script([run_code('1 + 1')]).model, toolsets=[CodeModeToolset(toolset)])
    assert (await again.run('go')).output == 'done'


def with_strays() -> FunctionToolset[object]:
    async def lookup() -> str:
        inner = asyncio.create_task(asyncio.sleep(3600))
        inner.cancel()
        await inner
        return 'never'

    async def other(n: int) -> int:
        return n

    return FunctionToolset[object]([lookup, other])


@pytest.mark.parametrize(
    'code',
    [
        'try:\n    await lookup()\nexcept RuntimeError as error:\n    seen = str(error)\n[seen, await other(1)]',
        'found = await asyncio.gather(lookup(), other(1), return_exceptions=True)\n[str(found[0]), found[1]]',
    ],
)
async def test_an_unrequested_cancellation_is_only_a_failure_of_its_call(code: str) -> None:
    reported, other = (await play(CodeModeToolset(with_strays()), run_code(code))).answers[0]
    assert reported.startswith('lookup failed with StrayCancellation; the application has its message, reference ')
    assert other == 1
    with pytest.raises(RuntimeError, match='no one cancelled the call or the run'):
        await play(CodeModeToolset(with_strays(), tool_errors='raise'), run_code('await lookup()'))


@pytest.mark.parametrize('code', ['await forever()', 'await asyncio.gather(forever(), forever())'])
@pytest.mark.parametrize('by', ['a sibling that fails', 'a time limit'])
async def test_an_external_end_of_a_run_cancels_all_of_its_calls(
    code: str, by: str, caplog: pytest.LogCaptureFixture
) -> None:
    begun, left = asyncio.Event(), list[str]()

    async def forever() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            left.append('cancelled')

    async def fails_when_it_began() -> None:
        await begun.wait()
        raise ValueError('the sibling')

    async def over_when_it_began(limit: asyncio.Timeout) -> None:
        await begun.wait()
        limit.reschedule(0)

    async def ended() -> None:
        async with asyncio.timeout(None) as limit, asyncio.TaskGroup() as group:
            group.create_task(over_when_it_began(limit) if by == 'a time limit' else fails_when_it_began())
            await agent.run('go')

    agent = Agent(Script([run_code(code)]).model, toolsets=[CodeModeToolset(FunctionToolset[object]([forever]))])
    with pytest.raises(TimeoutError if by == 'a time limit' else ExceptionGroup):
        await ended()
    assert left == ['cancelled'] * code.count('forever')
    # No call failed: a requested cancellation is no error.
    assert [record.getMessage() for record in caplog.records if record.name == 'toolscript.tools'] == []


@dataclass
class Stubborn:
    """A tool that ignores its cancellation until the test ends it."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)
    may_end: asyncio.Event = field(default_factory=asyncio.Event)
    cancelled: int = 0
    ended: int = 0
    fails: bool = False

    @property
    def toolset(self) -> FunctionToolset[object]:
        async def stubborn() -> str:
            self.begun.set()
            while not self.may_end.is_set():
                try:
                    await self.may_end.wait()
                except asyncio.CancelledError:
                    self.cancelled += 1
            self.ended += 1
            if self.fails:
                raise ValueError('too late')
            return 'too late'

        async def fail() -> str:
            await self.begun.wait()
            raise ValueError('no')

        async def release() -> int:
            await self.end()
            return self.ended

        return FunctionToolset[object]([stubborn, fail, release])

    async def end(self) -> None:
        """Release it, and wait for all consequences."""
        self.may_end.set()
        for _ in range(20):
            await asyncio.sleep(0)


@pytest.mark.parametrize('by', ['its task', 'a scope of anyio'])
@pytest.mark.parametrize('fails', [False, True])
@pytest.mark.parametrize('code', [ALONE, BESIDE])
async def test_a_cancelled_run_ends_without_its_tool_and_stores_no_result_of_it(
    code: str, by: str, fails: bool, caplog: pytest.LogCaptureFixture
) -> None:
    tool, store, calls, scope = Stubborn(fails=fails), MemoryStore(), code.count('stubborn'), anyio.CancelScope()
    snapshots = Snapshots(key='the key of the tests', store=store)
    toolset = CodeModeToolset(tool.toolset, limits=AT_ONCE, snapshots=snapshots)

    async def scoped() -> None:
        with scope:
            await play(toolset, run_code(code))

    run = asyncio.create_task(scoped())
    await tool.begun.wait()
    (run if by == 'its task' else scope).cancel()
    await asyncio.wait([run])
    assert (run.cancelled(), tool.cancelled >= calls, tool.ended) == (by == 'its task', True, 0)
    assert [record.getMessage().partition(' (run ')[0] for record in caplog.records] == [
        'tool stubborn ignored its cancellation and was abandoned; its result is discarded'
    ] * calls
    known = dict(store.texts)
    await tool.end()
    assert (tool.ended, store.texts == known, len(caplog.records)) == (calls, True, calls)


@pytest.mark.parametrize('fails', [False, True])
async def test_neither_events_nor_the_next_script_have_the_result_of_a_cancelled_call(fails: bool) -> None:
    tool, events = Stubborn(fails=fails), list[tuple[str, str]]()

    async def watch(ctx: RunContext[object], stream: AsyncIterable[AgentStreamEvent]) -> None:
        async for event in stream:
            if isinstance(event, ScriptResultEvent):
                events.append((str(event.tool_name), event.status))

    again = 'try:\n    seen = await stubborn()\nexcept RuntimeError as error:\n    seen = str(error)[:24]\nseen'
    turns = ['import asyncio\nawait asyncio.gather(stubborn(), fail())', f'[await release(), await release()]\n{again}']
    script = Script([run_code(code) for code in turns])
    agent = Agent(streaming(script), toolsets=[CodeModeToolset(tool.toolset, limits=AT_ONCE)])
    await agent.run('go', event_stream_handler=watch)
    assert (tool.ended, script.answers[1]) == (1, 'UnknownOutcome: stubborn')
    assert events == [('fail', 'failed'), ('release', 'finished'), ('release', 'finished'), ('stubborn', 'failed')]


async def test_a_call_whose_hooks_swallowed_the_cancellation_does_not_start() -> None:
    begun, may_go_on, called = asyncio.Event(), asyncio.Event(), list[str]()

    async def pay() -> None:
        called.append('pay')

    async def dawdle(
        ctx: RunContext[object], *, call: ToolCallPart, tool_def: ToolDefinition, args: dict[str, Any]
    ) -> dict[str, Any]:
        if call.tool_name == 'pay':
            begun.set()
            while not may_go_on.is_set():
                with suppress(asyncio.CancelledError):
                    await may_go_on.wait()
        return args

    toolset = CodeModeToolset(FunctionToolset[object]([pay]), limits=AT_ONCE)
    model = Script([run_code('await pay()')]).model
    agent = Agent(model, deps_type=object, toolsets=[toolset], capabilities=[Hooks(before_tool_execute=dawdle)])
    run = asyncio.create_task(agent.run('go'))
    await begun.wait()
    run.cancel()
    await asyncio.wait([run])
    may_go_on.set()
    for _ in range(20):
        await asyncio.sleep(0)
    assert (run.cancelled(), called) == (True, [])


async def test_a_tool_that_cleans_up_in_time_is_not_reported(caplog: pytest.LogCaptureFixture) -> None:
    begun, left = asyncio.Event(), list[str]()

    async def tidy() -> str:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            with anyio.CancelScope(shield=True):
                await asyncio.sleep(0)
            left.append('tidy')
        return 'never'

    toolset = CodeModeToolset(FunctionToolset[object]([tidy]))
    code = 'import asyncio\nawait asyncio.gather(tidy(), tidy())'
    run = asyncio.create_task(Agent(Script([run_code(code)]).model, toolsets=[toolset]).run('go'))
    await begun.wait()
    run.cancel()
    await asyncio.wait([run])
    assert (run.cancelled(), left, caplog.records) == (True, ['tidy', 'tidy'], [])


async def forever(begun: asyncio.Event) -> None:
    begun.set()
    await asyncio.Event().wait()


@pytest.mark.parametrize('times', [1, 2])
@pytest.mark.parametrize('during', ['a search', 'an approval'])
async def test_a_cancelled_run_returns_its_worker_whatever_its_script_waits_for(during: str, times: int) -> None:
    begun = asyncio.Event()

    async def rank(ctx: RunContext[object], queries: Sequence[str], tools: Sequence[ToolDefinition]) -> list[str]:
        await forever(begun)
        return []

    async def decide(ctx: RunContext[object], requests: DeferredToolRequests) -> DeferredToolResults:
        await forever(begun)
        return DeferredToolResults()

    async def pay() -> None: ...

    tools = FunctionToolset[object]()
    tools.add_function(pay, requires_approval=True)
    tools.add_function(pay, name='refund', defer_loading=True)
    async with Sandbox(warm=0, workers=1) as sandbox:
        toolset = CodeModeToolset(SearchableToolset(tools, ToolSearchOptions(algorithm=rank)), sandbox=sandbox)
        capabilities = [HandleDeferredToolCalls(handler=decide)]
        codes = {'a search': "await search_tools('refund')", 'an approval': 'await pay()'}
        turn = run_code(codes[during])
        agent = Agent(Script([turn]).model, deps_type=object, toolsets=[toolset], capabilities=capabilities)
        run = asyncio.create_task(agent.run('go'))
        await begun.wait()
        for _ in range(times):
            run.cancel()
        await asyncio.wait([run])
        assert (run.cancelled(), sandbox.stats.workers_in_use) == (True, 0)
        again = Script([run_code('1 + 1')])
        await Agent(again.model, deps_type=object, toolsets=[toolset]).run('go')
        assert again.answers == [2]
