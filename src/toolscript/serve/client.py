"""One MCP client: a session of code mode that lives as long as the client's connection."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from mcp_types import CallToolResult, LoggingLevel, TextContent, Tool, ToolAnnotations
from opentelemetry import trace
from pydantic import ValidationError
from pydantic_ai import ModelMessage, ModelRetry, ToolDenied, ToolReturn, UserError
from pydantic_ai.capabilities import HandleDeferredToolCalls
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, ToolFailed, UnexpectedModelBehavior
from pydantic_ai.messages import ModelRequest, ToolCallPart, ToolReturnPart
from pydantic_ai.models.test import TestModel
from pydantic_ai.tool_manager import ToolManager
from pydantic_ai.tools import DeferredToolRequests, ToolDefinition
from pydantic_ai.toolsets import AbstractToolset
from pydantic_ai.usage import RunUsage

from toolscript.approvals.pending import EFFECTS, paused_request
from toolscript.code_mode_toolset import CodeModeToolset
from toolscript.discovery.discoveries import DISCOVERED_KEY, SIGNATURES_KEY
from toolscript.guards import fields, strings
from toolscript.mcp.supervised_server import servers_note, servers_of
from toolscript.results.tool_errors import arguments_message, expected_error, report
from toolscript.routing.effects import annotations_of, read_only_of
from toolscript.routing.placement import RUN_CODE
from toolscript.scripts.answers import OBSERVED_KEY
from toolscript_signatures import without_invisible

from .approvals import Ask, SessionApprovals
from .contents import LongResults, called, failed
from .events import Listener, ServedContext

MAX_CALLS = 32
"""The maximum number of concurrent calls of one client."""
_STOP_SECONDS = 15.0

Changed = Callable[[], Awaitable[None]]
_CLIENT = TestModel(model_name='an MCP client')
"""Never called: the client has the model."""


@dataclass
class ServedClient:
    """The state of one client: its variables, found tools, approvals and long results."""

    toolset: AbstractToolset[None]
    """The toolset that all clients share; each has its own run of it."""
    max_chars: int
    """The maximum length of a returned result, in characters."""
    changed: Changed | None = None
    """Notifies the client that its tools have changed."""
    id: str = field(default_factory=lambda: uuid4().hex)
    level: LoggingLevel = 'info'
    """The minimum level of log messages that the client wants."""
    long_results: LongResults = field(default_factory=LongResults)
    approvals: SessionApprovals = field(default_factory=SessionApprovals)
    _scripts: asyncio.Lock = field(default_factory=asyncio.Lock)
    _known: dict[str, dict[str, None]] = field(default_factory=dict[str, dict[str, None]])
    """What was found, and what the client has read, in the format of a history's metadata."""
    _steps: int = 0
    _shown: list[Tool] | None = None
    _server_news: str | None = None
    _had_variables: bool = False
    _calls: set[asyncio.Task[CallToolResult]] = field(default_factory=set[asyncio.Task[CallToolResult]])
    _run: AbstractToolset[None] | None = None
    _ready: asyncio.Event = field(default_factory=asyncio.Event)
    _gone: asyncio.Event = field(default_factory=asyncio.Event)
    _failed: Exception | None = None

    async def live(self) -> None:
        """Run until `end`. The toolset is entered and exited in the same task, as its own tasks require."""
        try:
            self._run = await self.toolset.for_run(self._context())
            async with self._run:
                self._ready.set()
                await self._gone.wait()
                await self._stop_calls()
        except Exception as error:
            self._failed = error
            raise
        finally:
            self._ready.set()

    def end(self) -> None:
        """End the session: the client is gone, and nothing of it continues."""
        self._gone.set()

    async def tools(self) -> list[Tool]:
        """Return the client's current tools. Raises `UserError` if they cannot be served."""
        manager = await self._step(None, None)
        self._shown = self._listed(manager)
        self._watch_starts()
        return self._shown

    async def call(
        self, name: str, arguments: Mapping[str, Any], *, ask: Ask | None = None, listener: Listener | None = None
    ) -> CallToolResult:
        """Call a tool. Cancelling this also stops the call. `listener` receives the events of a running script."""
        if len(self._calls) >= MAX_CALLS:
            return failed(f'{MAX_CALLS} calls of this client are under way; wait for one of them to end.')
        # The server library's cancellation is raised again at each await, but cancelled code has to clean up.
        task = asyncio.create_task(self._call(name, arguments, ask, listener))
        self._calls.add(task)
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            task.cancel()
            raise
        finally:
            task.add_done_callback(self._calls.discard)
        if task.cancelled():
            return failed(f'{name} was stopped, because the server or its client is closing.')
        return task.result()

    async def _call(
        self, name: str, arguments: Mapping[str, Any], ask: Ask | None, listener: Listener | None
    ) -> CallToolResult:
        manager = await self._step(ask, listener)
        if name == RUN_CODE and name not in (manager.tools or {}):
            return failed(self._server_news_now() or 'There are no tools to call.')
        if name not in (manager.tools or {}) and len(self._known.get(DISCOVERED_KEY, ())) < _MAX_GUESSED:
            # A tool that is called by its exact name counts as found.
            self._note({DISCOVERED_KEY: [name[:_MAX_NAME]]})
        gone = self._had_variables and not self._has_variables()
        part = ToolCallPart(name, dict(arguments), f'call_{uuid4().hex}')
        try:
            answer = self._answer(part, await self._handled(manager, part, ask))
        except Exception as error:
            answer = failed(self._failure(manager, part, error))
        self._had_variables = self._has_variables()
        for news in (_GONE if gone else '', self._news()):
            if news:
                answer.content.append(TextContent(text=news))
        await self._notify_of_changes(name, manager)
        return answer

    async def _handled(self, manager: ToolManager[None], part: ToolCallPart, ask: Ask | None) -> Any:
        """Return the tool's result. A script that asks more than once is resumed each time."""
        given: dict[str, Any] = {}
        # Scripts share variables, so none starts while another one waits for an answer.
        async with self._scripts if part.tool_name == RUN_CODE else nullcontext():
            while True:
                try:
                    return await manager.handle_call(part, wrap_validation_errors=False, **given)
                except ApprovalRequired as wanted:
                    metadata = wanted.metadata or {}
                    if paused_request(part.tool_call_id, metadata) is None and EFFECTS not in metadata:
                        raise
                    requests = DeferredToolRequests(approvals=[part], metadata={part.tool_call_id: metadata})
                    results = await self.approvals.decide(requests, ask)
                    decision = results.approvals[part.tool_call_id]
                    if isinstance(decision, ToolDenied):
                        return decision
                    given = {'approved': True, 'metadata': results.metadata.get(part.tool_call_id)}

    def _answer(self, part: ToolCallPart, result: Any) -> CallToolResult:
        if isinstance(result, ToolDenied):
            return failed(f'{part.tool_name} was not approved: {result.message}')
        if isinstance(result, ToolReturn):
            self._note(result.metadata)
        return called(result, self.long_results, self.max_chars)

    def _failure(self, manager: ToolManager[None], part: ToolCallPart, error: Exception) -> str:
        match error:
            case ValidationError() if _are_refused(manager, part):
                return arguments_message(part.tool_name, error)
            case ModelRetry() | ToolFailed() | UnexpectedModelBehavior() | UserError():
                return str(error.message)
            case ApprovalRequired() | CallDeferred():
                return f'{part.tool_name} needs an answer that is not available here; continue without it.'
            case _:
                pass
        meant = None if isinstance(error, ValidationError) else expected_error(part.tool_name, error)
        if meant is not None:
            return str(meant)
        ctx = manager.ctx or self._context()
        reference = report(part.tool_name, error, ctx, part.tool_call_id, trace.INVALID_SPAN)
        own = type(error).__name__
        return f'{part.tool_name} failed with {own}; the log of toolscript serve has more, reference {reference}.'

    async def _step(self, ask: Ask | None, listener: Listener | None) -> ToolManager[None]:
        """Return the current tools, by caller."""
        await self._ready.wait()
        if self._run is None or self._gone.is_set():
            raise self._failed or UserError('The session has ended; connect again.')
        self._steps += 1
        ctx = self._context(listener)
        ctx.root_capability = HandleDeferredToolCalls[None](
            handler=lambda _, requests: self.approvals.decide(requests, ask)
        )
        manager = ToolManager[None](self._run, root_capability=ctx.root_capability, default_max_retries=_RETRIES)
        manager = await manager.for_run_step(ctx)
        # Instructions are requested before the tools in each step, because that finalizes the tools.
        await self._run.get_instructions(ctx)
        return manager

    def _context(self, listener: Listener | None = None) -> ServedContext:
        return ServedContext(
            deps=None,
            model=_CLIENT,
            usage=RunUsage(),
            messages=self._history(),
            max_retries=_RETRIES,
            run_step=max(self._steps, 1),
            run_id=self.id,
            conversation_id=self.id,
            listener=listener,
        )

    def _history(self) -> list[ModelMessage]:
        """Return one message that records what all earlier calls found, however many there were."""
        metadata = {key: list(names) for key, names in self._known.items()}
        return [ModelRequest([ToolReturnPart(RUN_CODE, '', 'before', metadata=metadata)])] if metadata else []

    def _note(self, metadata: object) -> None:
        values = fields(metadata)
        for key in (DISCOVERED_KEY, SIGNATURES_KEY, OBSERVED_KEY):
            if names := strings(values.get(key)):
                self._known.setdefault(key, {}).update(dict.fromkeys(names))

    def _listed(self, manager: ToolManager[None]) -> list[Tool]:
        servers = self._server_news = self._server_news_now()
        listed = [_as_tool(tool_def, servers) for tool_def in manager.tool_defs]
        if servers and not any(tool.name == RUN_CODE for tool in listed):
            # Without a tool, the model could not read why there are none.
            listed.append(Tool(name=RUN_CODE, description=servers, input_schema=_CODE))
        return listed

    def _has_variables(self) -> bool:
        run = self._run.run if isinstance(self._run, CodeModeToolset) else None
        return run is not None and bool(run.variables)

    def _server_news_now(self) -> str:
        return (servers_note(self._run) or '') if self._run is not None else ''

    def _news(self) -> str:
        """Return what has changed about the servers since the last call."""
        servers = self._server_news_now()
        news = servers if servers != self._server_news else ''
        self._server_news = servers
        return news

    async def _notify_of_changes(self, name: str, manager: ToolManager[None]) -> None:
        if self._shown is None or self.changed is None:
            return
        tools = self._listed(await self._step(None, None))
        if tools != self._shown:
            self._shown = tools
            with suppress(Exception):
                await self.changed()

    def _watch_starts(self) -> None:
        """Notify the client when servers that are still starting have their tools."""
        for server in servers_of(self._run) if self._run is not None else ():
            starting = server.state.starting
            if starting is not None and self.changed is not None:
                starting.add_done_callback(lambda _: asyncio.ensure_future(self._notify_of_start()))

    async def _notify_of_start(self) -> None:
        if self.changed is not None and not self._gone.is_set():
            with suppress(Exception):
                await self.changed()

    async def _stop_calls(self) -> None:
        calls = [*self._calls]
        for call in calls:
            call.cancel()
        if calls:
            await asyncio.wait(calls, timeout=_STOP_SECONDS)


