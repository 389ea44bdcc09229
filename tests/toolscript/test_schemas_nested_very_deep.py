"""A tool whose schema is nested deeper than anybody can read stops nobody, and may be called."""

from collections.abc import Callable
from typing import Any

import pytest
from pydantic_ai import Agent, FunctionToolset, Tool

from tests.toolscript.scripted import Script, run_code
from toolscript import CodeModeToolset, SearchableToolset

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

Schema = dict[str, Any]


def _objects(inner: Schema) -> Schema:
    return {'type': 'object', 'properties': {'a': inner}, 'required': ['a']}


def _arrays(inner: Schema) -> Schema:
    return {'type': 'array', 'items': inner}


def _unions(inner: Schema) -> Schema:
    return {'anyOf': [inner, {'type': 'null'}]}


def _nested(around: Callable[[Schema], Schema]) -> Schema:
    schema: Schema = {'type': 'string'}
    for _ in range(2_000):
        schema = around(schema)
    return {'type': 'object', 'properties': {'tree': schema, 'n': {'type': 'integer'}}, 'required': ['tree', 'n']}


async def plant(tree: Any, n: int) -> list[Any]:
    """Plant a tree."""
    return [tree, n]


async def double(n: int) -> int:
    """Double a number."""
    return 2 * n


@pytest.mark.parametrize('around', [_objects, _arrays, _unions])
@pytest.mark.parametrize('found', [False, True], ids=['shown', 'searched'])
async def test_others_go_on_beside_a_schema_that_is_too_deep_and_its_tool_takes_what_it_is_given(
    around: Callable[[Schema], Schema], found: bool
) -> None:
    script = Script([run_code('[await double(n=2), await plant(tree={"a": 1}, n=3)]')])
    tools = FunctionToolset[None]([Tool.from_schema(plant, 'plant', 'Plant a tree.', _nested(around)), Tool(double)])
    toolset = CodeModeToolset(SearchableToolset(tools) if found else tools)
    await Agent(script.model, deps_type=type(None), toolsets=[toolset]).run('go')
    assert script.answers == [[4, [{'a': 1}, 3]]]
