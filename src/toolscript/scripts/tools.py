"""The last link: the agent's tools, called by pydantic-ai's `ToolManager` as on a direct call, and their results."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, Generic

import pydantic_core
from pydantic import ValidationError
from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability, CombinedCapability
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tool_manager import ToolManager
from pydantic_ai.tools import AgentDepsT, DeferredToolRequests, DeferredToolResults, ToolDefinition, ToolDenied
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool

from toolscript.approvals.pending import PendingCall, PendingKind
from toolscript.catalog.function_metadata import takes_files
from toolscript.durability.call_cache import unknown_outcome
from toolscript.durability.journal import CallRaised, CallWaits, Finished
from toolscript.results.tool_errors import (
    ENDS_THE_RUN,
    denied,
    expected_error,
    raised_by_activity,
    report,
    unexpected_error,
)
from toolscript.results.values import Frozen, frozen, jsonable
from toolscript.routing.placement import with_definition
from toolscript.run_code.functions import CodeFunctions
from toolscript_sandbox import ToolError

from .nested_call import NestedCall, Result, ScriptContext, Source


@dataclass
class ToolResults(Generic[AgentDepsT]):
    """Converts what tools return or raise into the outcomes of one script's calls."""

    script: ScriptContext[AgentDepsT]

    async def finished(self, call: NestedCall, given: object) -> Finished:
        """Return the outcome of a call whose tool returned `given`: JSON, with handles for files."""
        self.script.running.check_open()
        taken = given if isinstance(given, Frozen) else await frozen(call.part.tool_name, given, self.script.limits)
        if taken.files:
            self.script.state.run.files.by_id.update(taken.files)
        if taken.taken.too_large:
            failure = taken.taken.failure(self.script.functions.catalog.of(call.part.tool_name).name)
            return Finished(taken.taken.value, taken.returned, too_large=failure.message)
        self._note(call, taken.taken.changes)
        value = taken.taken.value
        if self.script.files is not None and taken.files:
            from toolscript.sessions.files import with_paths

            paths, changes = await self.script.files.left(taken.files)
            self._note(call, changes)
            value = with_paths(value, paths)
        return Finished(value, taken.returned, dict(taken.files))

    def failed(self, call: NestedCall, error: Exception, source: Source, *, reached: bool = False) -> Result:
        """Return the result of a call that raised `error`. `reached`: its tool had accepted the arguments."""
        raised = raised_by_activity(error)
        raised = unknown_outcome(call.part.tool_name) if raised is None else raised
        if isinstance(raised, ENDS_THE_RUN):
            raise raised
        self.script.running.check_open()
        # A validation error in a tool that has accepted its arguments says nothing about these.
        meant = None if reached and isinstance(raised, ValidationError) else expected_error(call.part.tool_name, raised)
        failure = meant or self._unexpected(call, raised)
        ends_the_run = meant is None and self.script.tool_errors == 'raise'
        return Result(CallRaised.of(failure), source, error if ends_the_run else None)

    async def with_files(self, call: NestedCall, part: ToolCallPart) -> ToolCallPart:
        """Return the part with files in place of their paths. Raises `ToolError` if a file does not exist."""
        if self.script.files is None or call.callee is None or not takes_files(call.callee.tool_def):
            return part
        try:
            return replace(part, args=await self.script.files.given(part.args_as_dict()))
        except OSError as error:
            raise ToolError(type(error).__name__, str(error)) from error

    def _unexpected(self, call: NestedCall, error: Exception) -> ToolError:
        script, name = self.script, call.part.tool_name
        reference = report(name, error, script.ctx, call.id, script.span)
        return unexpected_error(name, error, reference, with_message=script.tool_errors == 'message')

    def _note(self, call: NestedCall, changes: Iterable[str]) -> None:
        for change in changes:
            self.script.notes[f'{call.part.tool_name}: {change}'] = None


@dataclass
class CallTool(Generic[AgentDepsT]):
    """Calls the tool, with validation, hooks, timeouts and spans as on a direct call."""

    manager: ToolManager[AgentDepsT]
    named: 'NamedTools'
    results: ToolResults[AgentDepsT]

    async def __call__(self, call: NestedCall) -> Result:
        approval, part = call.approval, call.part
        self.named.add(part.tool_name)
        if approval is not None and approval.override_args is not None:
            part = replace(part, args=approval.override_args)
        try:
            part = await self.results.with_files(call, part)
        except ToolError as error:
            return self.results.failed(call, error, 'refusal')

        async def decided(_: DeferredToolRequests, results: DeferredToolResults) -> None:
            call.decided(results.to_tool_call_results()[call.id])

        try:
            if approval is None:
                given = await self.manager.handle_call(part, wrap_validation_errors=False, on_inline_deferred=decided)
            else:
                given = await self.manager.handle_call(
                    part, approved=True, metadata=call.metadata, wrap_validation_errors=False
                )
            if isinstance(given, ToolDenied):
                # An inline handler returns its denial as a value.
                raise denied(part.tool_name, given)
        except ApprovalRequired as wanted:
            return Result(CallWaits(self.pending(call, 'approval', wanted.metadata)), 'tool')
        except CallDeferred as wanted:
            return Result(CallWaits(self.pending(call, _kind_of(wanted), wanted.metadata)), 'tool')
        except Exception as error:
            return self.results.failed(call, error, 'tool', reached=call.reached)
        return Result(await self.results.finished(call, given), 'tool')

    async def validate(self, call: NestedCall) -> Result | None:
        """Return the result of a call whose arguments the tool refuses; `None` if it accepts them."""
        self.named.add(call.part.tool_name)
        try:
            await self.manager.validate_tool_call(call.part, wrap_validation_errors=False)
        except Exception as error:
            return self.results.failed(call, error, 'tool')
        return None

    def pending(self, call: NestedCall, kind: PendingKind, metadata: dict[str, Any] | None = None) -> PendingCall:
        self.named.add(call.part.tool_name)
        tool_def = self.manager.get_tool_def(call.part.tool_name) or ToolDefinition(name=call.part.tool_name)
        return call.pending(kind, tool_def, self.results.script.id, _plain(metadata))


