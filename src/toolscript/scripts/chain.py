"""The links that each call of a script passes between the sandbox and the tool, and their order."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Protocol

from opentelemetry import trace
from pydantic_ai import ModelRetry, RunContext
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tool_manager import ParallelExecutionMode, ToolManager
from pydantic_ai.tools import AgentDepsT, DeferredToolRequests, DeferredToolResults
from pydantic_ai.toolsets import FunctionToolset
from pydantic_core import to_json

from toolscript.discovery.search_options import DiscoveredToolInfo
from toolscript.discovery.search_tool import SearchTool
from toolscript.discovery.searchable_toolset import search
from toolscript.durability.journal import CallRaised, Finished
from toolscript.durability.script_state import ScriptState
from toolscript.observability.events import EventBuffer, with_events
from toolscript.observability.tracing import is_instrumented
from toolscript.results.final_answer import FinalAnswer
from toolscript.routing.placement import SEARCH_IN_CODE
from toolscript.run_code.code_output import AnswerTool
from toolscript_sandbox import Call, HostClock, ToolError

from .conditions import Decided, Limited, SavingChecked, SavingRecorded, Sequential
from .nested_call import SEARCH_PARAMETERS, CallReader, Kind, Link, NestedCall, Result, ScriptContext
from .observed import Observed, Spans, origins_of
from .recorded import CallRecorder, Recorded
from .tools import CallTool, CodeToolset, NamedTools, ToolResults, with_tool_hooks

if TYPE_CHECKING:
    from .speculation import Speculations


class Planning(Protocol):
    """Plans the changing calls of scripts."""

    clock: HostClock

    def asks(self, link: Link, tool: CallTool[Any], /) -> Link:
        """Return the link that makes changing calls wait."""
        ...

    def commits(self, link: Link, state: ScriptState, /) -> Link:
        """Return the link that enforces the plan."""
        ...

    async def plan(self, script: ScriptContext[Any], execution: bytes, code: str, /) -> None:
        """Find out what a paused script will do, and add that to its pending calls."""
        ...


def chain(
    script: ScriptContext[AgentDepsT],
    *,
    speculations: 'Speculations[AgentDepsT] | None' = None,
    planner: Planning | None = None,
) -> Observed[AgentDepsT]:
    """Return the links of one script, built from the tool outwards."""
    state, running, flows, saving = script.state, script.running, script.flows, script.saving
    events = EventBuffer(script.ctx)
    spans = None if script.tracing is None else Spans(script.tracing)
    record = CallRecorder(state, running, script.journal, script.changes)
    results = ToolResults(script)

    link = tool = call_tool(results, record, events)
    if speculations is not None:
        from .speculation import Speculated

        link = Speculated(link, speculations, results, running)
    if flows is not None:
        from .flowed import FlowChecked

        link = FlowChecked(link, flows, script.id)
    if planner is not None:
        link = planner.asks(link, tool)
    link = Decided(link, state.approvals, results)
    if planner is not None:
        link = planner.commits(link, state)
    if saving is not None:
        link = SavingChecked(link, saving)
    link = Limited(link, script.ctx, running)
    if _execution_mode() == 'sequential':
        link = Sequential(link)
    link = Recorded(routes(link, results, spans), record, script)
    if flows is not None:
        from .flowed import FlowRecorded

        link = FlowRecorded(link, flows)
    if saving is not None:
        link = SavingRecorded(link, saving)
    return Observed(link, script, CallReader(script), events, spans)


def routes(tools: Link, results: ToolResults[Any], spans: Spans | None = None) -> Mapping[Kind, Link]:
    """Return the links for each kind of call; `tools` is the link for calls of tools."""
    script, search = results.script, results.script.functions.search
    return {
        'tool': tools,
        'output': OutputRoute(script, results),
        'refused': refuse,
        **({} if search is None else {'search': Search(search, script, spans)}),
    }


def _execution_mode() -> ParallelExecutionMode:
    return ToolManager(toolset=FunctionToolset()).get_parallel_execution_mode()


def call_tool(
    results: ToolResults[AgentDepsT], record: CallRecorder, events: EventBuffer | None = None
) -> CallTool[AgentDepsT]:
    """Return the last link. Without `events`, the application sees none of the calls."""
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
    kind = _UnansweredCalls[AgentDepsT] if events is None else ToolManager[AgentDepsT]
    manager = kind(toolset=CodeToolset(functions, started), root_capability=hooks, ctx=ctx, tools=named)
    return CallTool(manager, named, results)


class _UnansweredCalls(ToolManager[AgentDepsT]):
    """Tools whose questions reach no handler: the application sees none of their calls."""

    async def resolve_deferred_tool_calls(self, requests: DeferredToolRequests) -> DeferredToolResults | None:
        return None


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


async def refuse(call: NestedCall) -> Result:
    assert call.refusal is not None
    return Result(CallRaised.of(call.refusal), 'refusal')


@dataclass
class Search(Generic[AgentDepsT]):
    tool: SearchTool[AgentDepsT]
    script: ScriptContext[AgentDepsT]
    spans: Spans | None = None

    async def __call__(self, call: NestedCall) -> Result:
        if self.spans is None:
            return await self._search(call.call)
        # The search's span is current meanwhile, so that the spans of an embedder, for example, are below it.
        with self.spans.of_search(call) as span:
            result = await self._search(call.call)
            self.spans.ended(span, result.outcome)
            return result

    async def _search(self, call: Call) -> Result:
        try:
            query, limit = _search_arguments(call)
            found = await search(self.tool, self.script.ctx, query, limit)
        except ToolError as error:
            return Result(CallRaised.of(error), 'search')
        except ModelRetry as error:
            return Result(CallRaised('ValueError', error.message), 'search')
        self.script.found.update(dict.fromkeys(info['name'] for info in found))
        return Result(Finished([self._callable_info(info) for info in found]), 'search')

    def _callable_info(self, info: DiscoveredToolInfo) -> DiscoveredToolInfo:
        name, functions = info['name'], self.script.functions
        if name not in functions.tools:
            shown = functions.shown_name(name)
            return {**info, 'description': f'(Call the tool {shown} directly, outside of code, from the next step on.)'}
        function = functions.catalog.of(name)
        if name not in functions.crowded_out:
            return {**info, 'name': function.name}
        return {**info, 'name': function.name, 'signature': function.render('signature')}


def _search_arguments(call: Call) -> tuple[str, int | None]:
    given = dict(zip(SEARCH_PARAMETERS, call.args, strict=False)) | call.kwargs
    query, limit = given.pop('query', ''), given.pop('max_results', None)
    if given or len(call.args) > len(SEARCH_PARAMETERS) or not isinstance(query, str):
        raise ToolError('TypeError', f'{SEARCH_IN_CODE} takes (query: str, max_results: int = 5)')
    return query, limit if isinstance(limit, int) else None


@dataclass
class OutputRoute(Generic[AgentDepsT]):
    """The route of the functions by which a script gives the output of its run: only once, and the first counts."""

    script: ScriptContext[AgentDepsT]
    results: ToolResults[AgentDepsT]

    async def __call__(self, call: NestedCall) -> Result:
        """Accept the output. An invalid output raises the error of the output type in the script."""
        assert call.callee is not None
        assert call.callee.output is not None
        try:
            self._give(call.callee.output, call.part)
        except Exception as error:
            return self.results.failed(call, error, 'refusal')
        return Result(Finished(), 'output')

    def _give(self, tool: AnswerTool[Any], part: ToolCallPart) -> None:
        state = self.script.state
        if state.output is not None or self.script.output_elsewhere:
            which = 'This script' if state.output is not None else 'Another script'
            raise ToolError('RuntimeError', f'{which} has given the final answer already; it can be given only once.')
        arguments = part.args_as_dict()
        content = to_json(arguments).decode()
        tool.args_validator.validate_json(content, context=self.script.ctx.validation_context)
        match tool.form:
            case 'tool':
                state.output = FinalAnswer(content, part.tool_name)
            case 'json':
                state.output = FinalAnswer(content)
            case 'text':
                state.output = FinalAnswer(_text(arguments['text']))


def _text(text: str) -> str:
    if not text.strip():
        raise ToolError('ValueError', 'The final answer is empty.')
    return text
