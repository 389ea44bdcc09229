"""Whatever a tool raises, a script can catch it as what it is, and a run that is broken off ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, ModelRequest, ModelResponse, UserPromptPart
from pydantic_ai.toolsets import FunctionToolset

from tests.toolscript.scripted import Script, play, run_code
from toolscript import CodeMode, CodeModeToolset, MemoryStore, Snapshots
from toolscript_sandbox import Sandbox

pytestmark = pytest.mark.pydantic_ai


class Boom(Exception):
    """An error that nobody else knows."""


CATCH = """\
try:
    await fail()
except OSError as error:
    seen = ['OSError', str(error)]
except Exception as error:
    seen = [type(error).__name__, str(error)]
seen"""


async def caught(error: Exception, **options: Any) -> Any:
    """What a script sees of an error that its tool raises."""

    async def fail() -> None:
        raise error

    options = {'tool_errors': 'message', **options}
    script = await play(CodeModeToolset(FunctionToolset[object]([fail]), **options), run_code(CATCH))
    return script.answers[0]


GATHER = """\
import asyncio
async def both():
    return await asyncio.gather(fail(), fail(), return_exceptions=True)
found = await both()
try:
    await asyncio.gather(fail(), fail())
except ValueError as error:
    found.append(error)
[[type(error).__name__, str(error)] for error in found]"""


@pytest.mark.anyio
@pytest.mark.parametrize('told', ['type', 'message'])
@pytest.mark.parametrize(
    'error', [UnicodeDecodeError('utf-8', b'\xff', 0, 1, 'bad'), UnicodeEncodeError('ascii', 'é', 0, 1, 'bad')]
)
async def test_an_error_that_has_more_arguments_than_its_words_fails_its_own_call_of_several(
    error: ValueError, told: str
) -> None:
    async def fail() -> None:
        raise error

    toolset = CodeModeToolset(FunctionToolset[object]([fail]), tool_errors='message' if told == 'message' else 'type')
    [answer] = (await play(toolset, run_code(GATHER))).answers
    name = type(error).__name__
    assert [kind for kind, _ in answer] == [name] * 3
    said = str(error) if told == 'message' else f'fail failed with {name}; the application has its message'
    assert all(words.startswith(said) for _, words in answer)


@pytest.mark.anyio
async def test_errors_that_the_sandbox_lacks_are_caught_as_what_they_are_a_kind_of() -> None:
    assert await caught(ConnectionResetError('gone')) == snapshot(['OSError', 'ConnectionResetError: gone'])
    assert await caught(UnicodeError('odd')) == snapshot(['ValueError', 'UnicodeError: odd'])
    assert await caught(EOFError()) == snapshot(['RuntimeError', 'EOFError'])


@pytest.mark.anyio
async def test_an_error_without_words_is_told_by_its_name() -> None:
    assert await caught(Boom()) == snapshot(['RuntimeError', 'Boom'])


@pytest.mark.anyio
async def test_a_tool_that_recurses_too_deep_is_not_taken_for_the_script() -> None:
    async def fail() -> None:
        raise RecursionError('maximum recursion depth exceeded')

    toolset = CodeModeToolset(FunctionToolset[object]([fail]), tool_errors='message')
    script = await play(toolset, run_code('await fail()'))
    assert script.answers == snapshot(
        [
            """\
line 1: await fail()
        ^^^^^^^^^^^^
RuntimeError: RecursionError: maximum recursion depth exceeded
Calls: fail failed.\
"""
        ]
    )


def blocking(error: type[BaseException]) -> Callable[[], Any]:
    def fail() -> None:
        raise error

    return fail


def awaiting(error: type[BaseException]) -> Callable[[], Any]:
    async def fail() -> None:
        await asyncio.sleep(0)
        raise error

    return fail


@pytest.mark.parametrize('error', [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize('tool', [blocking, awaiting])
def test_an_interrupt_ends_the_run_and_lets_it_clean_up(
    tool: Callable[[type[BaseException]], Callable[[], Any]], error: type[BaseException]
) -> None:
    script = Script([run_code('await fail()')])
    agent = Agent(script.model, toolsets=[CodeModeToolset(FunctionToolset[object]([tool(error)]))])
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        with pytest.raises(error):
            agent.run_sync('go')
        # What is left would keep the threads of sync tools, and so the process, from ending.
        assert asyncio.all_tasks(loop) == set()
    finally:
        loop.close()
        asyncio.set_event_loop(None)


ENDINGS = [KeyboardInterrupt(), SystemExit(3), GeneratorExit(), BaseExceptionGroup('two', [SystemExit(3)])]
CAUGHT = 'import asyncio\ntry:\n    seen = {}\nexcept RuntimeError as error:\n    seen = str(error)\nseen'


@pytest.mark.parametrize('error', ENDINGS, ids=repr)
@pytest.mark.parametrize('calls', ['await fail()', 'await asyncio.gather(fail(), sit())'])
def test_what_ends_a_run_leaves_no_worker_no_claim_and_a_call_of_which_nobody_knows(
    error: BaseException, calls: str
) -> None:
    called = list[str]()

    async def fail() -> None:
        called.append('fail')
        raise error

    async def sit() -> None:
        await asyncio.Event().wait()

    snapshots = Snapshots(key='the key of the tests', store=MemoryStore())
    toolset = CodeModeToolset(FunctionToolset[object]([fail, sit]), snapshots=snapshots)
    part = run_code(CAUGHT.format(calls))

    async def begun() -> None:
        await Agent(Script([part]).model, toolsets=[toolset]).run('go', conversation_id='one')

    async def gone_on() -> str:
        history = [ModelRequest(parts=[UserPromptPart('go')]), ModelResponse(parts=[part])]
        script = Script([])
        await Agent(script.model, toolsets=[toolset]).run(message_history=history, conversation_id='one')
        return script.answers[0]

    # Other tests may have left a session to the collector.
    before = Sandbox.shared().stats.workers_in_use
    with pytest.raises(type(error)):
        asyncio.run(begun())
    assert Sandbox.shared().stats.workers_in_use == before
    assert (asyncio.run(gone_on())[:20], called) == ('UnknownOutcome: fail', ['fail'])


@pytest.mark.anyio
async def test_the_time_limit_of_an_agent_holds_for_its_tools_in_code() -> None:
    script = Script([run_code(CATCH)])
    agent = Agent(script.model, capabilities=[CodeMode[object]()], deps_type=object, tool_timeout=0.05)

    @agent.tool_plain
    async def fail() -> None:
        await asyncio.Event().wait()

    assert callable(fail)
    await agent.run('go')
    assert script.answers[0] == ['OSError', 'Timed out after 0.05 seconds.']