def _kind_of(wanted: CallDeferred) -> PendingKind:
    # Older versions of pydantic-ai have no kinds.
    return 'question' if getattr(wanted, 'kind', None) == 'question' else 'external'


def _plain(metadata: dict[str, Any] | None) -> dict[str, Any] | None:
    # In the form in which stores and requests return it, because what was shown is compared with what waits.
    return None if metadata is None else jsonable(metadata, partial(pydantic_core.to_jsonable_python, fallback=str))


class CodeToolset(AbstractToolset[AgentDepsT]):
    """The tools of one step that code may call, each called by its owner. Records each start in the journal."""

    def __init__(self, functions: CodeFunctions[AgentDepsT], started: Callable[[str | None], Awaitable[None]]) -> None:
        """`started` gets the id of each call immediately before its tool is called."""
        self._functions = functions
        self._started = started

    @property
    def id(self) -> str | None:
        return None

    async def get_tools(self, ctx: RunContext[AgentDepsT]) -> dict[str, ToolsetTool[AgentDepsT]]:
        """Return the tools, none of them deferred, because a script that names one has found it."""
        tools = self._functions.tools
        return {name: _available(code_tool.tool, ctx.max_retries) for name, code_tool in tools.items()}

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[AgentDepsT], tool: ToolsetTool[AgentDepsT]
    ) -> Any:
        """Call the tool through the toolset that listed it, after validation of its arguments and all decisions.

        Raises:
            StrayCancellation: The tool was cancelled from within, and not the task that awaits it. Passed on,
                that would end the run silently, as if its owner had wanted it.
        """
        await self._started(ctx.tool_call_id)
        try:
            return await self._functions.tools[name].owner.call_tool(name, tool_args, ctx, tool)
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            raise StrayCancellation(_STRAY) from error


class StrayCancellation(RuntimeError):
    """A tool was cancelled from within: by a task that it had cancelled itself, or by a client that died meanwhile."""


_STRAY = (
    'The tool raised CancelledError, although no one cancelled the call or the run. Catch it in the tool, '
    'around the await of the cancelled task.'
)


class NamedTools(dict[str, ToolsetTool[Any]]):
    """The tools of a step that calls have named: each is added only before its first call."""

    def __init__(self, functions: CodeFunctions[Any], max_retries: int) -> None:
        super().__init__()
        self._functions = functions
        self._max_retries = max_retries

    def add(self, name: str) -> None:
        if name not in self:
            self[name] = _available(self._functions.tools[name].tool, self._max_retries)


def _available(tool: ToolsetTool[AgentDepsT], max_retries: int) -> ToolsetTool[AgentDepsT]:
    """Return the tool as a script has it: loaded, and retried as often as the script is."""
    loaded = with_definition(tool, defer_loading=False) if tool.tool_def.defer_loading else tool
    return replace(loaded, max_retries=max_retries)


# Each capability of an agent is called before, around and after each call, with its own copy of the run's context.
# Those that every agent has do nothing then, and most agents have no others. A script makes thousands of calls, so a
# capability that would do nothing is not called.

_MOMENTS = ('before_', 'after_', 'wrap_', 'on_', 'handle_')
HOOKS = frozenset(name for name in dir(AbstractCapability) if 'tool' in name and name.startswith(_MOMENTS))
"""The methods by which a capability takes part in a call of a tool, in the installed version of pydantic-ai."""


def with_tool_hooks(root: AbstractCapability[AgentDepsT] | None) -> AbstractCapability[AgentDepsT] | None:
    """Return the capabilities, for calling tools; `None` if none of them takes part in that."""
    if type(root) is not CombinedCapability:
        return root
    parts = list[AbstractCapability[AgentDepsT]]()
    root.apply(parts.append)
    return root if any(map(_takes_part, parts)) else None


def _takes_part(capability: AbstractCapability[AgentDepsT]) -> bool:
    # A hook may also be set on the object.
    return _have_hooks(type(capability)) or not HOOKS.isdisjoint(getattr(capability, '__dict__', ()))


@lru_cache(maxsize=256)
def _have_hooks(kind: type[AbstractCapability[Any]]) -> bool:
    return any(getattr(kind, name) is not getattr(AbstractCapability, name) for name in HOOKS)
