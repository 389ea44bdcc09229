"""The model that plays scripts."""

import pytest
from pydantic_ai import Agent, UserError

from toolscript import CodeModeToolset, FunctionToolset
from toolscript.testing import script_model

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


def double(number: int) -> int:
    return 2 * number


def agent(*scripts: str) -> Agent[object, str]:
    code_mode = CodeModeToolset(FunctionToolset[object]([double]))
    return Agent(script_model(*scripts), toolsets=[code_mode.prefixed('my')])


async def test_scripts_are_played_in_turn_and_the_last_result_is_shown() -> None:
    played = await agent('a = await double(number=4)', 'a + 1').run('go')
    assert played.output == '9'
    assert played.usage.requests == 3


async def test_a_further_prompt_begins_anew() -> None:
    one = agent('await double(number=4)')
    first = await one.run('go')
    again = await one.run('continue', message_history=first.all_messages())
    assert (first.output, again.output) == ('8', '8')


async def test_a_script_that_fails_was_played() -> None:
    assert (await agent('1 / 0', 'await double(number=1)').run('go')).output == '2'
    assert 'ZeroDivisionError' in (await agent('1 / 0').run('go')).output


@pytest.mark.parametrize(('script', 'reported'), [('None', 'null'), ("''", '""'), ('[]', '[]')])
async def test_a_result_that_is_empty_is_shown_and_its_script_played_once(script: str, reported: str) -> None:
    played = await agent(f'await double(number=1)\n{script}').run('go')
    assert played.output == reported
    assert played.usage.requests == 2


async def test_without_code_mode_it_says_what_is_missing() -> None:
    with pytest.raises(UserError, match='the agent offers no run_code: give it a CodeModeToolset'):
        await Agent(script_model('1')).run('go')
