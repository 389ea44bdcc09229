"""Servers in the configuration files of MCP clients."""

import json
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from tests.text_cases import TextCase, text_cases
from toolscript.mcp.client_config import Input, read_client_config
from toolscript.mistakes import TargetError


def test_claude_and_cursor_use_the_key_mcp_servers(tmp_path: Path) -> None:
    file = _written(
        tmp_path, {'mcpServers': {'git': {'command': 'uvx', 'args': ['mcp-server-git'], 'env': {'A': 'b'}}}}
    )
    server = read_client_config(file).servers['git']
    assert (server.transport, server.command, server.args) == ('stdio', 'uvx', ['mcp-server-git'])
    assert server.env == {'A': 'b'}


def test_vs_code_uses_the_key_servers_with_comments_and_trailing_commas(tmp_path: Path) -> None:
    file = tmp_path / 'mcp.json'
    file.write_text("""\
{
  // the ones that we use // most
  "servers": {
    "web": {"type": "http", "url": "https://example.com/mcp", /* not yet */ "headers": {"X": "1",},},
    "old": {"type": "sse", "url": "https://example.com/events"},
    "guessed": {"url": "https://example.com/sse?a=b"},
  },
}
""")
    servers = read_client_config(file).servers
    assert {name: server.transport for name, server in servers.items()} == {
        'web': 'http',
        'old': 'sse',
        'guessed': 'sse',
    }
    assert servers['web'].url == 'https://example.com/mcp'


def test_disabled_servers_are_left_out(tmp_path: Path) -> None:
    servers = {'a': {'command': 'a', 'disabled': True}, 'b': {'command': 'b', 'enabled': False}, 'c': {'command': 'c'}}
    assert [*read_client_config(_written(tmp_path, {'mcpServers': servers})).servers] == ['c']


def test_keys_that_only_clients_read_are_no_misspelled_ones(tmp_path: Path) -> None:
    server = {'url': 'https://example.com', 'headersHelper': './token.sh', 'sandboxEnabled': True, 'tags': ['shop']}
    assert [*read_client_config(_written(tmp_path, {'servers': {'a': server}})).servers] == ['a']


def test_variables_are_expanded_as_in_the_clients(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('TOKEN', 's3cret')
    monkeypatch.delenv('UNSET', raising=False)
    folder = tmp_path / 'shop' / '.vscode'
    folder.mkdir(parents=True)
    args = [
        '${workspaceFolder}/x',
        '${workspaceFolderBasename}',
        '${userHome}',
        '${/}',
        '${env:TOKEN}',
        '${UNSET:-none}',
    ]
    file = _written(folder, {'servers': {'a': {'command': '${TOKEN}', 'args': args}}})
    server = read_client_config(file).servers['a']
    assert server.command == 's3cret'
    assert [*server.args] == [f'{tmp_path}/shop/x', 'shop', str(Path.home()), '/', 's3cret', 'none']


def test_each_input_is_requested_once_or_given_in_advance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('TOOLSCRIPT_INPUT_REGION', 'eu')
    inputs = [{'id': 'key', 'type': 'promptString', 'password': True}, {'id': 'region'}, {'id': 'size', 'default': 'L'}]
    asks = {'A': 'key', 'B': 'key', 'C': 'region', 'D': 'size', 'E': 'given'}
    env = {name: f'${{input:{one}}}' for name, one in asks.items()}
    file = _written(tmp_path, {'inputs': inputs, 'servers': {'a': {'command': 'a', 'env': env}}})
    asked: list[Input] = []

    def ask(one: Input) -> str:
        asked.append(one)
        return f'typed {one.id}'

    server = read_client_config(file, inputs={'given': 'by hand'}, ask=ask).servers['a']
    assert dict(server.env) == {'A': 'typed key', 'B': 'typed key', 'C': 'eu', 'D': 'typed size', 'E': 'by hand'}
    assert asked == [Input(id='key', password=True), Input(id='size', default='L')]


def test_an_env_file_takes_precedence_over_the_environment(tmp_path: Path) -> None:
    (tmp_path / '.env').write_text('export A="1 2"\nB=$A # why\n')
    server = {'command': 'a', 'envFile': '${workspaceFolder}/.env', 'env': {'B': '3'}}
    read = read_client_config(_written(tmp_path, {'servers': {'a': server}})).servers['a']
    assert dict(read.env) == {'A': '1 2', 'B': '3'}


@pytest.mark.parametrize('case', text_cases(Path(__file__).with_name('mistakes.txt')), ids=str)
def test_errors_of_a_file_are_reported_together_with_their_places(case: TextCase, tmp_path: Path) -> None:
    file = tmp_path / 'mcp.json'
    file.write_text(case.given)
    with pytest.raises(TargetError) as error:
        read_client_config(file)
    assert str(error.value) == case.expected.replace('FILE', str(file))


def test_a_server_without_a_required_value_is_left_out_and_the_others_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv('NOWHERE', raising=False)
    servers = {
        'web': {'url': 'https://example.com', 'headers': {'A': 'Bearer ${env:NOWHERE}'}},
        'asks': {'command': 'a', 'env': {'A': '${input:key}'}},
        'picks': {'command': 'a', 'args': ['${command:pick}']},
        'empty': {'command': ''},
        'short': {'url': 'example.com/mcp'},
        'file': {'command': 'a', 'envFile': 'gone.env'},
        'git': {'command': 'git'},
    }
    config = read_client_config(_written(tmp_path, {'mcpServers': servers}))
    assert [*config.servers] == ['git']
    assert {name: why.replace(str(tmp_path), '') for name, why in config.unusable.items()} == snapshot(
        {
            'web': 'the environment variable NOWHERE is not set; set it, or write ${NOWHERE:-value} for a default.',
            'asks': 'there is no input \'key\' under "inputs"; add it there, or give --input key=VALUE.',
            'picks': '${command:pick} exists only in the client; write the value itself, or ${env:NAME}.',
            'empty': 'its "command" is empty; write a program.',
            'short': 'its "url" is not valid; write https:// or http:// and a host.',
            'file': 'its "envFile" /gone.env does not exist; create it, or remove the key.',
        }
    )


def test_printing_a_server_hides_its_secrets(tmp_path: Path) -> None:
    file = _written(tmp_path, {'mcpServers': {'a': {'command': 'a', 'args': ['hush'], 'env': {'KEY': 'hush'}}}})
    assert 'hush' not in repr(read_client_config(file))


def _written(folder: Path, data: object) -> Path:
    file = folder / 'mcp.json'
    file.write_text(json.dumps(data))
    return file
