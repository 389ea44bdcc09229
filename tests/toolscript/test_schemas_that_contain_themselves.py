"""A schema that contains itself as a Python object is refused at once, wherever it stands and whoever asks for the tool."""

from typing import Any
from weakref import ReferenceType, ref

import pytest
from pydantic_ai import Agent, FunctionToolset, Tool, UserError
from pydantic_ai.tools import ToolDefinition

from tests.toolscript.scripted import Script, run_code
from toolscript import CodeModeToolset, SearchableToolset
from toolscript.catalog.schemas import check_schemas

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


def _itself() -> dict[str, Any]:
    schema: dict[str, Any] = {'type': 'object', 'properties': {}}
    schema['properties'].update({f'part_{number}': schema for number in range(8)})
    return schema


def _below(keyword: str, *, many: bool) -> dict[str, Any]:
    inner: dict[str, Any] = {}
    inner[keyword] = [inner, inner] if many else inner
    return {'type': 'object', 'properties': {'tree': inner}}


def _shared() -> dict[str, Any]:
    inner: dict[str, Any] = {'type': 'string'}
    for _ in range(60):
        inner = {'anyOf': [inner, inner]}
    return {'type': 'object', 'properties': {'tree': inner}}


ENDLESS = [_itself(), _below('items', many=False), _below('anyOf', many=True), _below('default', many=False), _shared()]


async def plant(**_: Any) -> int:
    """Plant a tree."""
    return 1


@pytest.mark.parametrize('schema', ENDLESS, ids=['properties', 'items', 'anyOf', 'default', 'shared'])
@pytest.mark.parametrize('deferred', [False, True], ids=['shown', 'searched'])
async def test_a_schema_that_contains_itself_is_refused_with_what_to_write(
    schema: dict[str, Any], deferred: bool
) -> None:
    tools = FunctionToolset[None]([Tool.from_schema(plant, 'plant', 'Plant a tree.', schema)])
    toolset = CodeModeToolset(SearchableToolset(tools.defer_loading()) if deferred else tools)
    agent = Agent(Script([run_code('await plant()')]).model, deps_type=type(None), toolsets=[toolset])
    with pytest.raises(UserError, match=r"A schema of the tool 'plant' contains itself.*'\$defs' and '\$ref'"):
        await agent.run('Plant a tree')


async def test_what_merely_stands_in_two_places_of_a_schema_is_taken() -> None:
    name = {'type': 'string'}
    schema = {'type': 'object', 'properties': {'first': name, 'last': name}}
    tools = FunctionToolset[None]([Tool.from_schema(plant, 'plant', 'Plant a tree.', schema)])
    script = Script([run_code('await plant(first="a", last="b")')])
    await Agent(script.model, deps_type=type(None), toolsets=[CodeModeToolset(tools)]).run('go')
    assert script.answers == [1]


class Remembered(dict[str, Any]):
    """A schema of which it can be told whether anybody has it."""


def test_schemas_of_tools_that_are_gone_are_let_go() -> None:
    made = list[ReferenceType[Remembered]]()
    for number in range(20_000):
        schema = Remembered(type='object', description=f'{number}')
        made.append(ref(schema))
        check_schemas([ToolDefinition(name='gone', parameters_json_schema=schema)])
        del schema
    # How many wait to be let go depends on how many of others the process still has.
    assert sum(one() is not None for one in made) <= 10_000
