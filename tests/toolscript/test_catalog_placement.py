"""Where signatures stand, and what changes when tools are found or seen at work."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, RunContext
from pydantic_ai.messages import ModelMessage, ModelRequest, ToolCallPart
from pydantic_ai.models.function import AgentInfo
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import FunctionToolset as PlainToolset

from tests.toolscript.scripted import Script, call, functions_text, play, run_code, search
from toolscript import CodeMode, CodeModeToolset, FunctionToolset, SearchableToolset
from toolscript.run_code.prompt import RUN_CODE_DESCRIPTION

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


def bank() -> FunctionToolset[object]:
    toolset = FunctionToolset[object]()

    @toolset.tool_plain
    def accounts() -> list[str]:
        """All account numbers."""
        return ['A1', 'A2']

    @toolset.tool_plain(defer_loading=True)
    def balance_of(account: str, currency: str = 'EUR') -> float:
        """What is on an account.

        Args:
            account: Its number.
            currency: Three letters.
        """
        return 100.0 * len(account + currency)

    @toolset.tool_plain(defer_loading=True, allowed_callers='both')
    def close_account(account: str) -> bool:
        """Close an account for good."""
        return account != 'A1'

    assert all([accounts(), balance_of('A'), close_account('A')])
    return toolset


def descriptions(script: Script) -> list[str]:
    return [shown['run_code'].description or '' for shown in script.shown]


async def test_a_found_signature_enters_the_description() -> None:
    script = await play(CodeModeToolset(SearchableToolset(bank())), search('select:balance_of,close_account'))
    first, second = descriptions(script)
    assert functions_text(second) == snapshot('''\
async def accounts() -> list[str]:
 """All account numbers."""

async def balance_of(
 account: str, # Its number.
 currency: str = 'EUR' # Three letters.
) -> float:
 """What is on an account."""

async def close_account(account: str) -> bool:
 """Close an account for good."""\
''')
    assert first.startswith(RUN_CODE_DESCRIPTION)
    assert second.startswith(RUN_CODE_DESCRIPTION)


async def test_with_append_the_description_never_changes_and_results_tell_the_signature() -> None:
    script = await play(
        CodeModeToolset(SearchableToolset(bank()), catalog='append'),
        search('balance'),
        run_code("await close_account('A2')"),
        call('close_account', account='A1'),
    )
    assert len(set(descriptions(script))) == 1
    assert script.answers == snapshot(
        [
            '''\
Found 1 of 2 deferred tools.

async def balance_of(
 account: str, # Its number.
 currency: str = 'EUR' # Three letters.
) -> float:
 """What is on an account."""\
''',
            {
                'result': True,
                'new_functions': '''\
async def close_account(account: str) -> bool:
 """Close an account for good."""\
''',
            },
            False,
        ]
    )


async def test_with_append_what_another_search_found_is_told_by_an_instruction() -> None:
    by_upstream = Script([call('search_tools', queries=['balance'])])
    history = (await Agent(by_upstream.model, toolsets=[bank()]).run('go')).all_messages()
    script = Script([])
    agent = Agent(script.model, toolsets=[CodeModeToolset(SearchableToolset(bank()), catalog='append')])
    result = await agent.run('on', message_history=history)
    request = result.new_messages()[0]
    assert isinstance(request, ModelRequest)
    assert request.instructions == snapshot('''\
Also defined in run_code:

async def balance_of(
 account: str, # Its number.
 currency: str = 'EUR' # Three letters.
) -> float:
 """What is on an account."""\
''')


async def test_a_schema_that_prepare_changes_in_place_is_shown_as_it_is_now() -> None:
    async def for_user(ctx: RunContext[Any], tool_def: ToolDefinition) -> ToolDefinition:
        tool_def.parameters_json_schema['properties']['name']['description'] = f'As {ctx.deps} spells it.'
        return tool_def

    plain = PlainToolset[Any]()

    @plain.tool_plain(prepare=for_user)
    def greet(name: str) -> str:
        return f'hello {name}'

    shown: list[str] = []
    for user in ('Ada', 'Bob'):
        script = Script([])
        await Agent(script.model, toolsets=[CodeModeToolset(plain)], deps_type=str).run('go', deps=user)
        shown += descriptions(script)
    assert ['As Ada spells it.' in shown[0], 'As Bob spells it.' in shown[1]] == [True, True]
    assert greet('you') == 'hello you'


async def test_names_in_code_stay_when_a_tool_that_clashes_is_found() -> None:
    def anything() -> Any:
        return None

    plain = PlainToolset[object]()
    for name in ('get-user', 'get.user'):
        plain.add_function(anything, name=name, description=name)
    toolset = CodeModeToolset(SearchableToolset(plain.defer_loading()))
    script = await play(toolset, search('select:get.user'), search('select:get-user'))
    assert [text.count('get_user_2') for text in descriptions(script)] == [0, 1, 1]
    assert 'async def get_user_2() -> Any:\n """get.user"""' in descriptions(script)[1]


def warehouse() -> PlainToolset[object]:
    def move(item: str, shelf: int) -> str:
        return f'{item} to {shelf}'

    toolset = PlainToolset[object]()
    for n in range(40):
        metadata = {'pinned': n == 39}
        toolset.add_function(move, name=f'move_{n}', description=f'Move to hall {n}, by belt.', metadata=metadata)
    return toolset


async def test_a_budget_shows_pinned_functions_first_and_leaves_the_rest_to_searches() -> None:
    toolset = CodeModeToolset(warehouse(), catalog_tokens=200)
    script = await play(toolset, run_code("found = await search_tools('hall 17', 1)\n[found, await move_17('nut', 3)]"))
    text = descriptions(script)[0]
    assert text.partition('# ')[2].partition('\n')[0] == snapshot('5 of 40 functions; search for the rest')
    assert ['move_39(' in text, 'move_0(' in text, 'move_30(' in text] == [True, True, False]
    assert script.answers == snapshot(
        [
            [
                [
                    {
                        'name': 'move_17',
                        'description': 'Move to hall 17, by belt.',
                        'signature': 'async def move_17(item: str, shelf: int) -> str: ...',
                    }
                ],
                'nut to 3',
            ]
        ]
    )
    assert len(set(descriptions(script))) == 1


async def test_the_capability_takes_the_same_choice() -> None:
    script = Script([search('balance')])
    await Agent(script.model, toolsets=[bank()], capabilities=[CodeMode(catalog='append')]).run('go')
    assert len(set(descriptions(script))) == 1


async def test_instrumented_runs_have_a_span_for_each_nested_call() -> None:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
    from pydantic_ai.capabilities import Instrumentation

    spans = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    script = Script([run_code('await accounts()')])
    settings = InstrumentationSettings(tracer_provider=provider)
    agent = Agent(script.model, toolsets=[CodeModeToolset(bank())], capabilities=[Instrumentation(settings)])
    await agent.run('go')
    by_name = {span.name: span for span in spans.get_finished_spans()}
    nested = [span for name, span in by_name.items() if 'accounts' in name]
    outer = [span for name, span in by_name.items() if 'run_code' in name]
    assert (len(nested), len(outer)) == (1, 1), sorted(by_name)


@pytest.mark.parametrize('catalog', ['description', 'append'])
@pytest.mark.parametrize(
    'finding', [search('balance'), run_code("await search_tools('balance')"), run_code("await balance_of('1')")]
)
async def test_a_signature_is_told_in_one_place(
    catalog: Literal['description', 'append'], finding: ToolCallPart
) -> None:
    sent: list[str] = []

    def keep(messages: list[ModelMessage], info: AgentInfo) -> str:
        definitions = [(tool.name, tool.description) for tool in info.function_tools]
        sent.append(f'{definitions} {messages} {info.instructions}')
        return 'done'

    await play(CodeModeToolset(SearchableToolset(bank()), catalog=catalog), finding, keep)
    assert sent[0].count('def balance_of(') == 1
