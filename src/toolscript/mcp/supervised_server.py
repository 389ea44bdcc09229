"""An MCP server that may be down without ending the run.

A server is started by the first step that lists its tools, in parallel with others, and not before. If one does not
start, dies or hangs, the model is given its name, the others are served, and it is started again: at the next step,
and then after longer and longer pauses. The tools that it had stay listed while it is down, so that no byte of the
prompt changes twice; a call of one first starts the server again, or says that nothing was called. Nothing is called a
second time: a call that was in flight when the connection was lost fails, and says that its outcome is unknown.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Self

from pydantic_ai import ModelRetry, RunContext, UserError
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, ToolFailed
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import AbstractToolset, CombinedToolset, ToolsetTool, WrapperToolset

from toolscript.discovery.deferral import is_server
from toolscript.guards import is_text, items
from toolscript.results.tool_errors import OutcomeUnknown
from toolscript.routing.placement import RUN_CODE, by_own_name, renamed
from toolscript.routing.ruled_toolset import RuledToolset
from toolscript.routing.rules import RuleBook

from .server_names import names_with_server
from .unreadable_tools import leave_out_unreadable_tools

# The MCP client takes long to import.
if TYPE_CHECKING:
    from pydantic_ai.mcp import MCPToolset

_START_SECONDS = 60.0
"""How long a start may take, whatever the client's own limit is."""
_LIST_SECONDS = 30.0
_STOP_SECONDS = 10.0
_AGAIN_SECONDS = 2.0
"""How long a step waits for a server that failed to start before."""
_LONGEST_PAUSE = 60.0
_CLASHING_NAME = 'toolscript_clashing_name'

_logger = logging.getLogger('toolscript.servers')


@dataclass
class ServerState:
    """The state of a server, shared by all its users."""

    users: int = 0
    entered: bool = False
    """Whether it runs, as far as is known."""
    down: str | None = None
    """Why it is down; `None` while it runs or has not been needed."""
    was_down: bool = False
    failures: int = 0
    """How many starts in a row have failed."""
    not_before: float = 0.0
    """When to try again, on the clock of the event loop."""
    tools: dict[str, ToolsetTool[Any]] = field(default_factory=dict[str, ToolsetTool[Any]])
    """The tools that it listed last."""
    starting: asyncio.Task[None] | None = None
    stopping: asyncio.Task[None] | None = None
    warned: bool = False
    """Whether the log says which tool was renamed."""
    refused: UserError | None = None
    """The error that the developer must fix."""

    def forget(self) -> None:
        """Reset everything except the users: the next ones start the server again."""
        vars(self).update(vars(ServerState(users=self.users, stopping=self.stopping)))


