"""Agents written as people know it from designs and guides: with our imports, their calls do what they say."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic import BaseModel
from pydantic_ai import (
    BinaryContent,
    DeferredToolRequests,
    DocumentUrl,
    ImageUrl,
    ModelRetry,
    RunContext,
    Tool,
    ToolReturn,
)
from pydantic_ai.capabilities import PrepareTools, ToolSearch
from pydantic_ai.models.test import TestModel
from pydantic_ai.tools import ToolDefinition

from tests.toolscript.scripted import Script, Turn, call, run_code, search
from toolscript import (
    CodeModeToolset,
    DeferredToolsReminder,
    DiscoveredToolInfo,
    FunctionToolset,
    MCPServer,
    SearchableToolset,
    ToolSearchOptions,
    allowed_callers,
)
from toolscript.agent import Agent
from toolscript_signatures import signature_from_function, signature_from_schema

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


def test_a_renderer_says_what_the_model_reads_of_a_tool() -> None:
    def custom_renderer(tool: ToolDefinition) -> DiscoveredToolInfo:
        return {'name': tool.name, 'description': f'[TOOL] {tool.description}' if tool.description else None}

    agent = Agent('openai:gpt-4o', tool_search_options=ToolSearchOptions(tool_renderer=custom_renderer))

    @agent.tool(defer_loading=True)
    def get_weather(city: str) -> str:
        """The weather of a city."""
        return city

    script = play(agent, search('weather'))
    assert script.answers[0]['tools'] == [{'name': 'get_weather', 'description': '[TOOL] The weather of a city.'}]
    assert get_weather('Paris') == 'Paris'


def test_a_toolset_is_deferred_as_a_whole() -> None:
    def db_query(query: str) -> list[dict[str, str]]:
        """Ask the database."""
        return [{'result': 'data'}]

    def db_insert(table: str, data: dict[str, Any]) -> bool:
        """Put a row into a table."""
        return True

    toolset = FunctionToolset([db_query, db_insert], defer_loading=True)
    agent = Agent('openai:gpt-4o', toolsets=[toolset])
    script = play(agent, search('insert'), call('db_insert', table='t', data={'a': 1}))
    assert shown(script)[:2] == [[FIND], [FIND, 'db_insert']]
    assert script.answers[1] is True


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


def test_deferred_tools_for_code_are_found_and_then_called_from_code() -> None:
    agent = Agent('anthropic:claude-sonnet-4-20250514', tool_search_options=ToolSearchOptions(algorithm='bm25'))

    @agent.tool(defer_loading=True, allowed_callers='code')
    def complex_calculation(x: float, y: float, z: float) -> float:
        """A calculation, best done in code."""
        return x * y + z

    @agent.tool(defer_loading=True, allowed_callers='code')
    def data_transform(data: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Another structure for data, best done in code."""
        return [{'transformed': d} for d in data]

    code = 'await data_transform(data=[{"n": await complex_calculation(2, 3, 4)}])'
    script = play(agent, search('calculation structure'), run_code(code))
    assert shown(script) == [[FIND, 'run_code']] * 3
    assert script.answers[1] == data_transform([{'n': complex_calculation(2, 3, 4)}])


def test_a_history_takes_what_was_found_to_another_agent() -> None:
    def build(model: str) -> Agent[None, str]:
        agent: Agent[None, str] = Agent(model)

        @agent.tool(defer_loading=True)
        def tool_a() -> str:
            return 'a'

        @agent.tool(defer_loading=True)
        def tool_b() -> str:
            return 'b'

        assert tool_a() + tool_b() == 'ab'
        return agent

    agent1, agent2 = build('openai:gpt-4o'), build('anthropic:claude-sonnet-4-20250514')
    with agent1.override(model=Script([search('select:tool_a'), call('tool_a')]).model):
        history = agent1.run_sync('Find and use tool_a').all_messages()
    script = play(agent2, call('tool_a'), message_history=history)
    assert shown(script)[0] == [FIND, 'tool_a']
    assert script.answers == ['a']


# -- dynamic tools behind a meta-tool


@pytest.mark.parametrize(
    ('query', 'found'),
    [
        ('weather forecast', ['weather_forecast', 'weather_history']),
        ('select:weather_history,slack_send_message', ['weather_history', 'slack_send_message']),
        ('+slack send message', ['slack_send_message', 'slack_list_channels']),
    ],
)
def test_dynamic_tools_are_found_in_three_modes(query: str, found: list[str]) -> None:
    names = ['weather_forecast', 'weather_history', 'slack_send_message', 'slack_list_channels', 'mail_send_message']
    dynamic_tools = [Tool(lambda: 'done', name=name, takes_ctx=False) for name in names]
    options = ToolSearchOptions(algorithm='keywords', tool_name='tool_search')
    toolset = SearchableToolset(FunctionToolset(dynamic_tools).defer_loading(), options)
    agent = Agent('openai:gpt-4o', toolsets=[toolset], capabilities=[DeferredToolsReminder()])
    script = play(agent, call('tool_search', query=query))
    assert [tool['name'] for tool in script.answers[0]['tools']] == found
    assert shown(script)[1] == ['tool_search', *found]


