"""The MCP servers in a client's configuration: an `mcp.json` as Claude, Cursor or VS Code write it."""

import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import AliasChoices, BaseModel, Field, TypeAdapter, ValidationError, model_validator
from pydantic_ai.toolsets import AbstractToolset

from toolscript.guards import fields, is_array, is_object
from toolscript.mistakes import TargetError, closest, mistakes_in

from .server import ServerLog

_VARIABLE = re.compile(r'\$\{([^{}]*)\}')
_ENVIRONMENT = re.compile(r'(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(:-(.*))?', re.DOTALL)
_CLIENT_FOLDERS = frozenset({'.vscode', '.cursor', '.claude'})


class NoValue(ValueError):
    """A variable that has no value; the message says how to give it one."""


class Input(BaseModel, frozen=True):
    """A value that VS Code asks for: an entry of `inputs`."""

    id: str
    description: str = ''
    default: str | None = None
    options: tuple[str, ...] = ()
    """If there are any, the value is one of them."""
    password: bool = False


@dataclass
class Variables:
    """Values for the variables of one configuration, as the clients define them.

    `${env:NAME}` (VS Code, Cursor), `${NAME}` and `${NAME:-default}` (Claude Code), `${input:id}`,
    `${workspaceFolder}`, `${workspaceFolderBasename}`, `${userHome}`, `${pathSeparator}` and `${/}`.
    """

    file: Path
    inputs: Mapping[str, Input] = field(default_factory=dict[str, Input])
    given: Mapping[str, str] = field(default_factory=dict[str, str])
    """Values for inputs, by their id."""
    ask: Callable[[Input], str] | None = None
    """Asks the user for an input; `None` if there is no user."""
    answers: dict[str, str] = field(default_factory=dict[str, str], repr=False)

    @property
    def folder(self) -> Path:
        """The workspace: the parent of `.vscode`, `.cursor` or `.claude`, otherwise the folder of the file."""
        folder = self.file.resolve().parent
        return folder.parent if folder.name in _CLIENT_FOLDERS else folder

    def fill(self, value: Any) -> Any:
        """Return the value with the variables in all its texts replaced. Raises `NoValue` if one has no value here."""
        if isinstance(value, str):
            return _VARIABLE.sub(lambda found: self._value(found[1]), value)
        if is_object(value):
            return {key: self.fill(inner) for key, inner in value.items()}
        return [self.fill(inner) for inner in value] if is_array(value) else value

    def _value(self, name: str) -> str:
        if name.startswith('input:'):
            return self._input(name.removeprefix('input:'))
        places = {
            'workspaceFolder': str(self.folder),
            'workspaceFolderBasename': self.folder.name,
            'userHome': str(Path.home()),
            'pathSeparator': os.sep,
            '/': os.sep,
        }
        if name in places:
            return places[name]
        found = _ENVIRONMENT.fullmatch(name)
        if found is None:
            raise NoValue(f'${{{name}}} exists only in the client; write the value itself, or ${{env:NAME}}.')
        if found[1] in os.environ:
            return os.environ[found[1]]
        if found[2] is None:
            default = f'${{{found[1]}:-value}}'
            raise NoValue(f'the environment variable {found[1]} is not set; set it, or write {default} for a default.')
        return found[3]

    def _input(self, id: str) -> str:
        variable = f'TOOLSCRIPT_INPUT_{re.sub(r"[^A-Za-z0-9]", "_", id).upper()}'
        for values, name in ((self.given, id), (os.environ, variable), (self.answers, id)):
            if name in values:
                return values[name]
        known = self.inputs.get(id)
        if known is None:
            raise NoValue(f'there is no input {id!r} under "inputs"; add it there, or give --input {id}=VALUE.')
        if self.ask is not None:
            self.answers[id] = self.ask(known)
            return self.answers[id]
        if known.default is None:
            raise NoValue(f'there is no terminal to ask for {id!r}; set {variable}, or use --input {id}=VALUE.')
        return known.default


