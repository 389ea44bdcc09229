"""Deferring a whole toolset once it is large."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic_ai import Agent
from pydantic_ai.toolsets import FunctionToolset as PlainToolset

from tests.toolscript.scripted import Script, play
from toolscript import CodeMode, FunctionToolset, SearchableToolset
from toolscript.agent import Agent as OurAgent

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

FIND = 'pai_tool_search_tool'


def numbered(count: int) -> FunctionToolset[object]:
    toolset = FunctionToolset[object]()
    for number in range(count):
        toolset.add_function(lambda: 'done', takes_ctx=False, name=f'tool_{number}', description=f'Number {number}.')
    return toolset


def here() -> str:
    return 'here'


async def shown(toolset: SearchableToolset[object]) -> list[str]:
    return list((await play(toolset)).shown[0])


@pytest.mark.parametrize(
    ('count', 'options', 'is_hidden'),
    [
        (30, {'defer': 'auto'}, False),
        (31, {'defer': 'auto'}, True),
        (100, {}, False),
        (3, {'defer': 'auto', 'defer_above': 2}, True),
        (3, {'defer': 'auto', 'defer_above': 3}, False),
    ],
)
async def test_a_toolset_above_a_number_is_deferred_as_a_whole(
    count: int, options: dict[str, Any], is_hidden: bool
) -> None:
    names = await shown(SearchableToolset(numbered(count), **options))
    assert names == ([FIND] if is_hidden else [f'tool_{number}' for number in range(count)])


async def test_a_tool_that_says_it_is_loaded_stays_among_many_and_one_that_says_otherwise_is_hidden_among_few() -> None:
    toolset = numbered(40)
    toolset.tool_plain(name='by_keyword', defer_loading=False)(here)
    for name, metadata in (('by_metadata', {'defer_loading': False}), ('pinned', {'pinned': True})):
        toolset.add_function(len, name=name, metadata=metadata)
    toolset.add_function(len, name='runs_code', metadata={'code_arg_name': 'code'})
    assert await shown(SearchableToolset(toolset, defer='auto')) == [
        *('by_keyword', 'by_metadata', 'pinned', 'runs_code'),
        FIND,
    ]
    few = numbered(2)
    few.add_function(len, name='late', defer_loading=True)
    assert await shown(SearchableToolset(few, defer='auto')) == ['tool_0', 'tool_1', FIND]


async def test_a_toolset_of_any_kind_can_say_it_is_loaded() -> None:
    plain = PlainToolset[object](metadata={'defer_loading': False})
    for number in range(40):
        plain.add_function(lambda: 'done', takes_ctx=False, name=f'tool_{number}')
    assert len(await shown(SearchableToolset(plain, defer='auto'))) == 40


async def test_the_capability_defers_all_tools_of_an_agent_but_those_that_say_otherwise() -> None:
    script = Script([])
    capabilities = [CodeMode[object](defer='auto', default_callers='direct')]
    agent = OurAgent[object, str](script.model, toolsets=[numbered(31)], capabilities=capabilities)
    agent.tool_plain(defer_loading=False)(here)
    await agent.run('go')
    assert list(script.shown[0]) == ['here', FIND]
    script = Script([])
    await Agent(script.model, toolsets=[numbered(31)], capabilities=[CodeMode(defer='auto')]).run('go')
    assert list(script.shown[0]) == [FIND, 'run_code']