@dataclass
class SupervisedServer(WrapperToolset[AgentDepsT]):
    """An MCP server that is started when it is needed; while it is down, others are served."""

    wait_seconds: float = _START_SECONDS
    """How long a step waits for the server to start; after that, the start continues."""
    state: ServerState = field(default_factory=ServerState, repr=False, compare=False)

    @property
    def name(self) -> str:
        if self.wrapped.id:
            return self.wrapped.id
        transport = getattr(getattr(self.wrapped, 'client', None), 'transport', None)
        words = [getattr(transport, 'command', None), *items(getattr(transport, 'args', None))]
        return ' '.join(PurePath(word).name for word in words if is_text(word))[:60] or 'without an id'

    @property
    def is_missing(self) -> bool:
        """Whether it is needed, but is down or has not started yet."""
        return is_server(self.wrapped) and bool(self.state.users) and not self.state.entered

    async def for_run(self, ctx: RunContext[AgentDepsT]) -> AbstractToolset[AgentDepsT]:
        """Return this server; with its own connection if the client has one for each run."""
        wrapped = await self.wrapped.for_run(ctx)
        return self if wrapped is self.wrapped else replace(self, wrapped=wrapped, state=ServerState())

    async def __aenter__(self) -> Self:
        """Register a user; nothing is started yet."""
        if not is_server(self.wrapped):
            # A durable engine has replaced the server with its own toolset.
            return await super().__aenter__()
        self.state.users += 1
        return self

    async def __aexit__(self, *args: Any) -> bool | None:
        """Stop the server when no run uses it any more."""
        if not is_server(self.wrapped):
            return await super().__aexit__(*args)
        state = self.state
        state.users -= 1
        if state.users == 0:
            if state.starting is not None:
                state.starting.cancel()
                await asyncio.wait({state.starting}, timeout=_STOP_SECONDS)
            entered = state.entered
            state.forget()
            if entered:
                state.stopping = asyncio.create_task(self._stop())
            await self._stopped()
        return None

    async def get_tools(self, ctx: RunContext[AgentDepsT]) -> dict[str, ToolsetTool[AgentDepsT]]:
        """Return the server's tools; while it is down, those that it listed last."""
        if not is_server(self.wrapped) or not self.state.users:
            return await super().get_tools(ctx)
        state = self.state
        if await self._runs():
            try:
                async with asyncio.timeout(_LIST_SECONDS):
                    state.tools = self._without_clash(await super().get_tools(ctx))
            except UserError:
                raise
            except Exception as error:
                await self._lost(error)
        return dict(state.tools)

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[AgentDepsT], tool: ToolsetTool[AgentDepsT]
    ) -> Any:
        """Call the tool, after a new start of the server if necessary. Raises `ToolFailed` if it is down or lost."""
        if not is_server(self.wrapped) or not self.state.users:
            return await super().call_tool(name, tool_args, ctx, tool)
        if not await self._runs():
            raise ToolFailed(
                f'The MCP server {self.name!r} is down ({self.state.down or "it stops"}), so {name} was not '
                'called. A later call starts it again; continue without it, or try later.'
            )
        if name == self._prefixed:
            tool, ctx = by_own_name(tool, ctx, _CLASHING_NAME)
        try:
            return await super().call_tool(tool.tool_def.name, tool_args, ctx, tool)
        except (ApprovalRequired, CallDeferred, UserError):
            raise
        except Exception as error:
            if _is_answer(error) or await self._answers():
                raise
            await self._lost(error)
            raise OutcomeUnknown(
                f'The connection to the MCP server {self.name!r} was lost during {name}; its outcome is unknown. '
                'Check before you call it again.'
            ) from error

    @property
    def _server(self) -> 'MCPToolset[AgentDepsT]':
        return self.wrapped  # pyright: ignore[reportReturnType]

    @property
    def _prefixed(self) -> str:
        return next(iter(names_with_server(self.name, [RUN_CODE]).values()))

    def _without_clash(self, tools: dict[str, ToolsetTool[AgentDepsT]]) -> dict[str, ToolsetTool[AgentDepsT]]:
        """Return the tools; one with the name of code mode's tool has the name of its server in front."""
        if RUN_CODE not in tools:
            return tools
        if not self.state.warned:
            _logger.warning('the tool %r of the MCP server %r is now %r', RUN_CODE, self.name, self._prefixed)
        self.state.warned = True
        others = {name: tool for name, tool in tools.items() if name != RUN_CODE}
        return {**others, self._prefixed: renamed(tools[RUN_CODE], self._prefixed, _CLASHING_NAME)}

    async def _runs(self) -> bool:
        """Return whether the server runs now, after a start if one is due."""
        state = self.state
        if state.entered:
            return True
        if state.starting is None:
            if asyncio.get_running_loop().time() < state.not_before:
                return False
            state.starting = asyncio.create_task(self._start(state))
        await asyncio.wait({state.starting}, timeout=_AGAIN_SECONDS if state.failures else self.wait_seconds)
        if state.refused is not None:
            raise state.refused
        return state.entered

    async def _start(self, state: ServerState) -> None:
        try:
            await self._stopped()
            _end_program_with_connection(self._server)
            async with asyncio.timeout(_START_SECONDS), AsyncExitStack() as stack:
                await stack.enter_async_context(self.wrapped)
                leave_out_unreadable_tools(self._server)
                # A server that cannot list its tools has not started either. The client caches the list.
                await self._server.list_tools()
                stack.pop_all()
            state.entered, state.down, state.failures = True, None, 0
        except UserError as error:
            state.refused = error
        except Exception as error:
            state.failures += 1
            state.not_before = asyncio.get_running_loop().time() + min(2.0**state.failures, _LONGEST_PAUSE)
            self._note(state, error)
        finally:
            state.starting = None

    async def _lost(self, error: Exception) -> None:
        state = self.state
        if state.entered:
            state.entered = False
            self._note(state, error)
            # If the run is cancelled now, the end of the toolset waits for this task.
            state.stopping = asyncio.create_task(self._stop())
            await self._stopped()

    def _note(self, state: ServerState, error: Exception) -> None:
        state.down, state.was_down = _reason(error), True
        _logger.warning('the MCP server %r is down: %s', self.name, state.down)

    async def _stop(self) -> None:
        with suppress(Exception):
            async with asyncio.timeout(_STOP_SECONDS):
                await self.wrapped.__aexit__(None, None, None)

    async def _stopped(self) -> None:
        if self.state.stopping is not None and not self.state.stopping.done():
            await asyncio.wait({self.state.stopping})

    async def _answers(self) -> bool:
        try:
            async with asyncio.timeout(_LIST_SECONDS):
                await self._server.client.list_tools()
        except Exception:  # any error means that it does not answer
            return False
        return True