# -- everything else that a tool can do


class User(BaseModel):
    name: str
    age: int


def test_tools_return_anything() -> None:
    agent = Agent('openai:gpt-4o')

    @agent.tool_plain
    def get_current_time() -> datetime:
        return datetime(2025, 4, 17, 22, 45)

    @agent.tool_plain
    def get_user() -> User:
        return User(name='John', age=30)

    @agent.tool_plain
    def get_company_logo() -> ImageUrl:
        return ImageUrl(url='https://example.com/logo.png')

    @agent.tool_plain
    def get_document() -> DocumentUrl:
        return DocumentUrl(url='https://example.com/dummy.pdf')

    names = ['get_current_time', 'get_user', 'get_company_logo', 'get_document']
    script = play(agent, [call(name) for name in names])
    assert script.answers == [get_current_time(), get_user(), get_company_logo(), get_document()]


def test_a_tool_returns_a_value_content_and_metadata() -> None:
    agent = Agent(TestModel())

    @agent.tool_plain
    def click_and_capture(x: int, y: int) -> ToolReturn:
        """Click somewhere and show the screen before and after."""
        screenshot = BinaryContent(data=b'\x89PNG', media_type='image/png')
        return ToolReturn(
            return_value=f'Successfully clicked at ({x}, {y})',
            content=['Before:', screenshot, 'After:', screenshot],
            metadata={'coordinates': {'x': x, 'y': y}, 'action_type': 'click_and_capture'},
        )

    result = agent.run_sync('Click on the submit button and tell me what happened')
    assert result.output == '{"click_and_capture":"Successfully clicked at (0, 0)"}'
    assert click_and_capture(1, 2).metadata == {'coordinates': {'x': 1, 'y': 2}, 'action_type': 'click_and_capture'}


def test_a_tool_is_made_from_a_schema() -> None:
    def foobar(**kwargs: Any) -> str:
        return kwargs['a'] + kwargs['b']

    number = {'type': 'integer'}
    tool = Tool[None].from_schema(
        function=foobar,
        name='sum',
        description='Sum two numbers.',
        json_schema={
            'additionalProperties': False,
            'properties': {'a': number, 'b': number},
            'required': ['a', 'b'],
            'type': 'object',
        },
        takes_ctx=False,
    )
    agent = Agent(TestModel(), tools=[tool], deps_type=type(None))
    assert agent.run_sync('testing...').output == '{"sum":0}'


def test_a_tool_is_left_out_of_a_step() -> None:
    agent = Agent('test', deps_type=int)

    async def only_if_42(ctx: RunContext[int], tool_def: ToolDefinition) -> ToolDefinition | None:
        return tool_def if ctx.deps == 42 else None

    @agent.tool(prepare=only_if_42)
    def hitchhiker(ctx: RunContext[int], answer: str) -> str:
        return f'{ctx.deps} {answer}'

    assert agent.run_sync('testing...', deps=41).output == 'success (no tool calls)'
    assert agent.run_sync('testing...', deps=42).output == '{"hitchhiker":"42 a"}'
    assert hitchhiker.__name__ == 'hitchhiker'


def test_a_tool_is_described_by_the_deps() -> None:
    def greet(name: str) -> str:
        return f'hello {name}'

    async def prepare_greet(ctx: RunContext[str], tool_def: ToolDefinition) -> ToolDefinition | None:
        tool_def.parameters_json_schema['properties']['name']['description'] = f'Name of the {ctx.deps} to greet.'
        return tool_def

    test_model = TestModel()
    agent: Agent[str, str] = Agent(test_model, tools=[Tool(greet, prepare=prepare_greet)], deps_type=str)
    assert agent.run_sync('testing...', deps='human').output == '{"greet":"hello a"}'
    sent = test_model.last_model_request_parameters
    assert sent is not None
    assert sent.function_tools[0].parameters_json_schema['properties'] == {
        'name': {'type': 'string', 'description': 'Name of the human to greet.'}
    }


def test_all_tools_of_a_step_are_prepared() -> None:
    async def strict_and_harmless(ctx: RunContext[bool], tool_defs: list[ToolDefinition]) -> list[ToolDefinition]:
        tools = [tool_def for tool_def in tool_defs if not (ctx.deps and tool_def.name == 'launch_potato')]
        return [replace(tool_def, strict=True) for tool_def in tools]

    def launch_potato(target: str) -> str:
        return f'Potato launched at {target}!'

    test_model = TestModel()
    agent: Agent[bool, str] = Agent(
        test_model, tools=[Tool(launch_potato)], capabilities=[PrepareTools(strict_and_harmless)], deps_type=bool
    )
    assert agent.run_sync('testing...', deps=False).output == '{"launch_potato":"Potato launched at a!"}'
    sent = test_model.last_model_request_parameters
    assert sent is not None
    assert sent.function_tools[0].strict
    assert agent.run_sync('testing...', deps=True).output == 'success (no tool calls)'


