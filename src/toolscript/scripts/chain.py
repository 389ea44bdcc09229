"""The links that each call of a script passes between the sandbox and the tool, and their order."""

from collections.abc import Awaitable, Callable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Protocol

from opentelemetry import trace
from pydantic_ai import RunContext
from pydantic_ai.tool_manager import ParallelExecutionMode, ToolManager
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import FunctionToolset

from toolscript.approvals.pending import PendingCall
from toolscript.catalog.result_shapes import ResultShapes
from toolscript.durability.changes import Changes
from toolscript.durability.journal import Journal
from toolscript.durability.script_state import ScriptState
from toolscript.observability.events import EventBuffer, with_events
from toolscript.observability.tracing import is_instrumented
from toolscript.sessions.binary_files import BinaryFiles
from toolscript.sessions.functions_in_run import Saving
from toolscript_sandbox import Call, HostClock, Tracing

from .conditions import ChecksSaved, Decided, InTurn, Limited, NotesSaved
from .nested_call import CallReader, Kind, Link, NestedCall, Result, ScriptContext
from .observed import Observed
from .recorded import CallRecorder, Recorded
from .routes import GiveOutput, Search, refuse
from .spans import Spans, origins_of
from .speculation import Speculated, Speculations
from .tools import CallTool, CodeToolset, NamedTools, ToolResults, with_tool_hooks

if TYPE_CHECKING:
    from toolscript.flows.script_flows import ScriptFlows


@dataclass(frozen=True, kw_only=True)
class ChainOptions(Generic[AgentDepsT]):
    """The options that decide which links there are, and how they work."""

    mode: ParallelExecutionMode
    journal: Journal | None
    resumed: bool
    """Whether the journal may have entries from before the script resumed."""
    reuse: bool
    """Whether the results of calls of failed scripts are reused."""
    plan: frozenset[str]
    """The tools that the script may call, according to its text."""
    tracing: Tracing | None
    shapes: ResultShapes | None
    speculations: Speculations[AgentDepsT] | None
    saving: Saving | None
    files: BinaryFiles | None
    flows: 'ScriptFlows | None' = None
    """The origins of data, if there are rules about them."""
    output_elsewhere: bool
    """Whether another script of the same step gave the output of the run."""
    changes: Changes | None = None
    """The record of calls that can be undone, if some can."""
    planner: 'Planning | None' = None


class Planning(Protocol):
    """Plans the changing calls of scripts."""

    clock: HostClock

    def asks(self, link: Link, tool: CallTool[Any], /) -> Link:
        """Returns the link that makes changing calls wait."""
        ...

    def commits(self, link: Link, state: ScriptState, /) -> Link:
        """Returns the link that enforces the plan."""
        ...

    async def plan(self, chain: 'PreviewChain', state: ScriptState, execution: bytes, code: str, /) -> None:
        """Find out what a paused script will do, and add that to its pending calls."""
        ...


def chain(script: ScriptContext[AgentDepsT], options: ChainOptions[AgentDepsT]) -> Observed[AgentDepsT]:
    """Returns the links of one script, built from the tool outwards."""
    state, running = script.state, script.running
    events = EventBuffer(script.ctx)
    spans = None if options.tracing is None else Spans(options.tracing)
    record = CallRecorder(state, running, options.journal, options.changes)
    results = ToolResults(script, options.files)

    link = tool = _call_tool(script, options, record, events, results)
    if options.speculations is not None:
        link = Speculated(link, options.speculations, results, running)
    if options.flows is not None:
        from .flowed import AppliesFlowRules

        link = AppliesFlowRules(link, options.flows, script.id)
    if options.planner is not None:
        link = options.planner.asks(link, tool)
    link = Decided(link, state.approvals, results)
    if options.planner is not None:
        link = options.planner.commits(link, state)
    if options.saving is not None:
        link = ChecksSaved(link, options.saving)
    link = Limited(link, script.ctx, running)
    if options.mode == 'sequential':
        link = InTurn(link)
    routes = _routes(link, script, results, options, spans)
    link = Recorded(routes, record, script.limits, options.reuse, options.resumed, options.plan)
    if options.flows is not None:
        from .flowed import NotesFlows

        link = NotesFlows(link, options.flows)
    if options.saving is not None:
        link = NotesSaved(link, options.saving)
    reader = CallReader(script, None if options.saving is None else options.saving.arguments)
    return Observed(link, script, reader, events, options.shapes, spans)