CONNECT_SECONDS = 60.0
"""How long a server may take to start; the first start of some servers downloads them."""
_SERVER_KEYS = ('mcpServers', 'servers')
_KEYS = ('command', 'args', 'env', 'envFile', 'cwd', 'url', 'headers', 'type', 'transport', 'disabled', 'enabled')
_KEYS_OF_CLIENTS = frozenset(
    {'dev', 'name', 'note', 'tags', 'tools', 'trust', 'timeout', 'version', 'description', 'auth', 'authProviderType'}
    | {'headersHelper', 'sandboxEnabled', 'include_tags', 'exclude_tags'}
)
"""Keys of some clients that are similar to ours."""
_TRANSPORTS = {'streamable-http': 'http', 'streamableHttp': 'http', 'streamable_http': 'http'}
_STRING = r'"(?:[^"\\\n]|\\.)*"'
_COMMENT = re.compile(rf'({_STRING})|//[^\n]*|/\*.*?\*/', re.DOTALL)
_LAST_COMMA = re.compile(rf'({_STRING})|,(?=\s*[\]}}])')


class ServerConfig(BaseModel, frozen=True):
    """One MCP server, as its client describes it."""

    command: str = ''
    """The program; empty if the server is reached by a URL."""
    args: list[str] = Field(default=[], repr=False)
    env: dict[str, str] = Field(default={}, repr=False)
    """Variables in addition to the few of `mcp.client.stdio.get_default_environment`."""
    env_file: str = Field(default='', alias='envFile')
    cwd: str | None = None
    url: str = Field(default='', repr=False)
    headers: dict[str, str] = Field(default={}, repr=False)
    transport: Literal['stdio', 'http', 'sse'] = Field(validation_alias=AliasChoices('type', 'transport'))
    disabled: bool = False
    enabled: bool = True

    @model_validator(mode='before')
    @classmethod
    def _completed(cls, entry: Any) -> Any:
        """Return the entry without `null` values, and with the transport that the other keys imply."""
        given = {key: value for key, value in fields(entry).items() if value is not None}
        for key in given:
            if key in ('disabledTools', 'enabledTools'):
                raise ValueError(f'{key!r} is not read; remove it, and hide tools with rules in toolscript.toml')
            if key not in {*_KEYS, *_KEYS_OF_CLIENTS} and (meant := closest(key, _KEYS)):
                raise ValueError(f'unknown key {key!r}; write {meant!r}')
        if ('command' in given) == ('url' in given):
            raise ValueError('needs either a "command" (a program to start) or a "url" (a server that runs)')
        transport = given.pop('type', given.pop('transport', None))
        if transport is None:
            by_url = 'sse' if str(given.get('url')).partition('?')[0].rstrip('/').endswith('/sse') else 'http'
            transport = 'stdio' if 'command' in given else by_url
        if (transport == 'stdio') != ('command' in given):
            raise ValueError('its "type" does not fit: "stdio" needs a "command", "http" and "sse" a "url"')
        return {**given, 'type': _TRANSPORTS.get(str(transport), transport)}


@dataclass(frozen=True)
class ClientConfig:
    """The servers of a configuration, without those that are turned off."""

    servers: Mapping[str, ServerConfig]
    """By name, with all variables filled in."""
    unusable: Mapping[str, str]
    """Why each of the others cannot be used: a variable without a value, or a missing file."""


def read_client_config(
    file: Path, *, inputs: Mapping[str, str] | None = None, ask: Callable[[Input], str] | None = None
) -> ClientConfig:
    """Return the servers in an `mcp.json` as Claude, Cursor (both `mcpServers`) or VS Code (`servers`) write it.

    Args:
        file: The file; it may have comments, and commas after the last entry.
        inputs: Values for `${input:id}`.
        ask: Asks the user for the other inputs; without it, their defaults and the environment variables
            `TOOLSCRIPT_INPUT_ID` are used.

    Raises:
        TargetError: It cannot be read or used; the message lists all mistakes with their places.
    """
    around, key = _servers_in(_read(file), file)
    entries = fields(around[key])
    mistakes: list[str] = []
    servers: dict[str, ServerConfig] = {}
    for name, entry in entries.items():
        try:
            servers[name] = ServerConfig.model_validate(entry)
        except ValidationError as error:
            mistakes += mistakes_in(error, lambda _: _KEYS, (key, name))
    try:
        known = {one.id: one for one in _inputs.validate_python(around.get('inputs') or [])}
    except ValidationError as error:
        mistakes += mistakes_in(error, lambda _: (), ('inputs',))
        known = {}
    if mistakes:
        raise TargetError(str(file), mistakes)
    variables = Variables(file, known, inputs or {}, ask)
    usable: dict[str, ServerConfig] = {}
    unusable: dict[str, str] = {}
    for name, server in servers.items():
        if server.enabled and not server.disabled:
            try:
                usable[name] = _filled(entries[name], variables)
            except ValueError as error:
                unusable[name] = str(error)
    if not usable:
        why = [f'{name}: {text}' for name, text in unusable.items()]
        raise TargetError(str(file), why or ['no server in it is enabled; enable one, or use another file.'])
    return ClientConfig(usable, unusable)


