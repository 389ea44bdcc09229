"""How an agent with code mode searches: by what it was told, wherever it was told."""

from collections.abc import Sequence
from typing import Any

import pydantic_ai
import pytest
from pydantic_ai import RunContext, UserError
from pydantic_ai.capabilities import ToolSearch
from pydantic_ai.tools import ToolDefinition

from tests.toolscript.scripted import Script, search
from toolscript import CodeMode, FunctionToolset, ToolSearchOptions

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


def tools() -> FunctionToolset[object]:
    toolset = FunctionToolset[object](defer_loading=True)

    @toolset.tool_plain
    def mortgage_calculator(principal: float) -> float:
        """Monthly payment of a loan for a home."""
        return principal

    return toolset


def by_length(ctx: RunContext[Any], queries: Sequence[str], tools: Sequence[ToolDefinition]) -> list[str]:
    return [tool.name for tool in tools if len(tool.name) > len(queries[0])]


@pytest.mark.parametrize('outer', [True, False])
async def test_a_strategy_of_the_agent_is_used_by_code_mode(outer: bool) -> None:
    capabilities: list[Any] = [ToolSearch(strategy=by_length), CodeMode()]
    script = Script([search('zebra'), search('a query that is longer than the name')])
    agent = pydantic_ai.Agent(script.model, toolsets=[tools()], capabilities=capabilities[:: 1 if outer else -1])
    await agent.run('go')
    assert [[tool['name'] for tool in answer['tools']] for answer in script.answers] == [['mortgage_calculator'], []]


async def test_two_strategies_for_the_same_tools_are_refused() -> None:
    agent = pydantic_ai.Agent(
        Script([]).model,
        toolsets=[tools()],
        capabilities=[ToolSearch(strategy=by_length), CodeMode(search=ToolSearchOptions(algorithm='keywords'))],
    )
    with pytest.raises(UserError, match='search the same tools; keep one of them'):
        await agent.run('go')
