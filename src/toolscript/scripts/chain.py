"""What happens to each call that a script makes: the links between the sandbox and the tool, and their order."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Generic

from opentelemetry import trace
from pydantic_ai import RunContext
from pydantic_ai.tool_manager import ParallelExecutionMode, ToolManager
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import FunctionToolset

from toolscript.catalog.result_shapes import ResultShapes
from toolscript.durability.journal import Journal
from toolscript.observability.tracing import is_instrumented
from toolscript.sessions.binary_files import BinaryFiles
from toolscript.sessions.functions_in_run import Saving
from toolscript_sandbox import Tracing

from .decided import Decided
from .event_buffer import EventBuffer, with_events
from .limited import InTurn, Limited
from .nested_call import CallReader, Kind, Link, ScriptContext
from .observed import Observed
from .recorded import CallRecord, Recorded
from .routes import GiveOutput, Search, refuse
from .saved_links import ChecksSaved, NotesSaved
from .spans import Spans
from .speculation import Speculated, Speculations
from .tool_results import ToolResults
from .tools import CallTool, CodeToolset, NamedTools, with_tool_hooks

if TYPE_CHECKING:
    from toolscript.flows.script_flows import ScriptFlows


@dataclass(frozen=True, kw_only=True)
class ChainOptions(Generic[AgentDepsT]):
    """What decides which links there are, and how they work."""

    mode: ParallelExecutionMode
    journal: Journal | None
    resumed: bool
    """Whether the journal may hold entries from before."""
    reuse: bool
    """Whether the results of calls of failed scripts are used."""
    plan: frozenset[str]
    """The tools that the script may call, as far as its text says."""
    tracing: Tracing | None
    shapes: ResultShapes | None
    speculations: Speculations[AgentDepsT] | None
    """Reads that started before the script."""
    saving: Saving | None
    """How the script saves functions, where it may."""
    files: BinaryFiles | None
    flows: 'ScriptFlows | None' = None
    """Where data comes from, if there are rules about that."""
    output_elsewhere: bool
    """Whether another script of the same step gave the output of the run."""


def chain(script: ScriptContext[AgentDepsT], options: ChainOptions[AgentDepsT]) -> Observed[AgentDepsT]:
    """The links of one script, put together from the tool outwards."""
    state, running = script.state, script.running
    events = EventBuffer(script.ctx)
    spans = None if options.tracing is None else Spans(options.tracing)
    record = CallRecord(state, running, options.journal)
    results = ToolResults(script, options.files)

    link: Link = _call_tool(script, options, record, events, results)
    if options.speculations is not None:
        link = Speculated(link, options.speculations, results, running)
    if options.flows is not None:
        from .flowed import AppliesFlowRules

        link = AppliesFlowRules(link, options.flows, script.id)
    link = Decided(link, state.approvals, results)
    if options.saving is not None:
        link = ChecksSaved(link, options.saving)
    link = Limited(link, script.ctx, running)
    if options.mode == 'sequential':
        link = InTurn(link)
    routes: Mapping[Kind, Link] = {
        'tool': link,
        'output': GiveOutput(script, results, options.output_elsewhere),
        'refused': refuse,
        **({} if script.functions.search is None else {'search': Search(script.functions.search, script, spans)}),
    }
    link = Recorded(routes, record, script.limits, options.reuse, options.resumed, options.plan)
    if options.flows is not None:
        from .flowed import NotesFlows

        link = NotesFlows(link, options.flows)
    if options.saving is not None:
        link = NotesSaved(link, options.saving)
    reader = CallReader(script, None if options.saving is None else options.saving.arguments)
    return Observed(link, script, reader, events, options.shapes, spans)


def execution_mode() -> ParallelExecutionMode:
    """How the run wants its calls made."""
    return ToolManager(toolset=FunctionToolset()).get_parallel_execution_mode()


def _call_tool(
    script: ScriptContext[AgentDepsT],
    options: ChainOptions[AgentDepsT],
    record: CallRecord,
    events: EventBuffer,
    results: ToolResults[AgentDepsT],
) -> CallTool[AgentDepsT]:
    ctx, functions = script.ctx, script.functions
    hooks = with_tool_hooks(ctx.root_capability)
    # Hooks get contexts of their own, which take long to make where they are not of pydantic-ai's own class.
    may_hold = hooks is None and type(ctx) is RunContext
    # A replay finds the same events between the same calls.
    events.holds = may_hold and options.mode != 'parallel_ordered_events' and not ctx.in_durable_context
    # What a call that asks for another try uses up is a try of the script, so it sees the script's count.
    retries = dict.fromkeys(functions.tools, ctx.retry) if ctx.retry else {}
    named = NamedTools(functions, ctx.max_retries)
    # What tools may hold holds no link: it would keep all of the run until the garbage collector comes.
    started = partial(_started, record, is_instrumented(ctx))
    manager = ToolManager(
        toolset=CodeToolset(functions, started),
        root_capability=hooks,
        ctx=with_events(ctx, events, retries=retries) if may_hold else replace(ctx, retries=retries),
        tools=named,
    )
    return CallTool(manager, named, results, script.id)


async def _started(record: CallRecord, instrumented: bool, call_id: str | None) -> None:
    call = record.running.calls.get(call_id or '')
    if call is None:
        return
    if instrumented and call.call.line is not None:
        trace.get_current_span().set_attribute('toolscript.line', call.call.line)
    await record.started(call)
