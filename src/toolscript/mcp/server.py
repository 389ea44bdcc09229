"""An MCP server, started over stdio, with deferred tools."""

import logging
import os
import time
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from pydantic_ai import UserError
from pydantic_ai.toolsets import AbstractToolset

from toolscript_sandbox import text_of
from toolscript_signatures import with_visible

# The MCP client takes long to import.
if TYPE_CHECKING:
    from fastmcp.client.logging import LogMessage


def MCPServer(
    command: str | PathLike[str],
    args: Sequence[str] = (),
    *,
    env: dict[str, str] | None = None,
    cwd: str | Path | None = None,
    defer_loading: bool | Sequence[str] = False,
    id: str | None = None,
    **options: Any,
) -> AbstractToolset[Any]:
    """Return a toolset of a program that speaks MCP on its standard input and output.

    Short for `MCPToolset(StdioTransport(command, args), ...).defer_loading(...)`; for servers over HTTP and all other
    options use pydantic-ai's `MCPToolset` and its `.defer_loading()`.

    Args:
        command: The program.
        args: Its arguments.
        env: The program's environment, if not the default one.
        cwd: The folder in which it runs.
        defer_loading: Hide all of its tools until they are found, or only the named ones.
        id: The server's name, also in searches.
        options: All other keywords of pydantic-ai's `MCPToolset`. Without a `log_handler`, the server's log messages go
            to the logger `toolscript.servers`, at most a hundred per minute.

    Raises:
        UserError: The arguments are not a program and a list; the message says what to use instead.
        ImportError: The MCP client is not installed.
    """
    _check_program(command, args)
    # Few programs need the MCP client, and it takes long to import.
    try:
        from fastmcp.client.transports import StdioTransport
        from pydantic_ai.mcp import MCPToolset
    except ImportError as error:
        raise ImportError("MCPServer needs the MCP client: pip install 'toolscript[mcp]'.") from error

    options.setdefault('log_handler', ServerLog(id or PurePath(command).name))
    # With `keep_alive` the program would outlive the toolset.
    folder = str(cwd) if cwd else None
    transport = StdioTransport(os.fspath(command), [*args], env=env, cwd=folder, keep_alive=False)
    server: AbstractToolset[Any] = MCPToolset(transport, id=id, **options)
    server = server.with_metadata(server=id) if id else server
    if isinstance(defer_loading, bool):
        return server.defer_loading() if defer_loading else server
    return server.defer_loading([*defer_loading])


def _check_program(command: object, args: object) -> None:
    if isinstance(command, str) and '://' in command:
        raise UserError(
            f'MCPServer starts a program, and {command!r} is a URL: use pydantic_ai.mcp.MCPToolset({command!r}).'
        )
    if isinstance(command, list | tuple):
        raise UserError(
            "MCPServer takes the program and its arguments separately: MCPServer('npx', ['-y', 'some-server'])."
        )
    if not isinstance(command, str | PathLike):
        kind = type(command).__name__
        raise UserError(f'MCPServer starts a program by name, and this is a {kind}: use pydantic_ai.mcp.MCPToolset.')
    if not command or isinstance(args, str) or not isinstance(args, Sequence):
        raise UserError("MCPServer takes a program and a list of arguments: MCPServer('npx', ['-y', 'some-server']).")


MAX_MESSAGES = 100
"""The most messages of one server in each window; the others are counted."""
WINDOW_SECONDS = 60.0
MAX_CHARS = 2_000
"""The most characters of one message, which takes one line."""

_LEVELS = {'debug': logging.DEBUG, 'warning': logging.WARNING, 'error': logging.ERROR}
_SEVERE = {'critical', 'alert', 'emergency'}
_logger = logging.getLogger('toolscript.servers')


class ServerLog:
    """A `log_handler` of an MCP client that writes to the logger `toolscript.servers`.

    It is limited, because a server may send as many messages as it likes.
    """

    def __init__(self, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._name = name
        self._clock = clock
        self._since = clock()
        self._logged = 0
        self._left_out = 0

    async def __call__(self, message: 'LogMessage') -> None:
        if self._clock() - self._since >= WINDOW_SECONDS:
            self._begin_window()
        self._logged += 1
        if self._logged <= MAX_MESSAGES:
            level = logging.CRITICAL if message.level in _SEVERE else _LEVELS.get(message.level, logging.INFO)
            line = with_visible(' '.join(text_of(message.data, MAX_CHARS).split()))
            _logger.log(level, 'the MCP server %r says: %s', self._name, line)
            return
        if not self._left_out:
            text = 'the MCP server %r logs more than %d messages in %g s; further ones of that time are only counted'
            _logger.warning(text, self._name, MAX_MESSAGES, WINDOW_SECONDS)
        self._left_out += 1

    def _begin_window(self) -> None:
        if self._left_out:
            _logger.warning('%d messages of the MCP server %r were left out', self._left_out, self._name)
        self._since, self._logged, self._left_out = self._clock(), 0, 0
