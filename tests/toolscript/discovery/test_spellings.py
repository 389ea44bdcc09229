"""Agents written as in designs and guides work with our imports."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.tools import ToolDefinition

from tests.toolscript.scripted import Script, Turn, call, run_code, search
from toolscript import DiscoveredToolInfo, MCPServer, ToolSearchOptions
from toolscript.agent import Agent

FIND = 'pai_tool_search_tool'

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.usefixtures('loop')]


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Agents are made for real providers, and run with a scripted model instead."""
    monkeypatch.setenv('OPENAI_API_KEY', 'none')
    monkeypatch.setenv('ANTHROPIC_API_KEY', 'none')


def play(agent: Agent[Any, Any], *turns: Turn, **options: Any) -> Script:
    script = Script([*turns])
    with agent.override(model=script.model):
        agent.run_sync('go', **options)
    return script


def test_decorators_accept_defer_loading_and_allowed_callers() -> None:
    def rendered(tool: ToolDefinition) -> DiscoveredToolInfo:
        return {'name': tool.name, 'description': f'[TOOL] {tool.description}'}

    options = ToolSearchOptions(algorithm='bm25', max_results=10, tool_renderer=rendered)
    agent = Agent('anthropic:claude-sonnet-4-20250514', tool_search_options=options)

    @agent.tool(defer_loading=True)
    def get_weather(city: str) -> str:
        """The weather of a city."""
        return f'Weather in {city}: sunny'

    @agent.tool(defer_loading=True, allowed_callers='code')
    def calculation(x: float, y: float) -> float:
        """A calculation, best done in code."""
        return x * y

    @agent.tool
    def get_time() -> str:
        """The time of day."""
        return '12:00 PM'

    script = play(
        agent,
        search('weather'),
        call('get_weather', city='Paris'),
        search('calculation'),
        run_code('await calculation(2, 3)'),
    )
    assert list(script.shown[0]) == ['get_time', FIND, 'run_code']
    assert list(script.shown[-1]) == ['get_time', FIND, 'run_code', 'get_weather']
    assert script.shown[0][FIND].parameters_json_schema['properties']['max_results']['default'] == 10
    assert script.answers[0]['tools'] == [{'name': 'get_weather', 'description': '[TOOL] The weather of a city.'}]
    assert script.answers[1::2] == ['Weather in Paris: sunny', 6.0]


@pytest.mark.parametrize(
    ('defer_loading', 'first'),
    [(True, [FIND]), (['create_issue', 'close_issue'], ['search_issues', 'search_code', 'get_issue', FIND])],
)
def test_an_mcp_server_is_deferred_completely_or_in_part(defer_loading: bool | list[str], first: list[str]) -> None:
    script = str(Path(__file__).parents[2] / 'servers' / 'issues.py')
    mcp = MCPServer(sys.executable, args=[script], defer_loading=defer_loading, init_timeout=60)
    played = play(Agent('openai:gpt-4o', toolsets=[mcp]), search('close'), call('close_issue', about='7'))
    assert list(played.shown[0]) == first
    assert played.answers[1] == 'close_issue: 7'


def test_sync_tools_run_in_the_given_executor() -> None:
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix='agent-worker') as executor:
        agent = Agent('test')

        @agent.tool_plain(allowed_callers='both')
        def where() -> str:
            return threading.current_thread().name

        with Agent[None, str].using_thread_executor(executor):
            script = play(agent, call('where'), run_code('await where()'))
    assert script.answers == ['agent-worker_0', 'agent-worker_0']
