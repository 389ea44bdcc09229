"""Tests of plain pydantic-ai pass unchanged when their agent gets code mode."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from pydantic import BaseModel
from pydantic_ai import Agent, RunContext, UserError, capture_run_messages
from pydantic_ai.messages import ModelResponse, ToolCallPart, ToolReturnPart
from pydantic_ai.models.test import TestModel
from pydantic_ai.toolsets import AbstractToolset

from toolscript import CodeMode, CodeModeToolset, CodeOutput, FunctionToolset, SearchableToolset
from toolscript.testing import script_model

pytestmark = pytest.mark.pydantic_ai


class Total(BaseModel):
    """What all orders come to."""

    euros: float
    orders: int


def _in_toolset(tools: AbstractToolset[str], output_type: Any = str) -> Agent[str, Any]:
    return Agent(deps_type=str, output_type=output_type, toolsets=[CodeModeToolset(SearchableToolset(tools))])


def _as_capability(tools: AbstractToolset[str], output_type: Any = str) -> Agent[str, Any]:
    return Agent(deps_type=str, output_type=output_type, toolsets=[tools], capabilities=[CodeMode[str]()])


def _with_answers_from_code(tools: AbstractToolset[str], output_type: Any = str) -> Agent[str, Any]:
    capabilities = [CodeMode[str](), CodeOutput[str]()]
    return Agent(deps_type=str, output_type=output_type, toolsets=[tools], capabilities=capabilities)


def _plain(tools: AbstractToolset[str], output_type: Any = str) -> Agent[str, Any]:
    return Agent(deps_type=str, output_type=output_type, toolsets=[tools])


@pytest.fixture(
    params=[_plain, _in_toolset, _as_capability, _with_answers_from_code], ids=lambda make: make.__name__.strip('_')
)
def make_agent(request: pytest.FixtureRequest) -> Callable[..., Agent[str, Any]]:
    tools = FunctionToolset[str]()

    @tools.tool
    def orders_of(ctx: RunContext[str], customer: str, limit: int = 10) -> list[str]:
        return [f'{customer} in {ctx.deps}'][:limit]

    @tools.tool_plain(defer_loading=True)
    def refund(order: int, amount: float) -> str:
        return f'{order}: {amount}'

    return partial(request.param, tools)


@pytest.mark.parametrize('seed', [0, 7])
async def test_a_run_ends_with_output_of_its_type(make_agent: Callable[..., Agent[str, Any]], seed: int) -> None:
    result = await make_agent(Total).run('How much?', model=TestModel(seed=seed), deps='Lisbon')
    assert result.output == Total(euros=seed, orders=seed)


async def test_the_model_can_be_named_test_and_overridden(make_agent: Callable[..., Agent[str, Any]]) -> None:
    agent = make_agent([str, Total])
    with agent.override(model='test', deps='Lisbon'), capture_run_messages() as messages:
        await agent.run('How much?', deps='Lisbon')
    calls = [part for message in messages for part in message.parts if isinstance(part, ToolCallPart)]
    returns = [part for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]
    assert calls
    assert [part.outcome for part in returns] == ['success'] * len(calls)
    assert isinstance(messages[-1], ModelResponse)


async def test_a_streamed_run_ends_too(make_agent: Callable[..., Agent[str, Any]]) -> None:
    async with make_agent(Total).run_stream('How much?', model=TestModel(), deps='Lisbon') as streamed:
        assert await streamed.get_output() == Total(euros=0, orders=0)


# -- the model that plays scripts


def double(number: int) -> int:
    return 2 * number


def agent(*scripts: str) -> Agent[object, str]:
    code_mode = CodeModeToolset(FunctionToolset[object]([double]))
    return Agent(script_model(*scripts), toolsets=[code_mode.prefixed('my')])


async def test_scripts_are_sent_in_order_and_the_last_result_is_shown() -> None:
    played = await agent('a = await double(number=4)', 'a + 1').run('go')
    assert played.output == '9'
    assert played.usage.requests == 3


async def test_a_further_prompt_starts_again() -> None:
    one = agent('await double(number=4)')
    first = await one.run('go')
    again = await one.run('continue', message_history=first.all_messages())
    assert (first.output, again.output, again.usage.requests) == ('8', '8', 2)


async def test_a_failed_script_counts_as_sent() -> None:
    assert (await agent('1 / 0', 'await double(number=1)').run('go')).output == '2'
    assert 'ZeroDivisionError' in (await agent('1 / 0').run('go')).output


@pytest.mark.parametrize(('script', 'reported'), [('None', 'null'), ("''", '""'), ('[]', '[]')])
async def test_an_empty_result_is_shown_and_its_script_sent_once(script: str, reported: str) -> None:
    played = await agent(f'await double(number=1)\n{script}').run('go')
    assert played.output == reported
    assert played.usage.requests == 2


async def test_without_code_mode_the_error_says_what_is_missing() -> None:
    with pytest.raises(UserError, match='the agent offers no run_code: give it a CodeModeToolset'):
        await Agent(script_model('1')).run('go')
