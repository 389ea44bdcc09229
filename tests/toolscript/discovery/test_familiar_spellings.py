"""Agents written as people know it from designs and guides: with our imports, their calls do what they say."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import (
    RunContext,
)
from pydantic_ai.capabilities import ToolSearch
from pydantic_ai.tools import ToolDefinition

from tests.toolscript.scripted import Script, Turn, call, run_code, search
from toolscript import (
    Agent,
    CodeModeToolset,
    FunctionToolset,
    MCPServer,
    ToolSearchOptions,
)

FIND = 'pai_tool_search_tool'


pytestmark = pytest.mark.usefixtures('loop')


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Agents are made for real providers, and run with a scripted model in their place."""
    monkeypatch.setenv('OPENAI_API_KEY', 'none')
    monkeypatch.setenv('ANTHROPIC_API_KEY', 'none')


def play(agent: Agent[Any, Any], *turns: Turn, **options: Any) -> Script:
    script = Script([*turns])
    with agent.override(model=script.model):
        agent.run_sync('go', **options)
    return script


def shown(script: Script) -> list[list[str]]:
    return [list(tools) for tools in script.shown]


# -- a searchable toolset in the agent


def test_decorated_tools_wait_for_a_search() -> None:
    agent = Agent('openai:gpt-4o')

    @agent.tool(defer_loading=True)
    def get_weather(city: str) -> str:
        """The weather of a city."""
        return f'Weather in {city}: sunny'

    @agent.tool(defer_loading=True)
    def get_stock_price(symbol: str) -> float:
        """What a share costs."""
        return 123.45

    @agent.tool  # not deferred
    def get_time() -> str:
        """The time of day."""
        return '12:00 PM'

    script = play(agent, search('weather'), call('get_weather', city='Paris'))
    assert shown(script)[:2] == [['get_time', FIND], ['get_time', FIND, 'get_weather']]
    assert script.answers[1] == get_weather('Paris')
    assert (get_stock_price('X'), get_time()) == (123.45, '12:00 PM')


def test_options_say_how_to_search() -> None:
    agent = Agent(
        'anthropic:claude-sonnet-4-20250514', tool_search_options=ToolSearchOptions(algorithm='bm25', max_results=10)
    )

    @agent.tool(defer_loading=True)
    def fetch_user_data(user_id: int) -> dict[str, Any]:
        """A user, from the database."""
        return {'id': user_id, 'name': 'John'}

    script = play(agent, search('user'), call('fetch_user_data', user_id=3))
    assert script.shown[0][FIND].parameters_json_schema['properties']['max_results']['default'] == 10
    assert script.answers[1] == fetch_user_data(3)


@pytest.mark.parametrize(
    ('defer_loading', 'first'),
    [(True, [FIND]), (['create_issue', 'close_issue'], ['search_issues', 'search_code', 'get_issue', FIND])],
)
def test_an_mcp_server_is_deferred_as_a_whole_or_in_part(defer_loading: bool | list[str], first: list[str]) -> None:
    script = str(Path(__file__).parents[2] / 'servers' / 'issues.py')
    mcp = MCPServer(sys.executable, args=[script], defer_loading=defer_loading, init_timeout=60)
    agent = Agent('openai:gpt-4o', toolsets=[mcp])
    played = play(agent, search('close'), call('close_issue', about='7'))
    assert shown(played)[0] == first
    assert played.answers[1] == 'close_issue: 7'


# -- dynamic tools behind a meta-tool


# -- everything else that a tool can do


def test_sync_tools_run_in_the_executor_that_is_given() -> None:
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix='agent-worker') as executor:
        agent = Agent('test')

        @agent.tool_plain(allowed_callers='both')
        def where() -> str:
            return threading.current_thread().name

        with Agent[None, str].using_thread_executor(executor):
            script = play(agent, call('where'), run_code('await where()'))
    assert script.answers == ['agent-worker_0', 'agent-worker_0']
    assert where() != 'agent-worker_0'


def test_a_search_function_is_given_to_the_capability() -> None:
    def fuzzy_search(ctx: RunContext[object], queries: Sequence[str], tools: Sequence[ToolDefinition]) -> list[str]:
        needles = [needle for query in queries for needle in query.lower().split()]
        return [tool.name for tool in tools if any(needle in tool.name for needle in needles)]

    for agent in (
        Agent('anthropic:claude-sonnet-4-6', capabilities=[ToolSearch(strategy=fuzzy_search)]),
        Agent('anthropic:claude-sonnet-4-6', tool_search_options=ToolSearchOptions(algorithm=fuzzy_search)),
    ):

        @agent.tool_plain(defer_loading=True)
        def mortgage_calculator(principal: float, rate: float, years: int) -> str:
            """Monthly payment of a loan for a home."""
            monthly, months = rate / 100 / 12, years * 12
            factor = (1 + monthly) ** months
            return f'${principal * monthly * factor / (factor - 1):.2f}/month'

        payment = call('mortgage_calculator', principal=100_000, rate=6, years=30)
        script = play(agent, search('mortgage'), payment)
        assert [tool['name'] for tool in script.answers[0]['tools']] == ['mortgage_calculator']
        assert script.answers[1] == mortgage_calculator(100_000, 6, 30) == '$599.55/month'


# -- code mode


def test_each_tool_says_who_may_call_it() -> None:
    toolset: FunctionToolset[Any] = FunctionToolset()

    @toolset.tool(allowed_callers='code')
    def aggregate_data(items: list[dict[str, Any]]) -> dict[str, Any]:
        """Many records as one."""
        return {'count': len(items)}

    @toolset.tool(allowed_callers='direct')
    def get_weather(city: str) -> str:
        """A simple lookup."""
        return f'{city}: sunny'

    @toolset.tool(allowed_callers='both')
    def search_docs(query: str) -> list[dict[str, Any]]:
        """A search, for either way of calling."""
        return [{'title': query}]

    agent = Agent('anthropic:claude-sonnet-4-5', toolsets=[CodeModeToolset(wrapped=toolset)])
    code = "await aggregate_data(items=await search_docs('x'))"
    script = play(agent, call('get_weather', city='Paris'), call('search_docs', query='x'), run_code(code))
    assert shown(script)[0] == ['get_weather', 'search_docs', 'run_code']
    assert script.answers == [get_weather('Paris'), search_docs('x'), aggregate_data([{}])]