_GONE = 'The previous script was stopped, so the variables of earlier scripts are gone.'
_CODE = {'type': 'object', 'properties': {'code': {'type': 'string'}}, 'required': ['code']}
_RETRIES = 3
_MAX_GUESSED = 20_000
_MAX_NAME = 128


def _as_tool(tool_def: ToolDefinition, servers: str) -> Tool:
    description = tool_def.description and without_invisible(tool_def.description)
    if tool_def.name == RUN_CODE and servers:
        description = f'{description}\n\n{servers}'
    read_only = read_only_of(tool_def)
    annotations = {**annotations_of(tool_def), **({} if read_only is None else {'readOnlyHint': read_only})}
    try:
        hints = ToolAnnotations.model_validate(annotations) if annotations else None
    except ValidationError:
        hints = None
    schema = {'type': 'object', **tool_def.parameters_json_schema}
    return Tool(name=tool_def.name, description=description, input_schema=schema, annotations=hints)


def _are_refused(manager: ToolManager[None], part: ToolCallPart) -> bool:
    """Return whether the arguments are invalid; a tool that accepted them may have failed to parse something else."""
    tool = (manager.tools or {}).get(part.tool_name)
    if tool is None:
        return True
    try:
        tool.args_validator.validate_python(part.args_as_dict())
    except ValidationError:
        return True
    return False
