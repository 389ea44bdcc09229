"""A schema that nobody can read stops neither the run nor its tool; one that contains itself is refused at once."""

from typing import Any
from weakref import ReferenceType, ref

import pytest
from pydantic_ai import Agent, CombinedToolset, FunctionToolset, RunContext, Tool, UserError
from pydantic_ai.tools import ToolDefinition

from tests.toolscript.scripted import Script, run_code
from toolscript import CodeModeToolset, SearchableToolset
from toolscript.catalog.schemas import size_of

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

Schema = dict[str, Any]


async def plant(**arguments: Any) -> str:
    return f'planted {arguments["n"]}'


async def double(n: int) -> int:
    return 2 * n


def with_schemas(takes: Any, gives: Any = None) -> Tool[object]:
    async def changed(ctx: RunContext[object], tool_def: ToolDefinition) -> ToolDefinition:
        tool_def.parameters_json_schema, tool_def.return_schema = takes, gives
        return tool_def

    return Tool(plant, prepare=changed)


async def planted(tool: Tool[object], *, is_deferred: bool) -> list[Any]:
    """What a script gets of it, and of another tool beside."""
    odd = FunctionToolset([tool])
    tools = SearchableToolset(odd.defer_loading()) if is_deferred else odd
    script = Script([run_code('[await plant(n=1), await double(2)]')])
    agent = Agent(script.model, toolsets=[CodeModeToolset(CombinedToolset([tools, FunctionToolset([double])]))])
    await agent.run('Plant a tree.')
    return script.answers


def deep(kind: str) -> Schema:
    """A schema nested deeper than anybody can read."""
    schema: Schema = {'type': 'string'}
    for _ in range(2_000):
        if kind == 'object':
            schema = {'type': 'object', 'properties': {'a': schema}, 'required': ['a']}
        else:
            schema = {'type': 'array', 'items': schema} if kind == 'array' else {'anyOf': [schema, {'type': 'null'}]}
    return {'type': 'object', 'properties': {'tree': schema, 'n': {'type': 'integer'}}, 'required': ['n']}


NO_SCHEMAS: list[Any] = [None, True, 7, 1.5, 'object', ['a', 'b'], b'{}']
NONSENSE: Schema = {'type': 'object', 'properties': {'a': 7, 'b': {'type': 'dict'}}, 'required': ['n', 3]}
HALF_A_CHARACTER = {'type': 'object', 'properties': {'n': {'description': '\ud800'}}, 'required': ['n']}
DEEP = [deep(kind) for kind in ('object', 'array', 'union')]


@pytest.mark.parametrize('number', range(len(NO_SCHEMAS) + 5))
@pytest.mark.parametrize('is_deferred', [False, True])
async def test_a_tool_whose_schema_cannot_be_read_takes_anything_and_others_continue(
    number: int, is_deferred: bool
) -> None:
    schema = [*NO_SCHEMAS, NONSENSE, HALF_A_CHARACTER, *DEEP][number]
    tool = with_schemas(schema, schema if schema not in DEEP else None)
    assert await planted(tool, is_deferred=is_deferred) == [['planted 1', 4]]


def below(keyword: str, *, many: bool = False) -> Schema:
    """A schema that contains itself below a keyword."""
    inner: Schema = {}
    inner[keyword] = [inner, inner] if many else inner
    return {'type': 'object', 'properties': {'tree': inner}}


def shared() -> Schema:
    """A schema whose text would have no end, though it does not contain itself."""
    inner: Schema = {'type': 'string'}
    for _ in range(60):
        inner = {'anyOf': [inner, inner]}
    return {'type': 'object', 'properties': {'tree': inner}}


ENDLESS = {'items': below('items'), 'anyOf': below('anyOf', many=True), 'default': below('default'), 'shared': shared()}


@pytest.mark.parametrize('kind', ENDLESS)
@pytest.mark.parametrize('is_deferred', [False, True])
async def test_a_schema_that_contains_itself_is_refused_with_what_to_write(kind: str, is_deferred: bool) -> None:
    tool = Tool.from_schema(plant, 'plant', 'Plant a tree.', ENDLESS[kind])
    with pytest.raises(UserError, match=r"A schema of tool 'plant' contains itself.*'\$defs' and '\$ref'"):
        await planted(tool, is_deferred=is_deferred)


class Remembered(dict[str, Any]):
    """A schema that can be watched by a weak reference."""


def test_schemas_of_tools_that_are_gone_are_forgotten() -> None:
    made = list[ReferenceType[Remembered]]()
    for number in range(20_000):
        schema = Remembered(type='object', description=f'{number}')
        made.append(ref(schema))
        size_of(ToolDefinition(name='gone', parameters_json_schema=schema))
        del schema
    # How many are still known depends on how many of others the process has.
    assert sum(one() is not None for one in made) <= 10_000
