"""`toolscript serve`."""

import asyncio
import logging
import os
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from toolscript.cli.console import remark
from toolscript.cli.exits import CommandError, Exit
from toolscript.cli.opening import inputs_by_id, tell_of_deps
from toolscript.cli.shared_options import Inputs
from toolscript.cli.target import Target, load_target

if TYPE_CHECKING:
    from pydantic_ai.toolsets import AbstractToolset

    from toolscript.serve.http import Door
    from toolscript.serve.server import Served
    from toolscript.serve.settings import ServeSettings

TOKEN_VARIABLE = 'TOOLSCRIPT_TOKEN'
_OF_HTTP = ('host', 'port', 'token', 'no_token', 'allow_origin', 'allow_host')


def serve_command(
    ctx: typer.Context,
    target: Annotated[
        str | None,
        typer.Argument(
            metavar='[TARGET]',
            help='An mcp.json as Claude, Cursor or VS Code write it, or module:attribute of a toolset or an agent.',
            show_default=False,
        ),
    ] = None,
    example: Annotated[bool, typer.Option('--example', help='Serve a small shop on SQLite instead.')] = False,
    config: Annotated[
        Path | None,
        typer.Option(help='Rules and settings; else toolscript.toml beside TARGET or here.', show_default=False),
    ] = None,
    http: Annotated[bool, typer.Option('--http', help='Serve streamable HTTP instead of standard input.')] = False,
    host: Annotated[str, typer.Option(help='With --http: the address to listen on.')] = '127.0.0.1',
    port: Annotated[
        int, typer.Option(help='With --http: the port; 0 for any that is free.', min=0, max=65_535)
    ] = 8_765,
    token: Annotated[
        list[str] | None,
        typer.Option(
            envvar=TOKEN_VARIABLE,
            help='With --http: what clients have to show; generated if left out. Several share the sessions equally.',
            show_default=False,
        ),
    ] = None,
    no_token: Annotated[bool, typer.Option('--no-token', help='With --http: let everybody in.')] = False,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(metavar='ORIGIN', help='With --http: a web page that may connect.', show_default=False),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar='NAME', help='With --http: a name that the server is reached by.', show_default=False),
    ] = None,
    inputs: Inputs = None,
) -> None:
    """Serve the tools of a target to any MCP client, as code mode.

    Examples:

    toolscript serve --example

    toolscript serve mcp.json

    toolscript serve mcp.json --http --port 9000
    """
    _check_options(ctx, http=http)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format='toolscript: %(message)s')
    served = _served(target, inputs or [], config, example=example)
    if not http:
        from toolscript.serve.stdio import serve_stdio

        _run(serve_stdio(served))
        return
    from toolscript.serve.http import Door, listening, serve_http

    tokens = () if no_token else tuple(token or [secrets.token_urlsafe(24)])
    door = Door(host, port, tokens, tuple(allow_origin or ()), tuple(allow_host or ()))
    try:
        listener = listening(door)
    except OSError as error:
        advice = f'{host}:{port} cannot be listened on ({error.strerror}); take another --port, or another --host.'
        raise CommandError(advice, Exit.USAGE) from error
    _tell(door, listener.getsockname()[1], generated=not no_token and not token)
    _run(serve_http(served, door, listener))


def _check_options(ctx: typer.Context, *, http: bool) -> None:
    """Refuse what would be given for nothing, or would open what was to be closed."""
    sources = {name: ctx.get_parameter_source(name) for name in _OF_HTTP}
    given = [
        f'--{name.replace("_", "-")}' for name, source in sources.items() if source and source.name == 'COMMANDLINE'
    ]
    if given and not http:
        raise CommandError(f'only --http takes {" and ".join(given)}; add --http, or leave it away.', Exit.USAGE)
    if {'--token', '--no-token'} <= {*given}:
        raise CommandError('--token closes what --no-token opens; give one of them.', Exit.USAGE)


def _served(target: str | None, inputs: list[str], config: Path | None, *, example: bool) -> 'Served':
    if (target is None) != example:
        raise CommandError(
            'name one thing to serve: toolscript serve mcp.json, or toolscript serve --example.', Exit.USAGE
        )
    try:
        from toolscript.serve.server import Served
        from toolscript.serve.settings import settings_beside
    except ImportError as error:
        raise ImportError(
            f"serve needs the MCP library, 2 or newer: pip install 'toolscript[cli]' ({error})."
        ) from error

    settings, file = settings_beside(target or '', config)
    if file is not None:
        remark(f'toolscript: settings from {file}')
    make = served_example(settings) if target is None else served_target(target, inputs, settings)
    # A mistake is told now, and not to the first client.
    make()
    if target is not None:
        tell_of_target(load_target(target, inputs=inputs_by_id(inputs)), file)
    return Served(make, settings.max_result_chars)


def tell_of_target(target: Target, file: Path | None) -> None:
    """Tell on stderr what a target will not get.

    Args:
        target: What is served.
        file: The settings.
    """
    tell_of_deps(target)
    if file is not None and _is_in_code_mode(target.toolset):
        remark(
            f'toolscript: {target.text} is in code mode already, as its module sets it up: of {file}, only '
            'max_result_chars holds. Rules stand in CodeModeToolset(..., rules=[...]) there.'
        )


def served_example(settings: 'ServeSettings') -> 'Callable[[], AbstractToolset[Any]]':
    """Makes a shop for each client."""
    from toolscript.serve.example import example

    return lambda: settings.offered(example())


def served_target(text: str, inputs: list[str], settings: 'ServeSettings') -> 'Callable[[], AbstractToolset[Any]]':
    """Makes the tools of a target anew for each client, so that none shares a server's process with another.

    Args:
        text: As on the command line.
        inputs: `id=value` each.
        settings: How they are served.
    """
    given = inputs_by_id(inputs)
    return lambda: _offered(settings, load_target(text, inputs=given).toolset)


def _offered(settings: 'ServeSettings', toolset: 'AbstractToolset[Any]') -> 'AbstractToolset[Any]':
    # A toolset that is in code mode already is served as its developer has set it up.
    return toolset if _is_in_code_mode(toolset) else settings.offered(toolset)


def _is_in_code_mode(toolset: 'AbstractToolset[Any]') -> bool:
    from toolscript.code_mode_toolset import CodeModeToolset

    return isinstance(toolset, CodeModeToolset)


def _tell(door: 'Door', port: int, *, generated: bool) -> None:
    from toolscript.serve.http import PATH

    remark(f'toolscript: serving http://{door.host}:{port}{PATH}')
    if not door.tokens:
        remark('toolscript: without a token: every program on this machine may call these tools.')
    elif generated:
        remark(f'toolscript: token {door.tokens[0]} (give your own with --token or {TOKEN_VARIABLE})')


def _run(serving: Any) -> None:
    try:
        asyncio.run(serving)
    except (KeyboardInterrupt, asyncio.CancelledError):
        sys.stderr.flush()
        # A thread may still read standard input, and would keep the process.
        os._exit(Exit.INTERRUPTED if sys.exc_info()[0] is KeyboardInterrupt else 0)
