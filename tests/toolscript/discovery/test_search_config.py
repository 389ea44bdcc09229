"""Settings of tool search: accepted values, error messages, and round trips."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from pydantic_ai import Agent
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.toolsets import AbstractToolset

from tests.providers.loopback import Loopback, Request, loopback
from tests.providers.replies import Call, Failure, Reply, Search, reply
from tests.text_cases import TextCase, text_cases
from tests.toolscript.scripted import Script, call, run_code, search
from tests.wires.office import declared
from toolscript import CodeMode, ConfigError, FunctionToolset, ToolSearchConfig, ToolSearchOptions, ToolSearchWarning

if TYPE_CHECKING:
    from pydantic_ai.mcp import MCPToolset

pytestmark = [
    pytest.mark.pydantic_ai,
    # Only old Anthropic models lack tool search.
    pytest.mark.filterwarnings(r'ignore:The model .* is deprecated:DeprecationWarning'),
]

JSON = '{"enabled": true, "strategy": "regex", "eager_tools": {"github": ["search_*", "get_issue"]}}'
YAML = """\
model: somebody's
tool_search:
  enabled: true
  scope: mcp
  strategy: regex
  eager_tools:
    github:
      - "search_*"
      - get_issue
"""
TOML = """\
[tool_search]
enabled = true
strategy = "regex"
eager_tools.github = ["search_*", "get_issue"]
"""

words = st.text(min_size=1).filter(str.strip)
configs = st.builds(
    ToolSearchConfig,
    enabled=st.booleans(),
    strategy=st.sampled_from(['auto', 'bm25', 'regex']),
    eager_tools=st.dictionaries(words, st.lists(words)),
    prefetch=st.integers(0, 20),
)


@pytest.mark.parametrize(
    ('name', 'text'), [('search.json', JSON), ('agent.yaml', YAML), ('a.yml', YAML), ('a.toml', TOML)]
)
def test_every_file_format_gives_the_same_settings(tmp_path: Path, name: str, text: str) -> None:
    if name.endswith(('yaml', 'yml')):
        pytest.importorskip('yaml')
    path = tmp_path / name
    path.write_text(text)
    eager = {'github': ['search_*', 'get_issue']}
    assert ToolSearchConfig.from_file(path) == ToolSearchConfig(enabled=True, strategy='regex', eager_tools=eager)


@pytest.mark.parametrize('data', [None, {}, {'tool_search': None}, {'tool_search': {}}])
def test_missing_settings_have_defaults(data: object) -> None:
    assert ToolSearchConfig.from_data(data) == ToolSearchConfig()


def test_only_changed_settings_are_dumped() -> None:
    assert ToolSearchConfig().model_dump(mode='json') == {}
    assert ToolSearchConfig(enabled=True, strategy='auto', scope='mcp').model_dump(mode='json') == {'enabled': True}
    assert ToolSearchConfig(prefetch=8).options() == ToolSearchOptions(prefetch=8)
    assert ToolSearchConfig(strategy='bm25').model_dump_json() == '{"strategy":"bm25"}'


@given(configs)
def test_settings_survive_a_round_trip(config: ToolSearchConfig) -> None:
    assert ToolSearchConfig.model_validate_json(config.model_dump_json()) == config
    assert ToolSearchConfig.from_data({'tool_search': json.loads(json.dumps(config.model_dump(mode='json')))}) == config


@pytest.mark.parametrize('case', text_cases(Path(__file__).with_name('settings.txt')), ids=str)
def test_an_error_names_the_field(case: TextCase) -> None:
    with pytest.raises(ConfigError) as refused:
        ToolSearchConfig.from_data(json.loads(case.given), source='agent.yaml')
    assert str(refused.value).removeprefix('agent.yaml: ') == case.expected


@pytest.mark.parametrize('case', text_cases(Path(__file__).with_name('unreadable.txt')), ids=str)
def test_an_unreadable_file_is_named(tmp_path: Path, case: TextCase) -> None:
    name, _, text = case.given.partition('\n')
    if name.endswith('yaml'):
        pytest.importorskip('yaml')
    if text:
        (tmp_path / name).write_text(text)
    with pytest.raises(ConfigError) as refused:
        ToolSearchConfig.from_file(tmp_path / name)
    assert str(refused.value) == f'{tmp_path / name}: {case.expected}'


def test_without_the_yaml_package_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__('sys').modules, 'yaml', None)
    path = tmp_path / 'search.yaml'
    path.write_text('enabled: true')
    with pytest.raises(ConfigError) as refused:
        ToolSearchConfig.from_file(path)
    assert str(refused.value).replace(str(tmp_path), '') == snapshot(
        "/search.yaml: YAML needs PyYAML; install 'toolscript[yaml]', or use JSON or TOML."
    )


# -- MCP servers deferred by settings: deferred tools, their search, and the log

EAGER = {'github': ['search_*', 'get_issue']}
FIND = 'pai_tool_search_tool'


@pytest.fixture(scope='module')
async def github(anyio_backend: str) -> AsyncIterator[MCPToolset[object]]:
    from fastmcp.client.transports import StdioTransport
    from pydantic_ai.mcp import MCPToolset

    script = Path(__file__).parents[2] / 'servers' / 'issues.py'
    async with MCPToolset[object](
        StdioTransport(sys.executable, [str(script)]), id='github', init_timeout=60
    ) as server:
        yield server


def local() -> FunctionToolset[object]:
    toolset = FunctionToolset[object]()
    toolset.add_function(now)
    return toolset


def now() -> str:
    return 'noon'


async def play(config: ToolSearchConfig, *toolsets: AbstractToolset[object], turns: tuple[object, ...] = ()) -> Script:
    script = Script([*turns])  # pyright: ignore[reportArgumentType]
    await Agent(script.model, toolsets=[*toolsets], capabilities=[config.capability()]).run('go')
    return script


async def test_all_tools_of_a_server_are_deferred_except_those_that_match_a_pattern(github: MCPToolset[object]) -> None:
    config = ToolSearchConfig(enabled=True, eager_tools=EAGER)
    script = await play(config, github, local(), turns=(search('close'), call('close_issue', about='7')))
    first = ['search_issues', 'search_code', 'get_issue', 'now', FIND]
    assert [list(shown) for shown in script.shown] == [first, *[[*first, 'close_issue']] * 2]
    found = {'name': 'close_issue', 'description': 'Close an issue.'}
    assert script.answers == [{'message': 'Found 1 of 2 deferred tools.', 'tools': [found]}, 'close_issue: 7']


async def test_patterns_match_the_names_that_the_server_uses(github: MCPToolset[object]) -> None:
    script = await play(
        ToolSearchConfig(enabled=True, eager_tools=EAGER), github.prefixed('gh').prefixed('my'), local()
    )
    assert list(script.shown[0]) == snapshot(
        ['my_gh_search_issues', 'my_gh_search_code', 'my_gh_get_issue', 'now', 'pai_tool_search_tool']
    )


async def test_unknown_servers_and_unmatched_patterns_have_no_effect(github: MCPToolset[object]) -> None:
    eager = {'gitlab': ['*'], 'github': ['merge_*', 'SEARCH_*']}
    script = await play(ToolSearchConfig(enabled=True, eager_tools=eager), github, local())
    assert list(script.shown[0]) == ['now', FIND]


async def test_disabled_settings_defer_nothing(github: MCPToolset[object]) -> None:
    script = await play(ToolSearchConfig(eager_tools=EAGER), github, local())
    assert len(script.shown[0]) == 6


async def test_code_mode_searches_the_tools_that_settings_deferred(github: MCPToolset[object]) -> None:
    config = ToolSearchConfig(enabled=True)
    script = Script([search('close'), run_code("await close_issue(about='7')")])
    capabilities: list[AbstractCapability[object]] = [config.capability(), CodeMode(search=config.options())]
    await Agent(script.model, toolsets=[github], capabilities=capabilities).run('go')
    assert [list(shown) for shown in script.shown] == [[FIND, 'run_code']] * 3
    assert script.answers[1] == 'close_issue: 7'


def a_closer(request: Request) -> Reply | Failure:
    """Close an issue as soon as possible, and find the tool by any search."""
    close = Call('close_issue', {'about': '7'})
    if any(line.role == 'result' and line.text.startswith('close_issue') for line in request.reading.lines):
        return reply('Closed.')
    if 'close_issue' in request.reading.callable_names:
        return reply(close)
    return reply(Search('close'), close) if request.reading.search else reply(Call(FIND, {'query': 'close'}))


async def close(wires: Loopback, config: ToolSearchConfig, toolset: AbstractToolset[object], *models: str) -> None:
    named = [wires.named(name) for name in models]
    model = named[0] if len(named) == 1 else FallbackModel(named[0], *named[1:])
    result = await Agent(model, toolsets=[toolset], capabilities=[config.capability()]).run('Close issue 7.')
    assert (result.output, wires.refusals) == ('Closed.', [])


@pytest.mark.parametrize(
    ('names', 'reported'),
    [
        (('responses:gpt-5.4',), 'openai has'),
        (('chat:gpt-5.4',), 'openai has'),
        (('anthropic:claude-sonnet-4-0',), 'anthropic:claude-sonnet-4-0 has'),
        (('anthropic:claude-haiku-4-5', 'responses:gpt-5.4'), 'openai has'),
    ],
)
async def test_a_strategy_that_the_model_lacks_falls_back_to_ours_with_one_warning(
    github: MCPToolset[object], names: tuple[str, ...], reported: str
) -> None:
    config = ToolSearchConfig(enabled=True, strategy='regex', eager_tools=EAGER)
    with loopback(a_closer) as wires, pytest.warns(ToolSearchWarning) as warned:
        await close(wires, config, github, *names)
    assert [str(warning.message) for warning in warned if warning.category is ToolSearchWarning] == [
        f"{reported} no native 'regex' tool search; tools are searched here instead."
    ]
    assert {request.reading.search for request in wires.requests} == {None}


@pytest.mark.parametrize('name', ['anthropic:claude-haiku-4-5', 'responses:gpt-5.4', 'chat:gpt-5.4'])
async def test_a_request_never_has_only_deferred_tools(github: MCPToolset[object], name: str) -> None:
    with loopback(a_closer) as wires:
        await close(wires, ToolSearchConfig(enabled=True), github, name)
    for request in wires.requests:
        assert any(not tool.deferred for tool in request.reading.tools)
    first = declared(wires.requests[0])
    assert first == [FIND] if name.startswith('chat') else first[0] == 'search_issues'


async def test_the_log_has_the_numbers(github: MCPToolset[object], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger='toolscript.search')
    await play(ToolSearchConfig(enabled=True, eager_tools=EAGER), github, local(), turns=(search('close'),))
    assert [record.getMessage() for record in caplog.records] == snapshot(
        ['tool search: 2 deferred tools, 4 eager tools, search added']
    )
