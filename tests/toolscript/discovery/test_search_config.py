"""Settings of tool search: what they accept, what they say of a mistake, and that nothing is lost on the way."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from tests.text_cases import TextCase, text_cases
from toolscript import ConfigError, ToolSearchConfig, ToolSearchOptions

pytestmark = pytest.mark.pydantic_ai

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
def test_the_same_settings_come_from_every_kind_of_file(tmp_path: Path, name: str, text: str) -> None:
    if name.endswith(('yaml', 'yml')):
        pytest.importorskip('yaml')
    path = tmp_path / name
    path.write_text(text)
    eager = {'github': ['search_*', 'get_issue']}
    assert ToolSearchConfig.from_file(path) == ToolSearchConfig(enabled=True, strategy='regex', eager_tools=eager)


@pytest.mark.parametrize('data', [None, {}, {'tool_search': None}, {'tool_search': {}}])
def test_nothing_said_means_the_defaults(data: object) -> None:
    assert ToolSearchConfig.from_data(data) == ToolSearchConfig()


def test_only_what_differs_is_dumped() -> None:
    assert ToolSearchConfig().to_data() == {}
    assert ToolSearchConfig(enabled=True, strategy='auto', scope='mcp').to_data() == {'enabled': True}
    assert ToolSearchConfig(prefetch=8).options() == ToolSearchOptions(prefetch=8)
    assert ToolSearchConfig(strategy='bm25').model_dump_json() == '{"strategy":"bm25"}'


@given(configs)
def test_settings_come_back_from_their_dump(config: ToolSearchConfig) -> None:
    assert ToolSearchConfig.model_validate_json(config.model_dump_json()) == config
    assert ToolSearchConfig.from_data({'tool_search': json.loads(json.dumps(config.to_data()))}) == config


@pytest.mark.parametrize('case', text_cases(Path(__file__).with_name('settings.txt')), ids=str)
def test_a_mistake_names_the_field(case: TextCase) -> None:
    with pytest.raises(ConfigError) as refused:
        ToolSearchConfig.from_data(json.loads(case.given), source='agent.yaml')
    assert str(refused.value) == f'agent.yaml: {case.expected}'


@pytest.mark.parametrize(
    ('name', 'text', 'reported'),
    [
        ('search.json', '{"enabled": }', 'not valid JSON: Expecting value: line 1 column 13 (char 12)'),
        ('search.toml', 'enabled = yes', 'not valid TOML: Invalid value (at line 1, column 11)'),
        (
            'a.yaml',
            'enabled: [true',
            "not valid YAML: expected ',' or ']', but got '<stream end>' at line 1, column 15",
        ),
        ('search.ini', '[tool_search]', 'settings are read from .json, .toml, .yaml, .yml files.'),
        ('search.yaml', 'strategy: semantic', "strategy: Input should be 'auto', 'bm25' or 'regex'"),
        ('none.json', None, 'No such file or directory'),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str, text: str | None, reported: str) -> None:
    if name.endswith('yaml'):
        pytest.importorskip('yaml')
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(ConfigError) as refused:
        ToolSearchConfig.from_file(tmp_path / name)
    assert str(refused.value) == f'{tmp_path / name}: {reported}'


def test_yaml_without_its_package_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__('sys').modules, 'yaml', None)
    path = tmp_path / 'search.yaml'
    path.write_text('enabled: true')
    with pytest.raises(ConfigError) as refused:
        ToolSearchConfig.from_file(path)
    assert str(refused.value).replace(str(tmp_path), '') == snapshot(
        "/search.yaml: YAML needs PyYAML; install 'toolscript[yaml]', or use JSON or TOML."
    )
