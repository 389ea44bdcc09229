"""Where signatures stand, and what changes when tools are found or seen at work."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from inline_snapshot import snapshot
from pydantic_ai.messages import ModelMessage, ToolCallPart
from pydantic_ai.models.function import AgentInfo
from pydantic_ai.toolsets import FunctionToolset as PlainToolset

from tests.toolscript.scripted import Script, call, functions_text, play, run_code, search
from toolscript import CodeModeToolset, FunctionToolset, SearchableToolset
from toolscript.offering.run_code_prompt import RUN_CODE_DESCRIPTION

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
    toolset = CodeModeToolset(SearchableToolset(bank()), catalog='append')
    script = await play(
        toolset, search('balance'), run_code("await close_account('A2')"), call('close_account', account='A1')
    )
    assert len(set(descriptions(script))) == 1
    assert script.answers[0].startswith('Found 1 of 2 deferred tools.\n\nasync def balance_of(\n account: str, ')
    signature = 'async def close_account(account: str) -> bool:\n """Close an account for good."""'
    assert script.answers[1:] == [{'result': True, 'new_functions': signature}, False]


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
