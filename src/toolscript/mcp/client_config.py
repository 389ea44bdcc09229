"""The MCP servers in a client's configuration."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

from toolscript.mcp.jsonc import Document, NotJson, read_jsonc
from toolscript.mcp.jsonc import Path as Place
from toolscript.mcp.mistakes import Mistake, TargetError, place_of
from toolscript.mcp.server_fields import Fields
from toolscript.mcp.variables import Input, Variables

Transport: TypeAlias = Literal['stdio', 'http', 'sse']

_SERVER_KEYS = ('mcpServers', 'servers')
_TRANSPORTS: Mapping[str, Transport] = {
    'stdio': 'stdio',
    'http': 'http',
    'streamable-http': 'http',
    'streamableHttp': 'http',
    'streamable_http': 'http',
    'sse': 'sse',
}
_OURS = frozenset(
    {'command', 'args', 'env', 'envFile', 'cwd', 'url', 'headers', 'type', 'transport', 'disabled', 'enabled'}
)
_CLIENTS = frozenset(
    [
        'alwaysAllow',
        'autoApprove',
        'auth',
        'authentication',
        'authProviderType',
        'description',
        'dev',
        'disabledTools',
        'displayName',
        'excludeTools',
        'gallery',
        'icon',
        'id',
        'includeTools',
        'iconPath',
        'name',
        'note',
        'oauth',
        'sandbox',
        'sandboxEnabled',
        'sse_read_timeout',
        'timeout',
        'tools',
        'trust',
        'version',
    ]
)
"""Keys that some client has for itself."""


@dataclass(frozen=True)
class ServerConfig:
    """One MCP server, with all variables filled in."""

    name: str
    transport: Transport
    command: str = ''
    """The program; empty where the server is reached by a URL."""
    args: tuple[str, ...] = field(default=(), repr=False)
    env: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """What it has beside the usual few variables of `mcp.client.stdio.get_default_environment`."""
    cwd: str | None = None
    url: str = field(default='', repr=False)
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    line: int = 1
    """Where the file speaks of it."""


def read_client_config(
    file: Path, *, inputs: Mapping[str, str] | None = None, ask: Callable[[Input], str] | None = None
) -> list[ServerConfig]:
    """The servers in an `mcp.json` as Claude, Cursor (both `mcpServers`) or VS Code (`servers`) write it.

    Servers with `"disabled": true` or `"enabled": false` are left out.

    Args:
        file: The file; it may have comments, and commas after the last entry.
        inputs: Values for `${input:id}`.
        ask: Asks for the other inputs; where there is nobody to ask, their defaults and the environment variables
            `TOOLSCRIPT_INPUT_ID` are left.

    Raises:
        TargetError: It cannot be read or used; the message has all mistakes with their lines.
    """
    try:
        document = read_jsonc(file.read_text('utf-8'))
    except NotJson as error:
        raise TargetError(str(file), [Mistake(error.line, '', f'not valid JSON: {error.what}')]) from error
    except UnicodeDecodeError as error:
        raise TargetError(str(file), ['it is not UTF-8 text; save it as UTF-8.']) from error
    except OSError as error:
        raise TargetError(str(file), [f'{error.strerror}.']) from error
    reader = _Reader(document, file, inputs or {}, ask)
    servers = [*reader.servers()]
    if reader.mistakes:
        in_order: list[Mistake] = sorted(reader.mistakes, key=lambda mistake: mistake.line)
        raise TargetError(str(file), in_order)
    if not servers:
        raise TargetError(str(file), ['it has no server that is enabled; add one, or take another file.'])
    return servers


class _Reader:
    def __init__(
        self, document: Document, file: Path, given: Mapping[str, str], ask: Callable[[Input], str] | None
    ) -> None:
        self.document = document
        self.mistakes: list[Mistake] = []
        for place in document.repeated:
            self._wrong(place, f'{place[-1]!r} stands here twice; rename or remove one.')
        self.variables = Variables(file, given=given, ask=ask)

    def servers(self) -> Iterator[ServerConfig]:
        data = self.document.data
        where = self._servers_place(data)
        if where is None:
            return
        self.variables.inputs = self._inputs((*where[:-1], 'inputs'))
        entries = Fields(self.document, where, self.variables, self.mistakes)
        for name in entries.names():
            if server := self._server(name, entries.inside(name)):
                yield server

    def _servers_place(self, data: object) -> Place | None:
        """Where the servers stand; VS Code's settings have them under `mcp`."""
        if isinstance(data, dict):
            top = cast(dict[str, Any], data)
            around: list[tuple[Place, dict[str, Any]]] = [((), top)]
            if isinstance(inner := top.get('mcp'), dict):
                around.append((('mcp',), cast(dict[str, Any], inner)))
            for place, keys in around:
                for key in _SERVER_KEYS:
                    if isinstance(keys.get(key), dict):
                        return (*place, key)
                    if key in keys:
                        self._wrong((*place, key), 'is no object; write {"name": {"command": …}}.')
                        return None
            if close := get_close_matches('mcpServers', top, 1) or get_close_matches('servers', top, 1):
                self._wrong((close[0],), f'unknown key; is "{_closest_of(close[0])}" meant?')
                return None
        self._wrong(
            (), 'there are no servers in it; they stand under "mcpServers" (Claude, Cursor) or "servers" (VS Code).'
        )
        return None

    def _inputs(self, place: Place) -> dict[str, Input]:
        fields = Fields(self.document, place, self.variables, self.mistakes)
        inputs = dict[str, Input]()
        for number in fields.indices():
            entry = fields.inside(number)
            if id := entry.text('id', required=True):
                inputs[id] = Input(
                    id=id,
                    description=entry.text('description'),
                    default=entry.plain('default'),
                    options=entry.options('options'),
                    secret=entry.flag('password'),
                )
        return inputs

    def _server(self, name: str, entry: Fields) -> ServerConfig | None:
        if not entry.is_object():
            return None
        if entry.flag('disabled') or not entry.flag('enabled', default=True):
            return None
        before = len(self.mistakes)
        self._unknown_keys(entry)
        transport = self._transport(entry)
        env = {**entry.env_file('envFile', self.variables.folder), **entry.texts('env')}
        server = ServerConfig(
            name=name,
            transport=transport or 'stdio',
            command=entry.text('command', filled=True),
            args=entry.list_of_texts('args'),
            env=env,
            cwd=entry.text('cwd', filled=True) or None,
            url=entry.url('url'),
            headers=entry.texts('headers'),
            line=self.document.line(entry.place),
        )
        return server if transport and len(self.mistakes) == before else None

    def _transport(self, entry: Fields) -> Transport | None:
        has_command, has_url = entry.has('command'), entry.has('url')
        if has_command and has_url:
            self._wrong(entry.place, 'has a "command" and a "url"; keep the one that it is reached by.')
            return None
        if not has_command and not has_url:
            if not any(key in entry.names() for key in _near('command', entry) + _near('url', entry)):
                self._wrong(entry.place, 'needs a "command" (a program to start) or a "url" (a server that runs).')
            return None
        key = 'type' if entry.has('type') else 'transport'
        said = entry.text(key)
        inferred: Transport = 'stdio' if has_command else 'sse' if _path_is_sse(entry.text('url')) else 'http'
        if not said:
            return inferred
        transport = _TRANSPORTS.get(said)
        if transport is None:
            self._wrong((*entry.place, key), f'is {said!r}; use "stdio", "http" or "sse".')
        elif (transport == 'stdio') != has_command:
            needs = 'a "command"' if transport == 'stdio' else 'a "url"'
            self._wrong((*entry.place, key), f'is {said!r}, which needs {needs}.')
            return None
        return transport

    def _unknown_keys(self, entry: Fields) -> None:
        """What a key was meant to be; keys that are like none of ours are other clients' business."""
        for key in entry.names():
            if key not in _OURS | _CLIENTS and (close := get_close_matches(key, sorted(_OURS), 1, 0.75)):
                self._wrong((*entry.place, key), f'unknown key; is "{close[0]}" meant?')

    def _wrong(self, place: Place, what: str) -> None:
        self.mistakes.append(Mistake(self.document.line(place), place_of(place), what))


def _closest_of(key: str) -> str:
    return (get_close_matches(key, _SERVER_KEYS, 1) or ['mcpServers'])[0]


def _near(key: str, entry: Fields) -> list[str]:
    """Misspellings of a key, which are told as such."""
    return [name for name in entry.names() if name not in _CLIENTS and get_close_matches(name, [key], 1, 0.75)]


def _path_is_sse(url: str) -> bool:
    return url.partition('?')[0].rstrip('/').endswith('/sse')
