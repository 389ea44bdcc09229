"""Whoever cancels an agent's run has it back at once, whatever its script is doing."""

import asyncio

import pytest
from pydantic_ai import Agent
from pydantic_ai.toolsets import FunctionToolset

from tests.toolscript.scripted import Script, run_code
from toolscript import CodeModeToolset, Limits

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

_AN_HOUR = Limits(max_script_seconds=3600)


@pytest.mark.parametrize('code', ['while True: pass', 'await started()\nwhile True: pass', 'await forever()'])
async def test_a_cancelled_run_does_not_wait_for_its_script(code: str) -> None:
    begun = asyncio.Event()

    async def started() -> None:
        begun.set()

    async def forever() -> None:
        begun.set()
        await asyncio.Event().wait()

    toolset = FunctionToolset[object]([started, forever])
    agent = Agent(Script([run_code(code)]).model, toolsets=[CodeModeToolset(toolset, limits=_AN_HOUR)])
    run = asyncio.create_task(agent.run('go'))
    if 'await' in code:
        await begun.wait()
    else:
        await asyncio.sleep(0.5)
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        # An hour for one that waits; how long for one that does not depends on the machine.
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
async def test_a_cancellation_that_nobody_asked_for_is_a_failure_of_its_call_alone(code: str) -> None:
    script = Script([run_code(code)])
    await Agent(script.model, toolsets=[CodeModeToolset(with_strays())]).run('go')
    told, other = script.answers[0]
    assert told.startswith('lookup failed with StrayCancellation; the application has its message, reference ')
    assert other == 1


async def test_where_unexpected_failures_end_the_run_so_does_a_stray_cancellation_in_words() -> None:
    toolset = CodeModeToolset(with_strays(), tool_errors='raise')
    with pytest.raises(RuntimeError, match='nobody cancelled the call or the run'):
        await Agent(Script([run_code('await lookup()')]).model, toolsets=[toolset]).run('go')


@pytest.mark.parametrize('code', ['await forever()', 'await asyncio.gather(forever(), forever())'])
@pytest.mark.parametrize('by', ['a sibling that fails', 'a time limit'])
async def test_who_ends_a_run_from_outside_cancels_all_of_its_calls(
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
    # No call failed: what was asked for is no stray.
    assert [record.getMessage() for record in caplog.records if record.name == 'toolscript.tools'] == []
