"""The page on testing: its example runs, and its table agrees with the wires."""

import re
from collections.abc import Callable
from typing import Any, Literal

import pytest
from pydantic_ai import Agent
from pydantic_ai.settings import ModelSettings
from pydantic_ai.toolsets import AbstractToolset

from tests.docs import ROOT, blocks
from tests.providers.loopback import loopback
from tests.providers.replies import Call, reply
from tests.wires.office import SEARCH, in_turn, office
from toolscript import CodeModeToolset, SearchableToolset, ToolSearchOptions
from toolscript.testing import prefix_changes

PAGE = ROOT / 'docs' / 'testing.md'

pytestmark = pytest.mark.pydantic_ai


@pytest.mark.parametrize('example', blocks('docs/testing.md'))
async def test_the_examples_run(example: str) -> None:
    names: dict[str, Any] = {}
    exec(example, names)
    tests = [value for name, value in names.items() if name.startswith('test_')]
    assert tests
    for test in tests:
        await test()


def code(catalog: Literal['description', 'append']) -> AbstractToolset[object]:
    return CodeModeToolset(SearchableToolset(office('code'), ToolSearchOptions(prefetch=0)), catalog=catalog)


COLUMNS: list[Callable[[], AbstractToolset[object]]] = [
    lambda: SearchableToolset(office(), ToolSearchOptions(algorithm='ranked')),
    lambda: code('append'),
    lambda: code('description'),
]
# An announcement in the system text, which older versions of pydantic-ai do not make.
ANNOUNCED = ['system'] if 'framing_announcement' in ModelSettings.__annotations__ else list[str]()
SECTIONS = {
    'nothing': list[str](),
    'tools': ['tools'],
    "`run_code`'s description": ['tools'],
    'tools, and once the system text': ['tools', *ANNOUNCED],
}


@pytest.mark.filterwarnings('ignore:The model .* is deprecated:DeprecationWarning')
@pytest.mark.parametrize(
    ('row', 'name'),
    [
        ('OpenAI Responses', 'responses:gpt-5.4'),
        ('Anthropic, Claude 4.5 and later', 'anthropic:claude-opus-5'),
        ('Anthropic, older models', 'anthropic:claude-opus-4-1'),
        ('OpenAI Chat Completions', 'chat:gpt-5.4'),
    ],
)
async def test_the_table_agrees_with_the_wires(row: str, name: str) -> None:
    (cells,) = re.findall(rf'^\| {row} \| (.*) \|$', PAGE.read_text(), re.MULTILINE)
    assert [SECTIONS[cell] for cell in cells.split(' | ')] == [await _changed(name, toolset()) for toolset in COLUMNS]


async def _changed(name: str, toolset: AbstractToolset[object]) -> list[str]:
    with loopback(in_turn(reply(Call(SEARCH, {'query': 'mail'})), reply('Found.'))) as wires:
        await Agent(wires.named(name), toolsets=[toolset], instructions='Be brief.').run('Look for mail.')
    return [change.section for change in prefix_changes(request.raw for request in wires.requests)]
