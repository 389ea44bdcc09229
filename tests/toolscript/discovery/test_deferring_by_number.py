"""Deferring a whole toolset once it is large."""

from __future__ import annotations

import pytest
from pydantic_ai import Agent
from pydantic_ai.toolsets import FunctionToolset as PlainToolset

from tests.toolscript.scripted import Script, play, run_code, search
from toolscript import CodeMode, CodeModeToolset, FunctionToolset, SearchableToolset
from toolscript.agent import Agent as OurAgent

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

FIND = 'pai_tool_search_tool'


def numbered(count: int) -> FunctionToolset[object]:
    toolset = FunctionToolset[object]()
    for number in range(count):
        toolset.add_function(lambda: 'done', takes_ctx=False, name=f'tool_{number}', description=f'Number {number}.')
    return toolset


async def shown(toolset: SearchableToolset[object]) -> list[str]:
    return list((await play(toolset)).shown[0])


async def test_up_to_thirty_tools_are_all_shown() -> None:
    assert await shown(SearchableToolset(numbered(30), defer='auto')) == [f'tool_{number}' for number in range(30)]


async def test_more_are_all_deferred() -> None:
    assert await shown(SearchableToolset(numbered(31), defer='auto')) == [FIND]


async def test_without_asking_nothing_is_deferred() -> None:
    assert len(await shown(SearchableToolset(numbered(100)))) == 100


async def test_how_many_are_many_can_be_said() -> None:
    assert await shown(SearchableToolset(numbered(3), defer='auto', defer_above=2)) == [FIND]
    assert len(await shown(SearchableToolset(numbered(3), defer='auto', defer_above=3))) == 3


async def test_a_tool_that_says_it_is_loaded_stays() -> None:
    toolset = numbered(40)

    @toolset.tool_plain(defer_loading=False)
    def by_keyword() -> str:
        return 'here'

    @toolset.tool_plain(metadata={'defer_loading': False})
    def by_metadata() -> str:
        return 'here'

    @toolset.tool_plain(metadata={'pinned': True})
    def pinned() -> str:
        return 'here'

    @toolset.tool_plain(metadata={'code_arg_name': 'code'})
    def runs_code(code: str) -> str:
        return code

    assert by_keyword() == by_metadata() == pinned() == runs_code('here')
    names = await shown(SearchableToolset(toolset, defer='auto'))
    assert names == ['by_keyword', 'by_metadata', 'pinned', 'runs_code', FIND]


async def test_a_tool_that_says_it_is_deferred_is_so_among_few() -> None:
    toolset = numbered(2)
    toolset.add_function(lambda: 'late', takes_ctx=False, name='late', defer_loading=True)
    assert await shown(SearchableToolset(toolset, defer='auto')) == ['tool_0', 'tool_1', FIND]


async def test_what_was_found_stays_found() -> None:
    script = await play(SearchableToolset(numbered(40), defer='auto'), search('select:tool_7'))
    assert [list(shown) for shown in script.shown] == [[FIND], [FIND, 'tool_7']]


async def test_a_toolset_of_any_kind_can_say_it_is_loaded() -> None:
    plain = PlainToolset[object](metadata={'defer_loading': False})
    for number in range(40):
        plain.add_function(lambda: 'done', takes_ctx=False, name=f'tool_{number}')
    assert len(await shown(SearchableToolset(plain, defer='auto'))) == 40


async def test_code_mode_describes_only_what_was_found() -> None:
    toolset = CodeModeToolset(SearchableToolset(numbered(40), defer='auto'))
    script = await play(toolset, run_code("await search_tools('select:tool_7')\nawait tool_7()"))
    descriptions = [shown['run_code'].description or '' for shown in script.shown]
    assert [description.count('async def tool_') for description in descriptions] == [0, 1]
    assert script.answers == ['done']


async def test_the_capability_defers_all_tools_of_an_agent() -> None:
    script = Script([])
    await Agent(script.model, toolsets=[numbered(31)], capabilities=[CodeMode(defer='auto')]).run('go')
    assert list(script.shown[0]) == [FIND, 'run_code']
    assert 'tool_7' not in (script.shown[0]['run_code'].description or '')


async def test_a_tool_of_an_agent_can_say_it_is_loaded() -> None:
    script = Script([])
    agent = OurAgent[object, str](script.model, toolsets=[numbered(1)])

    @agent.tool_plain(defer_loading=False)
    def here() -> str:
        return 'here'

    await agent.run('go')
    assert script.shown[0]['here'].metadata == {'defer_loading': False}
    assert here() == 'here'


async def test_the_plain_agent_is_enough() -> None:
    script = Script([])
    await Agent(script.model, toolsets=[SearchableToolset(numbered(31), defer='auto')]).run('go')
    assert list(script.shown[0]) == [FIND]
