"""Connects to a target and starts its servers."""

import asyncio
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import typer
from pydantic_ai import RunContext
from pydantic_ai.models.test import TestModel
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
from pydantic_ai.usage import RunUsage

from toolscript.discovery.deferral import is_server
from toolscript.discovery.search_tool import SearchTool
from toolscript.mcp.client_config import Input, ServerConfig
from toolscript.mcp.unreadable_tools import leave_out_unreadable_tools
from toolscript.routing.placement import listed_as
from toolscript.run_code.tool import RunCodeTool

from .target import Target, ToolSource, load_target, one_of
from .terminal import CommandError, Exit, remark, working

# Importing the MCP client is slow.
if TYPE_CHECKING:
    from pydantic_ai.mcp import MCPToolset

_REFUSALS = frozenset({401, 403})
_MAX_CHARS = 200


@dataclass(frozen=True)
class Connected:
    """A target while its servers run."""

    target: Target
    sources: tuple[ToolSource, ...]
    down: Mapping[str, str]
    """Why each of the others cannot be used, by name."""
    release: Callable[[], Awaitable[None]]
    """Leaves the servers to toolsets that have entered them in the meantime; the others are stopped."""

    @property
    def toolset(self) -> AbstractToolset[Any]:
        return one_of([source.toolset for source in self.sources])


@asynccontextmanager
async def opened(
    text: str, inputs: Sequence[str] = (), *, only: Callable[[ToolSource], bool] | None = None
) -> AsyncGenerator[Connected]:
    """Yield a target with its servers started, those for which `only` is true if any; stderr lists those that fail."""
    with TemporaryDirectory(prefix='toolscript-') as folder:
        ask = _ask if sys.stdin.isatty() else None
        target = load_target(text, inputs=inputs_by_id(inputs), ask=ask, logs=Path(folder))
        warn_of_deps(target)
        needed = [source for source in target.sources if only is not None and only(source)] or target.sources
        async with AsyncExitStack() as stack:
            with working(f'starting {", ".join(source.name for source in needed)} …'):
                live = await stack.enter_async_context(connected(target, needed))
            for name, reason in live.down.items():
                remark(f'toolscript: {name} is down: {reason}')
            if not live.sources:
                raise CommandError(f'no server of {text} can be reached.', Exit.DOWN)
            yield live


@asynccontextmanager
async def connected(target: Target, sources: Sequence[ToolSource] | None = None) -> AsyncGenerator[Connected]:
    """Start the servers of a target concurrently, and stop them at the end. One that fails does not affect others."""
    needed = target.sources if sources is None else sources
    down: dict[str, str] = dict(target.unusable)
    done = asyncio.Event()
    settled = {source.name: asyncio.Event() for source in needed}

    async def hold(source: ToolSource) -> None:
        # Connect and disconnect in the same task, because the client's tasks belong to the task that started them.
        try:
            async with source.toolset:
                for server in servers_in(source.toolset):
                    leave_out_unreadable_tools(server)
                settled[source.name].set()
                await done.wait()
        except Exception as error:
            # Calls of a server that went down later have already failed with a message.
            if not settled[source.name].is_set():
                down[source.name] = down_reason(error, source)
        finally:
            settled[source.name].set()

    async def release() -> None:
        done.set()
        await asyncio.gather(*servers, return_exceptions=True)

    servers = [asyncio.create_task(hold(source)) for source in needed]
    try:
        await asyncio.gather(*(event.wait() for event in settled.values()))
        yield Connected(target, tuple(source for source in needed if source.name not in down), down, release)
    finally:
        await release()


async def listed(toolset: AbstractToolset[Any]) -> dict[str, ToolsetTool[Any]]:
    """Return the tools of a toolset before a run's first step."""
    ctx = RunContext[Any](deps=None, model=TestModel(), usage=RunUsage(), run_step=1)
    return await (await toolset.for_run(ctx)).get_tools(ctx)


