"""The servers in the files that clients of MCP write."""

import json
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from toolscript.mcp.client_config import ServerConfig, read_client_config
from toolscript.mcp.mistakes import TargetError
from toolscript.mcp.variables import Input


def test_claude_and_cursor_write_mcp_servers(tmp_path: Path) -> None:
    file = _written(
        tmp_path, {'mcpServers': {'git': {'command': 'uvx', 'args': ['mcp-server-git'], 'env': {'A': 'b'}}}}
    )
    assert read_client_config(file) == [
        ServerConfig('git', 'stdio', command='uvx', args=('mcp-server-git',), env={'A': 'b'})
    ]


def test_vs_code_writes_servers_with_comments_and_last_commas(tmp_path: Path) -> None:
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
    assert [(server.name, server.transport, server.line) for server in read_client_config(file)] == [
        ('web', 'http', 4),
        ('old', 'sse', 5),
        ('guessed', 'sse', 6),
    ]


def test_settings_of_vs_code_have_them_under_mcp(tmp_path: Path) -> None:
    file = _written(tmp_path, {'editor.tabSize': 2, 'mcp': {'inputs': [], 'servers': {'a': {'command': 'a'}}}})
    assert [server.name for server in read_client_config(file)] == ['a']


def test_servers_that_are_turned_off_are_left_out(tmp_path: Path) -> None:
    servers = {'a': {'command': 'a', 'disabled': True}, 'b': {'command': 'b', 'enabled': False}, 'c': {'command': 'c'}}
    assert [server.name for server in read_client_config(_written(tmp_path, {'mcpServers': servers}))] == ['c']


def test_variables_are_filled_in_as_the_clients_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    [server] = read_client_config(file)
    assert (server.command, server.args) == (
        's3cret',
        (f'{tmp_path}/shop/x', 'shop', str(Path.home()), '/', 's3cret', 'none'),
    )


def test_inputs_are_asked_for_once_and_may_be_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('TOOLSCRIPT_INPUT_REGION', 'eu')
    inputs = [{'id': 'key', 'type': 'promptString', 'password': True}, {'id': 'region'}, {'id': 'size', 'default': 'L'}]
    env = {
        'A': '${input:key}',
        'B': '${input:key}',
        'C': '${input:region}',
        'D': '${input:size}',
        'E': '${input:given}',
    }
    file = _written(tmp_path, {'inputs': inputs, 'servers': {'a': {'command': 'a', 'env': env}}})
    asked: list[Input] = []

    def ask(one: Input) -> str:
        asked.append(one)
        return f'typed {one.id}'

    [server] = read_client_config(file, inputs={'given': 'by hand'}, ask=ask)
    assert dict(server.env) == {'A': 'typed key', 'B': 'typed key', 'C': 'eu', 'D': 'typed size', 'E': 'by hand'}
    assert asked == [Input('key', secret=True), Input('size', default='L')]


def test_an_env_file_comes_before_the_environment(tmp_path: Path) -> None:
    (tmp_path / '.env').write_text('export A="1 2"\nB=$A # why\n')
    server = {'command': 'a', 'envFile': '${workspaceFolder}/.env', 'env': {'B': '3'}}
    [read] = read_client_config(_written(tmp_path, {'servers': {'a': server}}))
    assert dict(read.env) == {'A': '1 2', 'B': '3'}