def test_arguments_are_validated_before_anybody_is_asked_for_approval() -> None:
    agent = Agent('test', deps_type=int, output_type=[str, DeferredToolRequests])

    def validate_sum_limit(ctx: RunContext[int], x: int, y: int) -> None:
        if x + y > ctx.deps:
            raise ModelRetry(f'Sum of x and y must not exceed {ctx.deps}')

    @agent.tool(requires_approval=True, args_validator=validate_sum_limit)
    def add_numbers(ctx: RunContext[int], x: int, y: int) -> int:
        """Add two numbers, up to the limit."""
        return x + y

    output = agent.run_sync('add 5 and 3', deps=100).output
    assert isinstance(output, DeferredToolRequests)
    assert output.approvals[0].args == {'x': 0, 'y': 0}
    assert add_numbers.__name__ == 'add_numbers'


def test_a_flaky_tool_asks_for_another_try() -> None:
    agent = Agent('openai:gpt-4o')

    @agent.tool_plain
    def my_flaky_tool(query: str) -> str:
        if query == 'bad':
            raise ModelRetry("The query 'bad' is not allowed. Please provide a different query.")
        return 'Success!'

    script = play(agent, call('my_flaky_tool', query='bad'), call('my_flaky_tool', query='good'))
    assert script.answers == [
        "The query 'bad' is not allowed. Please provide a different query.",
        my_flaky_tool('good'),
    ]


def test_a_slow_tool_times_out() -> None:
    agent = Agent('test', tool_timeout=30)

    @agent.tool_plain(timeout=0.01)
    async def fast_tool() -> str:
        """A tool with a time limit of its own."""
        await asyncio.sleep(10)
        return 'Done'

    script = play(agent, call('fast_tool'))
    assert script.answers == ['Timed out after 0.01 seconds.']
    assert fast_tool.__name__ == 'fast_tool'


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


def users() -> FunctionToolset[Any]:
    toolset: FunctionToolset[Any] = FunctionToolset()

    @toolset.tool
    def get_user(user_id: str) -> dict[str, Any]:
        """A user by number."""
        return {'id': user_id, 'name': 'Alice'}

    @toolset.tool
    def get_orders(user_id: str) -> list[dict[str, Any]]:
        """The orders of a user."""
        return [{'id': '1', 'total': 100.0}]

    assert all([get_user('1'), get_orders('1')])
    return toolset


def test_all_tools_of_a_wrapped_toolset_are_called_from_code() -> None:
    code_toolset = CodeModeToolset(wrapped=users())
    agent = Agent('anthropic:claude-sonnet-4-5', toolsets=[code_toolset])
    script = play(agent, run_code("(await get_user('7'))['name'], sum(o['total'] for o in await get_orders('7'))"))
    assert shown(script)[0] == ['run_code']
    assert script.answers == [['Alice', 100.0]]


def test_signatures_come_from_functions_and_from_schemas() -> None:
    def get_user(user_id: str) -> dict[str, Any]:
        """Fetch user by ID."""
        return {'id': user_id}

    function = signature_from_function(
        get_user, name='get_user', description='Fetch user by ID.', include_return_type=True
    )
    schema = signature_from_schema(
        name='mcp_tool',
        parameters_json_schema={'type': 'object', 'properties': {'query': {'type': 'string'}}},
        description='Search something.',
    )
    assert [function.signature, schema.signature] == snapshot(
        [
            '''\
def get_user(user_id: str) -> dict[str, Any]:
    """Fetch user by ID."""\
''',
            '''\
def mcp_tool(query: str | None = None) -> Any:
    """Search something."""\
''',
        ]
    )
    assert get_user('1') == {'id': '1'}


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


def test_direct_code_and_search_toolsets_stand_side_by_side() -> None:
    direct_toolset: FunctionToolset[Any] = FunctionToolset()

    @direct_toolset.tool
    def get_weather(city: str) -> str:
        """A simple lookup."""
        return f'{city}: sunny'

    hidden: FunctionToolset[Any] = FunctionToolset(defer_loading=True)

    @hidden.tool(metadata=allowed_callers('code'))
    def convert_currency(amount: float, to: str) -> float:
        """An amount in another currency."""
        return amount * 2

    agent = Agent(
        'anthropic:claude-sonnet-4-5',
        toolsets=[direct_toolset, CodeModeToolset(wrapped=users()), SearchableToolset(hidden)],
    )
    code = "await convert_currency((await get_orders('7'))[0]['total'], 'EUR')"
    script = play(agent, call('get_weather', city='Paris'), search('currency'), run_code(code))
    assert shown(script) == [['get_weather', 'run_code', FIND]] * 4
    assert [script.answers[0], script.answers[2]] == [get_weather('Paris'), convert_currency(100, 'EUR')]
