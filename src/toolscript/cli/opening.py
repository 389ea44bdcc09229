"""A target that a command works with, open."""

import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import typer

from toolscript.cli.connecting import Connected, connected
from toolscript.cli.console import remark, working
from toolscript.cli.exits import CommandError, Exit
from toolscript.cli.interrupts import interrupt_raises
from toolscript.cli.target import Target, load_target
from toolscript.mcp.variables import Input


@asynccontextmanager
async def opened(text: str, inputs: Sequence[str] = ()) -> AsyncGenerator[tuple[Target, Connected]]:
    """A target with its servers started; those that cannot be had are told on stderr.

    Args:
        text: As on the command line.
        inputs: `id=value` each.

    Raises:
        TargetError: It cannot be used.
        CommandError: None of its servers can be had.
    """
    with TemporaryDirectory(prefix='toolscript-') as folder:
        logs = Path(folder)
        target = load_target(text, inputs=inputs_by_id(inputs), ask=_ask if sys.stdin.isatty() else None, logs=logs)
        tell_of_deps(target)
        names = ', '.join(source.name for source in target.sources)
        with working(f'starting {names} …'):
            starting = connected(target, logs)
            live = await starting.__aenter__()
        try:
            for name, why in live.down.items():
                remark(f'toolscript: {name} is down: {why}')
            if not live.sources:
                raise CommandError(f'no server of {text} can be reached.', Exit.DOWN)
            yield target, live
        finally:
            await starting.__aexit__(None, None, None)


def tell_of_deps(target: Target) -> None:
    """Tell on stderr of an agent whose tools want deps: there are none here."""
    wanted = None if target.agent is None else target.agent.deps_type
    if wanted not in (None, type(None), object):
        name = getattr(wanted, '__name__', str(wanted))
        remark(f'toolscript: {target.text} is used without its deps ({name}); its tools find None as ctx.deps.')


def inputs_by_id(inputs: Sequence[str]) -> dict[str, str]:
    """What was said with `--input ID=VALUE`.

    Raises:
        CommandError: One has no value.
    """
    pairs = [entry.partition('=') for entry in inputs]
    if wrong := [id for id, equals, _ in pairs if not equals]:
        raise CommandError(f'--input {wrong[0]}: write --input {wrong[0]}=VALUE.', Exit.USAGE)
    return {id: value for id, _, value in pairs}


def _ask(asked: Input) -> str:
    choices = f' ({", ".join(asked.options)})' if asked.options else ''
    question = f'{asked.description or asked.id}{choices}'
    while True:
        with interrupt_raises():
            said: str = typer.prompt(question, default=asked.default, hide_input=asked.secret, err=True)
        if not asked.options or said in asked.options:
            return said