def servers_of(toolset: AbstractToolset[Any]) -> Iterator[SupervisedServer[Any]]:
    match toolset:
        case SupervisedServer():
            yield toolset
        case WrapperToolset():
            yield from servers_of(toolset.wrapped)
        case CombinedToolset():
            for part in toolset.toolsets:
                yield from servers_of(part)
        case _:
            pass


def servers_note(toolset: AbstractToolset[Any]) -> str | None:
    """Return what the model must know about the servers: empty if all run, `None` if there are none."""
    servers = list(servers_of(toolset))
    if not servers:
        return None
    return '\n'.join(line for server in servers if (line := _line(server)))


def _end_program_with_connection(server: 'MCPToolset[Any]') -> None:
    # Like the client, the transports are there only if a server is.
    from fastmcp.client.transports import StdioTransport

    transport = server.client.transport
    # By default, the client keeps the program running after its last connection.
    if isinstance(transport, StdioTransport):
        transport.keep_alive = False


def _line(server: SupervisedServer[Any]) -> str:
    state = server.state
    if state.starting is not None and not state.failures:
        return f'The MCP server {server.name!r} is still starting; its tools are available when it is up.'
    if state.down is None:
        return f'The MCP server {server.name!r} is up again.' if state.was_down else ''
    tools = 'Calls of its tools fail' if state.tools else 'Its tools are not available'
    return (
        f'The MCP server {server.name!r} is down ({state.down}). {tools} until it is back; do the rest without them, '
        'and say what is missing.'
    )


def _is_answer(error: Exception) -> bool:
    """Return whether the server itself reported that the call failed."""
    return isinstance(error, ModelRetry | ToolFailed) and error.__cause__ is None


def _reason(error: BaseException) -> str:
    causes = items(getattr(error, 'exceptions', None))
    if causes and isinstance(causes[0], BaseException):
        return _reason(causes[0])
    if isinstance(error, TimeoutError):
        return 'it does not answer'
    text = ' '.join(str(error).split()) or type(error).__name__
    # In quotes, because the server may have written it.
    return repr(text if len(text) <= 200 else f'{text[:199]}…')


def prepared(
    toolset: AbstractToolset[AgentDepsT], book: RuleBook, wait_seconds: float, *, notes_names: bool = False
) -> AbstractToolset[AgentDepsT]:
    """Return the toolset with its MCP servers supervised and the rules applied; itself if there are neither.

    A step waits `wait_seconds` for a server to start. With `notes_names`, tools record the names that servers use.
    """

    is_ruled = bool(book.rules) or notes_names

    # Below all prefixes, where patterns see the server's own names.
    def visit(leaf: AbstractToolset[AgentDepsT]) -> AbstractToolset[AgentDepsT]:
        steady = SupervisedServer(leaf, wait_seconds) if is_server(leaf) else leaf
        return RuledToolset(steady, book, leaf.id or '', notes_names) if is_ruled else steady

    leaves: list[AbstractToolset[AgentDepsT]] = []
    toolset.apply(leaves.append)
    return _replaced(toolset, visit) if is_ruled or any(map(is_server, leaves)) else toolset


def _replaced(
    toolset: AbstractToolset[AgentDepsT], visit: Callable[[AbstractToolset[AgentDepsT]], AbstractToolset[AgentDepsT]]
) -> AbstractToolset[AgentDepsT]:
    """Does what `visit_and_replace` does, but replaces toolsets of durable engines too, which return themselves."""
    if isinstance(toolset, CombinedToolset):
        return replace(toolset, toolsets=[_replaced(part, visit) for part in toolset.toolsets])
    if not isinstance(toolset, WrapperToolset):
        return toolset.visit_and_replace(visit)
    if toolset.visit_and_replace(lambda leaf: leaf) is toolset:
        return visit(toolset)
    return replace(toolset, wrapped=_replaced(toolset.wrapped, visit))
