"""The links that each call of a script passes between the sandbox and the tool, and their order."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from opentelemetry import trace
from pydantic_ai import RunContext
from pydantic_ai.tool_manager import ParallelExecutionMode, ToolManager
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import FunctionToolset

from toolscript.durability.script_state import ScriptState
from toolscript.observability.events import EventBuffer, with_events
from toolscript.observability.tracing import is_instrumented
from toolscript_sandbox import HostClock

from .conditions import ChecksSaved, Decided, InTurn, Limited, NotesSaved
from .nested_call import CallReader, Kind, Link, ScriptContext
from .observed import Observed, Spans, origins_of
from .recorded import CallRecorder, Recorded
from .routes import GiveOutput, Search, refuse
from .speculation import Speculated, Speculations
from .tools import CallTool, CodeToolset, NamedTools, ToolResults, with_tool_hooks


class Planning(Protocol):
    """Plans the changing calls of scripts."""

    clock: HostClock

    def asks(self, link: Link, tool: CallTool[Any], /) -> Link:
        """Returns the link that makes changing calls wait."""
        ...

    def commits(self, link: Link, state: ScriptState, /) -> Link:
        """Returns the link that enforces the plan."""
        ...

    async def plan(self, script: ScriptContext[Any], execution: bytes, code: str, /) -> None:
        """Find out what a paused script will do, and add that to its pending calls."""
        ...


def chain(
    script: ScriptContext[AgentDepsT],
    *,
    speculations: Speculations[AgentDepsT] | None = None,
    planner: Planning | None = None,
) -> Observed[AgentDepsT]:
    """Returns the links of one script, built from the tool outwards."""
    state, running, flows, saving = script.state, script.running, script.flows, script.saving
    events = EventBuffer(script.ctx)
    spans = None if script.tracing is None else Spans(script.tracing)
    record = CallRecorder(state, running, script.journal, script.changes)
    results = ToolResults(script)

    link = tool = call_tool(results, record, events)
    if speculations is not None:
        link = Speculated(link, speculations, results, running)
    if flows is not None:
        from .flowed import AppliesFlowRules

        link = AppliesFlowRules(link, flows, script.id)
    if planner is not None:
        link = planner.asks(link, tool)
    link = Decided(link, state.approvals, results)
    if planner is not None:
        link = planner.commits(link, state)
    if saving is not None:
        link = ChecksSaved(link, saving)
    link = Limited(link, script.ctx, running)
    if _execution_mode() == 'sequential':
        link = InTurn(link)
    link = Recorded(routes(link, results, spans), record, script)
    if flows is not None:
        from .flowed import NotesFlows

        link = NotesFlows(link, flows)
    if saving is not None:
        link = NotesSaved(link, saving)
    return Observed(link, script, CallReader(script), events, spans)


def routes(tools: Link, results: ToolResults[Any], spans: Spans | None = None) -> Mapping[Kind, Link]:
    """Returns the links for each kind of call; `tools` is the link for calls of tools."""
    script, search = results.script, results.script.functions.search
    return {
        'tool': tools,
        'output': GiveOutput(script, results),
        'refused': refuse,
        **({} if search is None else {'search': Search(search, script, spans)}),
    }


def _execution_mode() -> ParallelExecutionMode:
    return ToolManager(toolset=FunctionToolset()).get_parallel_execution_mode()


def call_tool(
    results: ToolResults[AgentDepsT], record: CallRecorder, events: EventBuffer | None = None
) -> CallTool[AgentDepsT]:
    """Returns the last link. Without `events`, the application sees none of the calls."""
    script = results.script
    ctx, functions = script.ctx, script.functions
    hooks = with_tool_hooks(ctx.root_capability)
    # A call that asks for a retry uses up a retry of the script, so it sees the script's count.
    retries = dict.fromkeys(functions.tools, ctx.retry) if ctx.retry else {}
    named = NamedTools(functions, ctx.max_retries)
    # Objects that tools may hold must not hold a link, which would keep the whole run until garbage collection.
    instrumented = is_instrumented(ctx)
    started = partial(_started, record, instrumented, instrumented and ctx.trace_include_content)
    # Hooks get contexts of their own, which are slow to create unless they are of pydantic-ai's own class.
    if events is not None and hooks is None and type(ctx) is RunContext:
        # A replay finds the same events between the same calls.
        events.holds = _execution_mode() != 'parallel_ordered_events' and not ctx.in_durable_context
        ctx = with_events(ctx, events, retries=retries)
    else:
        ctx = replace(ctx, retries=retries)
    manager = ToolManager(toolset=CodeToolset(functions, started), root_capability=hooks, ctx=ctx, tools=named)
    return CallTool(manager, named, results)


async def _started(record: CallRecorder, instrumented: bool, with_content: bool, call_id: str | None) -> None:
    call = record.running.calls.get(call_id or '')
    if call is None:
        return
    if instrumented and call.call.line is not None:
        trace.get_current_span().set_attribute('toolscript.line', call.call.line)
    if with_content and call.origins:
        trace.get_current_span().set_attribute('toolscript.origins', origins_of(call))
    if instrumented and call.planned_as is not None:
        trace.get_current_span().set_attribute('toolscript.row', call.planned_as)
    await record.started(call)
