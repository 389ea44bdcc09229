"""A schema that is no object, or that nobody can write down, stops neither the run nor its tool."""

from typing import Any

import pytest
from pydantic_ai import Agent, CombinedToolset, FunctionToolset, RunContext, Tool
from pydantic_ai.tools import ToolDefinition

from tests.toolscript.scripted import Script, run_code
from toolscript import CodeModeToolset, SearchableToolset

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


async def plant(**arguments: Any) -> str:
    """Plant a tree."""
    return f'planted {arguments["n"]}'


async def double(n: int) -> int:
    """Double a number."""
    return 2 * n


def with_schemas(takes: Any, gives: Any) -> Tool[object]:
    async def changed(ctx: RunContext[object], tool_def: ToolDefinition) -> ToolDefinition:
        tool_def.parameters_json_schema, tool_def.return_schema = takes, gives
        return tool_def

    return Tool(plant, prepare=changed)


_NO_SCHEMAS = [None, True, 7, 1.5, 'object', ['a', 'b'], b'{}']
_HALF_A_CHARACTER = {'type': 'object', 'properties': {'n': {'description': '\ud800'}}, 'required': ['n']}


@pytest.mark.parametrize('schema', [*_NO_SCHEMAS, _HALF_A_CHARACTER], ids=repr)
@pytest.mark.parametrize('found', [False, True], ids=['shown', 'found by the words of the user'])
async def test_a_tool_without_a_schema_that_can_be_read_takes_anything_and_others_go_on(
    schema: Any, found: bool
) -> None:
    odd = FunctionToolset([with_schemas(schema, schema)])
    tools = SearchableToolset(odd.defer_loading()) if found else odd
    script = Script([run_code('[await plant(n=1), await double(2)]')])
    agent = Agent(script.model, toolsets=[CodeModeToolset(CombinedToolset([tools, FunctionToolset([double])]))])
    await agent.run('Plant a tree.')
    assert script.answers == [['planted 1', 4]]