def real_tools(tools: Mapping[str, ToolsetTool[Any]]) -> dict[str, ToolsetTool[Any]]:
    """Return the tools themselves, in place of `run_code` and the search that finds them."""
    real: dict[str, ToolsetTool[Any]] = {}
    for name, tool in tools.items():
        if isinstance(tool, RunCodeTool):
            real |= {inner: code_tool.tool for inner, code_tool in tool.functions.tools.items()}
        elif search := listed_as(tool, SearchTool):
            real |= search.deferred
        else:
            real.setdefault(name, tool)
    return real


def servers_in(toolset: AbstractToolset[Any]) -> Iterator['MCPToolset[Any]']:
    leaves: list[Any] = []
    toolset.apply(leaves.append)
    return (leaf for leaf in leaves if is_server(leaf) and leaf.client.is_connected())


def warn_of_deps(target: Target) -> None:
    """Warn on stderr that the tools of an agent with deps get none."""
    wanted = None if target.agent is None else target.agent.deps_type
    if wanted not in (None, type(None), object):
        name = getattr(wanted, '__name__', str(wanted))
        remark(f'toolscript: {target.text} runs without its deps ({name}): its tools get None as ctx.deps.')


def inputs_by_id(inputs: Sequence[str]) -> dict[str, str]:
    """Return the values of `--input ID=VALUE`. Raises `CommandError` if an input has no value."""
    pairs = [entry.partition('=') for entry in inputs]
    if wrong := [id for id, equals, _ in pairs if not equals]:
        raise CommandError(f'--input {wrong[0]}: write --input {wrong[0]}=VALUE.', Exit.USAGE)
    return {id: value for id, _, value in pairs}


def down_reason(error: BaseException, source: ToolSource) -> str:
    """Return what to do about a server that does not connect, in one line, with the last line of its log."""
    config, root = source.config, _root(error)
    text = f'{type(root).__name__}: {root}' if str(root) else type(root).__name__
    if config is None:
        return text
    if config.url:
        return _of_url(root, text)
    reason = _of_program(config, root, text)
    wrote = _last_line(source.log)
    return f'{reason.rstrip(".")}. It wrote: {wrote}' if wrote else reason


def _of_program(config: ServerConfig, root: BaseException, text: str) -> str:
    if not Path(config.command).exists() and which(config.command, path=config.env.get('PATH')) is None:
        return f'there is no program {config.command!r}; install it, or write its full path.'
    if config.cwd and not Path(config.cwd).is_dir():
        return f'there is no folder {config.cwd!r}, its "cwd".'
    if isinstance(root, TimeoutError):
        return f'{config.command!r} does not answer; start it by hand to see why.'
    return f'{config.command!r} ended, or does not speak MCP: {text}'


def _of_url(root: BaseException, text: str) -> str:
    code = getattr(getattr(root, 'response', None), 'status_code', None)
    if code in _REFUSALS:
        return f'it refuses with {code}; put a valid token into its "headers".'
    if code is not None:
        return f'it answers {code}; check its "url" and "type".'
    return f'it cannot be reached ({text}); check that it runs, and check its "url".'


def _root(error: BaseException) -> BaseException:
    inner: BaseException | None = error
    while inner is not None:
        error = inner
        inner = next(iter(getattr(error, 'exceptions', ())), error.__cause__)
    return error


def _last_line(log: Path | None) -> str:
    try:
        lines = [] if log is None else log.read_text('utf-8', 'replace').split('\n')
    except OSError:
        return ''
    return next((line.strip()[:_MAX_CHARS] for line in reversed(lines) if line.strip()), '')


def _ask(asked: Input) -> str:
    choices = f' ({", ".join(asked.options)})' if asked.options else ''
    question = f'{asked.description or asked.id}{choices}'
    while True:
        answer: str = typer.prompt(question, default=asked.default, hide_input=asked.password, err=True)
        if not asked.options or answer in asked.options:
            return answer
