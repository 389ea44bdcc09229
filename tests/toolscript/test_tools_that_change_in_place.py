"""Definitions whose objects stay and whose content does not: each step shows what stands in them by then."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from pydantic_ai import Agent, RunContext
from pydantic_ai.tools import Tool, ToolDefinition

from tests.toolscript.scripted import Script, functions_text, run_code
from toolscript import CodeModeToolset, FunctionToolset
from toolscript.catalog.tool_specs import catalog_of
from toolscript.discovery.searching import documents_of
from toolscript.search import build_index

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


def definition() -> ToolDefinition:
    properties = {'first': {'const': 1}, 'second': {'type': 'string'}}
    return ToolDefinition(
        name='sort',
        description='Sort letters.',
        parameters_json_schema={'type': 'object', 'properties': properties, 'required': ['first', 'second']},
        return_schema={'type': 'object', 'properties': {'at': {'type': 'integer'}}, 'required': ['at']},
        metadata={'annotations': {'destructiveHint': False}},
    )


def text_of(tool_def: ToolDefinition) -> str:
    return catalog_of([tool_def]).render().text


def properties_of(tool_def: ToolDefinition) -> dict[str, Any]:
    return tool_def.parameters_json_schema['properties']


def says_true(tool_def: ToolDefinition) -> None:
    properties_of(tool_def)['first']['const'] = True


def turns_round(tool_def: ToolDefinition) -> None:
    properties_of(tool_def)['first'] = properties_of(tool_def).pop('first')


def returns_text(tool_def: ToolDefinition) -> None:
    assert tool_def.return_schema is not None
    tool_def.return_schema['properties']['at']['type'] = 'string'


def takes_any_number(tool_def: ToolDefinition) -> None:
    assert tool_def.metadata is not None
    tool_def.metadata['toolscript_variadic'] = 'second'


def destroys(tool_def: ToolDefinition) -> None:
    assert tool_def.metadata is not None
    tool_def.metadata['annotations']['destructiveHint'] = True


def comes_from_mcp(tool_def: ToolDefinition) -> None:
    assert tool_def.metadata is not None
    tool_def.return_schema = {'type': 'object', 'properties': {'result': {'type': 'integer'}}}
    text_of(tool_def)
    tool_def.metadata |= {'meta': None, 'task': None}


@pytest.mark.parametrize(
    ('changes', 'tells'),
    [
        (says_true, 'first: Literal[True], second: str'),
        (turns_round, 'second: str, first: Literal[1]'),
        (returns_text, 'at: str'),
        (takes_any_number, 'second: str = ...'),
        (destroys, '# destructive'),
        (comes_from_mcp, '-> int'),
    ],
)
def test_what_changes_within_a_definition_is_told(changes: Callable[[ToolDefinition], None], tells: str) -> None:
    tool_def = definition()
    assert tells not in text_of(tool_def)
    changes(tool_def)
    assert tells in text_of(tool_def)


def is_tagged(tool_def: ToolDefinition) -> None:
    assert tool_def.metadata is not None
    tool_def.metadata['tags'] = ['alphabet']


def moves(tool_def: ToolDefinition) -> None:
    assert tool_def.metadata is not None
    tool_def.metadata['server'] = 'alphabet'


def takes_an_alphabet(tool_def: ToolDefinition) -> None:
    properties_of(tool_def)['second']['description'] = 'An alphabet.'


@pytest.mark.parametrize('changes', [is_tagged, moves, takes_an_alphabet])
def test_what_changes_within_a_definition_is_found(changes: Callable[[ToolDefinition], None]) -> None:
    tools = [definition(), replace(definition(), name='count', description='Count.')]
    known = documents_of(tools)
    assert documents_of([replace(tool) for tool in tools]) is known
    assert build_index('ranked', known).search('alphabet', limit=5) == []
    changes(tools[0])
    assert build_index('ranked', documents_of(tools)).search('alphabet', limit=5) == ['sort']


def test_what_no_signature_shows_makes_no_other_catalog() -> None:
    tool_def = definition()
    known = catalog_of([tool_def])
    metadata: list[Any] = [{'user': 1}, {'user': object()}]
    assert all(
        catalog_of([replace(tool_def, metadata={**(tool_def.metadata or {}), **one})]) is known for one in metadata
    )


def test_metadata_that_is_no_data_is_read_all_the_same() -> None:
    tool_def = replace(definition(), metadata={'server': object(), 'pinned': object()})
    assert catalog_of([tool_def]) is catalog_of([tool_def])
    assert 'async def sort' in text_of(tool_def)


async def test_a_prepare_function_that_changes_the_schema_itself_is_heard_in_each_step() -> None:
    def sort(letters: str) -> str:
        return ''.join(sorted(letters))

    async def prepare(ctx: RunContext[object], tool_def: ToolDefinition) -> ToolDefinition:
        properties_of(tool_def)['letters']['description'] = f'As of step {ctx.run_step}.'
        return tool_def

    script = Script([run_code("await sort(letters='ba')"), run_code("await sort(letters='dc')")])
    tools = FunctionToolset[object]([Tool(sort, prepare=prepare)])
    await Agent(script.model, deps_type=object, toolsets=[CodeModeToolset(tools)]).run('go')
    texts = [functions_text(shown['run_code'].description) for shown in script.shown]
    assert [[f'As of step {step}.' in text for step in (1, 2, 3)] for text in texts] == [
        [True, False, False],
        [False, True, False],
        [False, False, True],
    ]
