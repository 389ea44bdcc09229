"""Toolsets around code mode may rename its tools: what the model reads names them as the model sees them."""

from collections.abc import Callable

import pytest
from pydantic_ai import Agent
from pydantic_ai.toolsets import AbstractToolset, CombinedToolset

from tests.toolscript.scripted import Script, call
from toolscript import CodeModeToolset, FunctionToolset, SearchableToolset

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


def office() -> AbstractToolset[object]:
    tools = FunctionToolset[object]()

    @tools.tool_plain(allowed_callers='code')
    def get_user(number: int) -> str:
        """Look a user up."""
        return f'user {number}'

    @tools.tool_plain(allowed_callers='direct')
    def ring(number: int) -> str:
        """Ring somebody up."""
        return f'rang {number}'

    @tools.tool_plain(allowed_callers='direct', defer_loading=True)
    def fire(number: int) -> str:
        """Fire somebody."""
        return f'fired {number}'

    return CodeModeToolset(SearchableToolset(tools))


def prefixed() -> AbstractToolset[object]:
    return office().prefixed('hq')


def prefixed_twice() -> AbstractToolset[object]:
    return CombinedToolset([office().prefixed('hq')]).prefixed('our')


def renamed() -> AbstractToolset[object]:
    return office().renamed(
        {
            'python': 'run_code',
            'call_up': 'ring',
            'abandon': 'fire',
            'find': 'pai_tool_search_tool',
        }
    )


@pytest.mark.parametrize(
    ('around', 'run_code', 'ring', 'fire', 'search'),
    [
        (prefixed, 'hq_run_code', 'hq_ring', 'hq_fire', 'hq_pai_tool_search_tool'),
        (prefixed_twice, 'our_hq_run_code', 'our_hq_ring', 'our_hq_fire', 'our_hq_pai_tool_search_tool'),
        (renamed, 'python', 'call_up', 'abandon', 'find'),
    ],
)
async def test_messages_name_tools_as_the_model_sees_them(
    around: Callable[[], AbstractToolset[object]], run_code: str, ring: str, fire: str, search: str
) -> None:
    turns = [
        call('get_user', number=1),
        call('get_usr', number=1),
        call(run_code, code='ring(1)'),
        call('fire', number=1),
        call(run_code, code='await get_user(number=1)'),
    ]
    script = Script([*turns])
    agent = Agent(script.model, toolsets=[around()], retries=9)
    await agent.run('go')
    answers = list(map(str, script.answers))
    assert {run_code, ring, search} == set(script.shown[0])
    assert answers[0].startswith(f'get_user is called from code. Call {run_code} with this code')
    assert f'- get_user, called from code, in {run_code}' in answers[1]
    assert f'call the tool {ring} directly, outside of code.' in answers[2]
    assert answers[3] == f'{fire} is not loaded yet. Call {search} with query "select:fire" first.'
    assert answers[4] == 'user 1'
