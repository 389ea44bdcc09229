"""The tool `run_code` under other names, its hints, and its keywords."""

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

import pydantic_ai
import pydantic_ai.toolsets
import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, BinaryContent, UserError
from pydantic_ai.toolsets import AbstractToolset, CombinedToolset

from tests.toolscript.scripted import Script, call, play, run_code
from toolscript import CodeModeToolset, FunctionToolset, SearchableToolset
from toolscript import function_toolset as keywords
from toolscript_sandbox import Sandbox

pytestmark = pytest.mark.pydantic_ai


def office() -> AbstractToolset[object]:
    tools = FunctionToolset[object]()

    @tools.tool_plain(allowed_callers='code')
    def get_user(number: int) -> str:
        return f'user {number}'

    @tools.tool_plain(allowed_callers='direct')
    def ring(number: int) -> str:
        return f'rang {number}'

    @tools.tool_plain(allowed_callers='direct', defer_loading=True)
    def fire(number: int) -> str:
        return f'fired {number}'

    return CodeModeToolset(SearchableToolset(tools))


HQ = office().prefixed('hq')
OTHERS = {'python': 'run_code', 'call_up': 'ring', 'abandon': 'fire', 'find': 'pai_tool_search_tool'}


@pytest.mark.parametrize(
    ('toolset', 'run_code', 'ring', 'fire', 'search'),
    [
        (HQ, 'hq_run_code', 'hq_ring', 'hq_fire', 'hq_pai_tool_search_tool'),
        (CombinedToolset([HQ]).prefixed('our'), *(f'our_hq_{name}' for name in OTHERS.values())),
        (office().renamed(OTHERS), *OTHERS),
    ],
)
async def test_messages_name_tools_as_the_model_sees_them(
    toolset: AbstractToolset[object], run_code: str, ring: str, fire: str, search: str
) -> None:
    turns = [
        call('get_user', number=1),
        call('get_usr', number=1),
        call(run_code, code='ring(1)'),
        call('fire', number=1),
        call(run_code, code='await get_user(number=1)'),
    ]
    script = Script([*turns])
    await Agent(script.model, toolsets=[toolset], retries=9).run('go')
    answers = list(map(str, script.answers))
    assert {run_code, ring, search} == set(script.shown[0])
    assert answers[0].startswith(f'get_user is called from code. Call {run_code} with this code')
    assert f'- get_user, called from code, in {run_code}' in answers[1]
    assert f'call the tool {ring} directly, outside of code.' in answers[2]
    assert answers[3] == f'{fire} is not loaded yet. Call {search} with query "select:fire" first.'
    assert answers[4] == 'user 1'


@pytest.fixture
def tools() -> FunctionToolset[object]:
    toolset = FunctionToolset[object]()

    @toolset.tool_plain
    def double(x: int) -> int:
        return 2 * x

    @toolset.tool_plain
    def photo() -> BinaryContent:
        return BinaryContent(b'png', media_type='image/png')

    return toolset


ONE, TWO, NONE = run_code('await double(x=1)'), run_code('await double(x=1) + await double(x=2)'), run_code('1 + 1')


async def test_every_third_consecutive_script_with_one_call_adds_a_hint(tools: FunctionToolset[object]) -> None:
    script = await play(CodeModeToolset(tools, batching_hint_after=3), *[ONE] * 6)
    advice = 'Put the next steps into one script; where a tool can also be called directly, one call goes directly.'
    third, sixth = ({'result': 2, 'hint': f'The last {n} scripts made one call each. {advice}'} for n in (3, 6))
    assert script.answers == [2, 2, third, 2, 2, sixth]


async def test_other_scripts_restart_the_count_and_failed_ones_do_not_count(tools: FunctionToolset[object]) -> None:
    script = await play(CodeModeToolset(tools, batching_hint_after=2), ONE, TWO, ONE, NONE, ONE)
    assert script.answers == [2, 6, 2, 2, 2]
    script = await play(CodeModeToolset(tools, batching_hint_after=2), ONE, run_code('nonsense()'), ONE)
    assert [isinstance(answer, dict) for answer in script.answers] == [False, False, True]


OWN = {'self', 'func'}


@pytest.mark.parametrize(
    ('upstream', 'ours', 'said_apart'),
    [
        (pydantic_ai.Agent.__init__, keywords.AgentKeywords, {'model', 'output_type', 'deps_type', 'capabilities'}),
        (pydantic_ai.Agent.tool, keywords.ToolKeywords, {'metadata'}),
        (pydantic_ai.Agent.tool_plain, keywords.ToolKeywords, {'metadata'}),
        (pydantic_ai.toolsets.FunctionToolset.__init__, keywords.FunctionToolsetKeywords, {'tools', 'metadata'}),
        (pydantic_ai.toolsets.FunctionToolset.tool, keywords.ToolKeywords, {'metadata'}),
        (pydantic_ai.toolsets.FunctionToolset.tool_plain, keywords.ToolKeywords, {'metadata'}),
    ],
    ids=lambda value: getattr(value, '__qualname__', ''),
)
def test_each_keyword_of_pydantic_ai_is_accepted(
    upstream: Callable[..., Any], ours: type[Any], said_apart: set[str]
) -> None:
    assert set(inspect.signature(upstream).parameters) - OWN == set(ours.__annotations__) | said_apart


# -- code mode in a toolset that a function builds, which pydantic-ai does not copy for each run


def code_mode(**settings: Any) -> CodeModeToolset[Any]:
    def add(a: int, b: int) -> int:
        return a + b

    return CodeModeToolset(FunctionToolset[Any]([add]), **settings)


async def test_a_toolset_built_for_a_run_keeps_its_variables() -> None:
    script = Script([run_code('x = await add(1, 2)'), run_code('x + 1')])
    agent = Agent(script.model)
    agent.toolset(per_run_step=False)(lambda ctx: code_mode())
    await agent.run('go')
    assert script.answers == [3, 4]


async def test_runs_that_share_a_toolset_share_no_variables() -> None:
    shared = code_mode()

    async def one(n: int) -> list[Any]:
        script = Script([run_code(f'x = {n}\nawait asyncio.sleep(0.01)\nx'), run_code('x')])
        agent = Agent(script.model)
        agent.toolset(lambda ctx: shared)
        await agent.run('go')
        return script.answers

    assert await asyncio.gather(*map(one, range(4))) == [[n, n] for n in range(4)]
    assert await one(9) == [9, 9]


async def test_runs_that_share_a_toolset_return_their_workers_when_all_have_ended() -> None:
    async with Sandbox() as sandbox:
        shared = code_mode(sandbox=sandbox)
        for n in range(3):
            agent = Agent(Script([run_code(f'x = {n}')]).model)
            agent.toolset(lambda ctx: shared)
            await agent.run('go')
        assert (sandbox.stats.workers_in_use, sandbox.stats.workers_idle > 0) == (0, True)


async def test_two_code_modes_in_one_agent_are_refused_with_advice() -> None:
    with pytest.raises(UserError) as refused:
        await Agent('test', toolsets=[code_mode(), code_mode()]).run('go')
    assert str(refused.value).partition("'run_code'. ")[2] == snapshot(
        'One run_code serves a whole agent: wrap the toolsets together, CodeModeToolset(CombinedToolset([...])), or give one code mode another name with .prefixed(...).'
    )