def server_toolset(name: str, config: ServerConfig, *, log_file: Path | None = None) -> AbstractToolset[Any]:
    """Return a toolset of the server's tools, under the server's own names. It connects when it is entered.

    A started program writes its terminal output to `log_file`, or by default to the terminal.
    """
    try:
        from fastmcp.client.transports import SSETransport, StdioTransport, StreamableHttpTransport
        from pydantic_ai.mcp import MCPToolset
    except ImportError as error:
        raise ImportError("MCP servers need the MCP client: pip install 'toolscript[cli]'.") from error

    transport: StdioTransport | SSETransport | StreamableHttpTransport
    match config.transport:
        case 'stdio':
            env, cwd = config.env or None, config.cwd
            transport = StdioTransport(
                config.command, config.args, env=env, cwd=cwd, keep_alive=False, log_file=log_file
            )
        case 'sse':
            transport = SSETransport(config.url, headers=config.headers)
        case 'http':
            transport = StreamableHttpTransport(config.url, headers=config.headers)
    return MCPToolset(transport, id=name, init_timeout=CONNECT_SECONDS, log_handler=ServerLog(name))


_inputs = TypeAdapter(list[Input])


def _read(file: Path) -> object:
    try:
        # Editors on Windows write an invisible mark at the start.
        text = file.read_text('utf-8-sig')
    except UnicodeDecodeError as error:
        raise TargetError(str(file), ['it is not UTF-8 text; save it as UTF-8.']) from error
    except OSError as error:
        raise TargetError(str(file), [f'{error.strerror}.']) from error
    without_comments = _COMMENT.sub(lambda found: found[1] or re.sub(r'[^\n]', ' ', found[0]), text)
    try:
        return json.loads(_LAST_COMMA.sub(lambda found: found[1] or ' ', without_comments), object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise TargetError(str(file), [f'not valid JSON: {error}.']) from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f'the key {next(name for name in names if names.count(name) > 1)!r} occurs twice; remove one')
    return found


def _servers_in(data: object, file: Path) -> tuple[Mapping[str, object], str]:
    """Return the object that contains the servers, and their key in it; VS Code's settings have them under `mcp`."""
    for around in (fields(data), fields(fields(data).get('mcp'))):
        for key in _SERVER_KEYS:
            if is_object(around.get(key)):
                return around, key
            if key in around:
                raise TargetError(str(file), [f'{key}: is not an object; write {{"name": {{"command": …}}}}.'])
    for key in fields(data):
        if meant := closest(key, _SERVER_KEYS):
            raise TargetError(str(file), [f'{key}: unknown key; is {meant!r} meant?'])
    advice = 'there are no servers in it; write them under "mcpServers" (Claude, Cursor) or "servers" (VS Code).'
    raise TargetError(str(file), [advice])


def _filled(entry: object, variables: Variables) -> ServerConfig:
    """Return the server with its variables and the environment of its file. Raises `ValueError` if one is missing."""
    config = ServerConfig.model_validate(variables.fill(entry))
    if config.transport == 'stdio' and not config.command.strip():
        raise ValueError('its "command" is empty; write a program.')
    if config.url and (urlsplit(config.url).scheme not in {'http', 'https'} or not urlsplit(config.url).netloc):
        raise ValueError('its "url" is not valid; write https:// or http:// and a host.')
    if not config.env_file:
        return config
    from dotenv import dotenv_values

    file = variables.folder / config.env_file
    if not file.is_file():
        raise ValueError(f'its "envFile" {file} does not exist; create it, or remove the key.')
    read = {name: value or '' for name, value in dotenv_values(file, interpolate=False).items()}
    return config.model_copy(update={'env': {**read, **config.env}})
