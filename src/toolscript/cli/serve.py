"""`toolscript serve`."""

import asyncio
import logging
import os
import secrets
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic_ai.toolsets import AbstractToolset

from .connections import inputs_by_id, warn_of_deps
from .run import has_code_mode
from .target import Target, load_target
from .terminal import TARGET_HELP, CommandError, Exit, Inputs, remark

if TYPE_CHECKING:
    from toolscript.serve.server import Served
    from toolscript.serve.settings import ServeSettings

TOKEN_VARIABLE = 'TOOLSCRIPT_TOKEN'
_FOR_HTTP = ('host', 'port', 'token', 'no_token', 'allow_origin', 'allow_host')


def serve_command(
    ctx: typer.Context,
    target: Annotated[str | None, typer.Argument(metavar='[TARGET]', help=TARGET_HELP, show_default=False)] = None,
    example: Annotated[bool, typer.Option('--example', help='Serve a small shop on SQLite instead.')] = False,
    config: Annotated[
        Path | None,
        typer.Option(help='Rules and settings; else toolscript.toml beside TARGET or here.', show_default=False),
    ] = None,
    http: Annotated[bool, typer.Option('--http', help='Serve streamable HTTP instead of standard input.')] = False,
    host: Annotated[str, typer.Option(help='With --http: the address to listen on.')] = '127.0.0.1',
    port: Annotated[int, typer.Option(help='With --http: the port; 0 for any free one.', min=0, max=65_535)] = 8_765,
    token: Annotated[
        list[str] | None,
        typer.Option(
            envvar=TOKEN_VARIABLE,
            help='With --http: what clients have to send; generated if left out. Several share the sessions equally.',
            show_default=False,
        ),
    ] = None,
    no_token: Annotated[bool, typer.Option('--no-token', help='With --http: let everybody connect.')] = False,
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
        from toolscript.serve.server import serve_stdio

        _run(serve_stdio(served))
        return
    from toolscript.serve.http import PATH, Access, http_server, listening

    generated = secrets.token_urlsafe(24)
    tokens = () if no_token else tuple(token or [generated])
    access = Access(host, port, tokens, tuple(allow_origin or ()), tuple(allow_host or ()))
    try:
        listener = listening(access)
    except OSError as error:
        advice = f'{host}:{port} is not available ({error.strerror}); use another --port or --host.'
        raise CommandError(advice, Exit.USAGE) from error
    remark(f'toolscript: serving http://{host}:{listener.getsockname()[1]}{PATH}')
    if no_token:
        remark('toolscript: no token: every program on this machine can call these tools.')
    elif not token:
        remark(f'toolscript: token {generated} (give your own with --token or {TOKEN_VARIABLE})')
    _run(http_server(served, access).serve(sockets=[listener]))


def warn_of_target(target: Target, file: Path | None) -> None:
    """Warn on stderr about what cannot be served as requested."""
    warn_of_deps(target)
    for name, why in target.unusable.items():
        remark(f'toolscript: {name} is left out: {why}')
    if file is not None and has_code_mode(target.toolset):
        remark(
            f'toolscript: {target.text} has code mode already, so only max_result_chars of {file} applies. Put '
            'rules into CodeModeToolset(..., rules=[...]) there.'
        )


def served_target(text: str, inputs: list[str], settings: 'ServeSettings') -> Callable[[], AbstractToolset[Any]]:
    """Return a function that creates the tools of a target for one client, so that clients share no server process."""
    given = inputs_by_id(inputs)

    def make() -> AbstractToolset[Any]:
        toolset = load_target(text, inputs=given).toolset
        return toolset if has_code_mode(toolset) else settings.offered(toolset)

    return make


def _check_options(ctx: typer.Context, *, http: bool) -> None:
    """Reject options that would have no effect, or would open what should be closed."""
    sources = {name: ctx.get_parameter_source(name) for name in _FOR_HTTP}
    given = [
        f'--{name.replace("_", "-")}' for name, source in sources.items() if source and source.name == 'COMMANDLINE'
    ]
    if given and not http:
        raise CommandError(f'only --http takes {" and ".join(given)}; add --http, or remove it.', Exit.USAGE)
    if {'--token', '--no-token'} <= {*given}:
        raise CommandError('use either --token or --no-token.', Exit.USAGE)


def _served(target: str | None, inputs: list[str], config: Path | None, *, example: bool) -> 'Served':
    if (target is None) != example:
        raise CommandError(
            'name one thing to serve: toolscript serve mcp.json, or toolscript serve --example.', Exit.USAGE
        )
    try:
        from toolscript.serve.example import example as make_example
        from toolscript.serve.server import Served
        from toolscript.serve.settings import settings_beside
    except ImportError as error:
        advice = f"serve needs the MCP library, 2 or newer: pip install 'toolscript[cli]' ({error})."
        raise ImportError(advice) from error

    settings, file = settings_beside(target or '', config)
    if file is not None:
        remark(f'toolscript: settings from {file}')
    if target is None:
        return Served(lambda: settings.offered(make_example()), settings.max_result_chars)
    # Report mistakes now, rather than to the first client.
    warn_of_target(load_target(target, inputs=inputs_by_id(inputs)), file)
    make = served_target(target, inputs, settings)
    make()
    return Served(make, settings.max_result_chars)


def _run(serving: Coroutine[Any, Any, None]) -> None:
    try:
        asyncio.run(serving)
    except (KeyboardInterrupt, asyncio.CancelledError) as error:
        sys.stderr.flush()
        # A thread may still be reading standard input, and would keep the process alive.
        os._exit(Exit.INTERRUPTED if isinstance(error, KeyboardInterrupt) else 0)