def _routes(
    tools: Link, script: ScriptContext[Any], results: ToolResults[Any], options: ChainOptions[Any], spans: Spans | None
) -> Mapping[Kind, Link]:
    search = script.functions.search
    return {
        'tool': tools,
        'output': GiveOutput(script, results, options.output_elsewhere),
        'refused': refuse,
        **({} if search is None else {'search': Search(search, script, spans)}),
    }


class PreviewChain:
    """The links for previews of one script: nothing is observed, recorded or counted.

    Each preview has a copy of the script's state. It reuses results of failed scripts as the script would; all other
    calls of tools go to a link that decides which of them happen.
    """

    def __init__(self, script: ScriptContext[Any], options: ChainOptions[Any]) -> None:
        self.functions = script.functions
        self.script_id = script.id
        self._script = script
        self._options = options
        self._content = replace(script.state, execution=b'', waits=True).to_bytes()
        self._tool = self._call_tool(self._copy())

    def links(self, answers: 'PreviewLink') -> Callable[[Call], Awaitable[Result]]:
        """Returns the handler of a preview's calls; `answers` gets those of tools, and a link that makes them."""
        script, options = self._copy(), self._options
        answers.next = self._call_tool(script)
        routes = _routes(answers, script, ToolResults(script), options, None)
        record = CallRecorder(script.state, script.running)
        link = Recorded(routes, record, script.limits, options.reuse, False, options.plan)
        reader = CallReader(script, None if options.saving is None else options.saving.arguments)

        async def dispatch(call: Call) -> Result:
            return await link(reader.read(call))

        return dispatch

    async def validate(self, call: NestedCall) -> Result | None:
        """Returns the result of a call whose arguments the tool refuses; `None` if it accepts them."""
        return await self._tool.validate(call)

    def pending(self, call: NestedCall) -> PendingCall:
        """Returns the call as one that waits for an approval."""
        return self._tool.pending(call, 'approval')

    def _call_tool(self, script: ScriptContext[Any]) -> CallTool[Any]:
        record = CallRecorder(script.state, script.running)
        return _call_tool(script, self._options, record, EventBuffer(script.ctx), ToolResults(script), is_seen=False)

    def _copy(self) -> ScriptContext[Any]:
        script = self._script
        ctx = replace(script.ctx, usage=copy(script.ctx.usage))
        state = ScriptState.from_bytes(self._content)
        return ScriptContext(script.functions, ctx, script.id, state, script.limits, script.tool_errors)


class PreviewLink(Protocol):
    """Decides which calls of a preview happen."""

    next: Link | None
    """The link that really makes a call."""

    async def __call__(self, call: NestedCall, /) -> Result:
        """Returns the result of a call."""
        ...


def execution_mode() -> ParallelExecutionMode:
    return ToolManager(toolset=FunctionToolset()).get_parallel_execution_mode()


def _call_tool(
    script: ScriptContext[AgentDepsT],
    options: ChainOptions[AgentDepsT],
    record: CallRecorder,
    events: EventBuffer,
    results: ToolResults[AgentDepsT],
    *,
    is_seen: bool = True,
) -> CallTool[AgentDepsT]:
    ctx, functions = script.ctx, script.functions
    hooks = with_tool_hooks(ctx.root_capability)
    # Hooks get contexts of their own, which are slow to create unless they are of pydantic-ai's own class.
    may_hold = is_seen and hooks is None and type(ctx) is RunContext
    # A replay finds the same events between the same calls.
    events.holds = may_hold and options.mode != 'parallel_ordered_events' and not ctx.in_durable_context
    # A call that asks for a retry uses up a retry of the script, so it sees the script's count.
    retries = dict.fromkeys(functions.tools, ctx.retry) if ctx.retry else {}
    named = NamedTools(functions, ctx.max_retries)
    # Objects that tools may hold must not hold a link, which would keep the whole run until garbage collection.
    instrumented = is_instrumented(ctx)
    started = partial(_started, record, instrumented, instrumented and ctx.trace_include_content)
    manager = ToolManager(
        toolset=CodeToolset(functions, started),
        root_capability=hooks,
        ctx=with_events(ctx, events, retries=retries) if may_hold else replace(ctx, retries=retries),
        tools=named,
    )
    return CallTool(manager, named, results, script.id)


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