def test_all_mistakes_are_told_at_once_with_their_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv('NOWHERE', raising=False)
    file = tmp_path / 'mcp.json'
    file.write_text("""\
{"mcpServers": {
  "a": {"command": ["npx", "-y"]},
  "b": {"command": "b", "args": "-y"},
  "c": {"command": "c", "args": ["-p", 80]},
  "d": {"command": "d", "env": {"PORT": 80, "ON": true}},
  "e": {"url": "example.com/mcp"},
  "f": {"command": "f", "url": "https://example.com"},
  "g": {"comand": "g"},
  "h": {},
  "i": "npx",
  "j": {"url": "https://example.com", "type": "websocket"},
  "k": {"url": "https://example.com", "headers": {"A": "Bearer ${env:NOWHERE}"}},
  "l": {"command": "l", "env": {"A": "${input:key}", "B": "${command:pick}"}},
  "m": {"command": ""},
  "n": {"command": "n", "type": "http"},
  "o": {"command": "o", "disabled": "no"},
  "p": {"command": "p", "envFile": "gone.env"},
  "p": {"command": "p"}
}}
""")
    with pytest.raises(TargetError) as told:
        read_client_config(file)
    assert str(told.value).replace(str(tmp_path), '') == snapshot("""\
/mcp.json has 19 mistakes:
  line 2, mcpServers.a.command: is a list; write text. The arguments go into "args".
  line 3, mcpServers.b.args: is text; write a list of texts, ["-y", "some-server"].
  line 4, mcpServers.c.args[1]: is the number 80; write "80".
  line 5, mcpServers.d.env.PORT: is the number 80; write "80".
  line 5, mcpServers.d.env.ON: is true; write "true".
  line 6, mcpServers.e.url: is no URL of a server; it begins with https:// or http://, and names a host.
  line 7, mcpServers.f: has a "command" and a "url"; keep the one that it is reached by.
  line 8, mcpServers.g.comand: unknown key; is "command" meant?
  line 9, mcpServers.h: needs a "command" (a program to start) or a "url" (a server that runs).
  line 10, mcpServers.i: is text; write an object, {"command": …} or {"url": …}.
  line 11, mcpServers.j.type: is 'websocket'; use "stdio", "http" or "sse".
  line 12, mcpServers.k.headers.A: the environment variable NOWHERE is not set; set it, or write ${NOWHERE:-value} for a default.
  line 13, mcpServers.l.env.A: there is no input 'key' under "inputs"; add it there, or give --input key=VALUE.
  line 13, mcpServers.l.env.B: ${command:pick} has a value in the client alone; write the value itself, or ${env:NAME}.
  line 14, mcpServers.m.command: is empty; write what is meant, or take it out.
  line 15, mcpServers.n.type: is 'http', which needs a "url".
  line 16, mcpServers.o.disabled: is text; write true or false.
  line 18, mcpServers.p: 'p' stands here twice; rename or remove one.
  line 18, mcpServers.p.command: 'command' stands here twice; rename or remove one.\
""")


@pytest.mark.parametrize(
    ('text', 'told'),
    [
        ('{"mcpServers": {', 'line 1: not valid JSON: Expecting property name enclosed in double quotes (column 17).'),
        ('{"mcpServer": {}}', 'line 1, mcpServer: unknown key; is "mcpServers" meant?'),
        ('{"mcpServers": []}', 'line 1, mcpServers: is no object; write {"name": {"command": …}}.'),
        ('[]', 'line 1: there are no servers in it; they stand under "mcpServers" (Claude, Cursor) or "servers" (VS Code).'),
        ('{"servers": {}}', 'it has no server that is enabled; add one, or take another file.'),
    ],
)  # fmt: skip
def test_a_file_without_servers_says_what_is_wrong(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / 'mcp.json'
    file.write_text(text)
    with pytest.raises(TargetError) as error:
        read_client_config(file)
    assert str(error.value) == f'{file}: {told}'


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match='No such file or directory'):
        read_client_config(tmp_path / 'mcp.json')


def test_secrets_do_not_stand_in_what_is_printed_of_a_server(tmp_path: Path) -> None:
    file = _written(tmp_path, {'mcpServers': {'a': {'command': 'a', 'args': ['hush'], 'env': {'KEY': 'hush'}}}})
    assert 'hush' not in repr(read_client_config(file))


def _written(folder: Path, data: object) -> Path:
    file = folder / 'mcp.json'
    file.write_text(json.dumps(data))
    return file
