"""The way of one call from a script to the agent's real tool."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Generic

from opentelemetry import trace
from pydantic import ValidationError
from pydantic_ai import RunContext
from pydantic_ai.exceptions import ModelRetry
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tool_manager import ToolManager
from pydantic_ai.tools import AgentDepsT

from toolscript.approvals.approvals import Verdicts
from toolscript.catalog.file_types import takes_files
from toolscript.catalog.result_shapes import ResultShapes
from toolscript.discovery.search_options import DiscoveredToolInfo
from toolscript.discovery.search_tool import SearchTool
from toolscript.discovery.searchable_toolset import search
from toolscript.durability.call_cache import Once, Outgoing, TooLate
from toolscript.durability.journal import Started, Waits
from toolscript.durability.remembered import Result
from toolscript.observability.tracing import is_instrumented, tracing_of
from toolscript.results.tool_errors import (
    ENDS_THE_RUN,
    ToolErrors,
    meant_error,
    report,
    report_left_behind,
    unexpected_error,
)
from toolscript.results.values import Files, Frozen, Returned, frozen
from toolscript.routing.placement import SEARCH_IN_CODE
from toolscript.run_code.code_output import AnswerTool
from toolscript.run_code.functions import CodeFunctions
from toolscript.sessions.binary_files import BinaryFiles, with_paths
from toolscript.sessions.saved_function import SAVE_FUNCTION
from toolscript_sandbox import Call, CallRecord, Deferred, Limits, PlainValue, ToolError, Tracing, serialize

from .callee import Callee, callee_of
from .code_output import Given
from .code_toolset import CodeToolset, NamedTools, with_tool_hooks
from .event_buffer import HeldEvents, telling
from .saved_functions import Saving
from .speculation import EarlyCall, EarlyCalls
from .tool_runner import StillWaits, ToolRunner

SEARCH_PARAMETERS = ('query', 'max_results')


@dataclass
class Dispatcher(Generic[AgentDepsT]):
    """Sends the calls of one snippet to the agent's tools, by the way of direct calls."""

    functions: CodeFunctions[AgentDepsT]
    ctx: RunContext[AgentDepsT]
    run_code_id: str
    files: Files
    result_shapes: ResultShapes | None
    verdicts: Verdicts
    once: Once
    tool_errors: ToolErrors
    given: Given
    limits: Limits
    early: EarlyCalls[AgentDepsT] | None = None
    """Reads that were started before the snippet."""
    saving: Saving | None = None
    """How the snippet keeps functions, where it may."""
    binary: BinaryFiles | None = None
    """Where the bytes of files are, where scripts have a folder for them."""
    returned: dict[int, Returned] = field(default_factory=dict[int, Returned])
    loose: dict[int, Returned] = field(default_factory=dict[int, Returned])
    """Those of them that stand in no page."""
    found: dict[str, None] = field(default_factory=dict[str, None])
    """Names of the deferred tools that the snippet found, in order."""
    pauses: int = 0
    """How often the snippet has paused."""
    pages: int = 0
    """How many pages of its calls are kept."""
    ended: dict[int, CallRecord] = field(default_factory=dict[int, CallRecord])
    """The calls that ended and are in no page, by number."""
    seen: dict[str, Any] = field(default_factory=dict[str, Any])
    """By tool, the last result that the snippet saw of it."""
    named: NamedTools = field(init=False)
    """The tools that the snippet has called."""
    manager: ToolManager[AgentDepsT] = field(init=False)
    runner: ToolRunner[AgentDepsT] = field(init=False)
    events: HeldEvents = field(init=False)
    """What is told to whoever watches the run."""
    changes: dict[str, None] = field(default_factory=dict[str, None])
    """What of the results could not be kept as it was, by tool."""
    reached: set[str] = field(default_factory=set[str])
    """Ids of the calls whose tool was called."""
    ordered: bool = field(init=False)
    """Whether the run wants the same calls in the same order when it is replayed."""
    sequential: bool = field(init=False)
    """Whether the run wants one call after the other."""
    tracing: Tracing | None = field(init=False)
    """`None` where nobody traces the run."""
    _under_way: dict[str, Outgoing] = field(default_factory=dict[str, Outgoing])
    """By the ids that the agent knows them by."""
    span: trace.Span = field(default_factory=trace.get_current_span)
    """That of the `run_code` call."""
    _last: tuple[Call, ToolCallPart] | None = None
    """The last call that was asked for: it is told before it is made."""
    _callees: dict[str, Callee[AgentDepsT]] = field(init=False)
    """By Python name, what the snippet has called."""
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        ctx = self.ctx
        starts = partial(_starts, self.once, self._under_way, self.reached, instrumented=is_instrumented(ctx))
        self._callees = {}
        self.named = NamedTools(self.functions, ctx.max_retries)
        self.events = HeldEvents(ctx)
        hooks = with_tool_hooks(ctx.root_capability)
        # Hooks get contexts of their own, whose making is dear where they are not of pydantic-ai's own class.
        may_hold = hooks is None and type(ctx) is RunContext
        # What a call that asks for another try uses up is a try of the script, so it is told the script's count.
        retries = dict.fromkeys(self.functions.tools, ctx.retry) if ctx.retry else {}
        self.manager = ToolManager(
            toolset=CodeToolset(self.functions, starts),
            root_capability=hooks,
            ctx=telling(ctx, self.events, retries=retries) if may_hold else replace(ctx, retries=retries),
            tools=self.named,
        )
        self.runner = ToolRunner(self.manager, self.verdicts, self.run_code_id)
        self.tracing = tracing_of(ctx)
        mode = self.manager.get_parallel_execution_mode()
        self.ordered, self.sequential = mode == 'parallel_ordered_events', mode == 'sequential'
        # A replay finds the same events between the same calls.
        self.events.holds = may_hold and not self.ordered

    def give_files(self, binary: BinaryFiles | None) -> None:
        """Let calls take files by their paths, and leave those that they give in a folder, where there is one."""
        self.binary = binary
        self.runner.filled = None if binary is None else partial(_with_files, self.functions, binary)

    async def __call__(self, call: Call) -> Any:
        """Run one call and give its value for the script, `PlainValue` if a tool gave it.

        Raises:
            ToolError: The tool failed or refused its arguments; the script may catch it.
            Deferred: The call needs an approval or a result from outside.
            UsageLimitExceeded: The run may make no further tool call.
        """
        if call.function == SEARCH_IN_CODE and self.functions.search is not None:
            return await self._search(call, self.functions.search)
        part = self.part(call)
        callee = self._callees[call.function]
        outgoing = Outgoing(call.id, part, callee.may_run_again, callee.effect, call.line)
        self.once.meets(outgoing)
        if callee.answer is not None:
            return self._give(callee.answer, part)
        if callee.is_deferred:
            self.found[part.tool_name] = None
        earlier = await self._earlier(outgoing)
        if earlier is None:
            value = await (self._in_its_turn(outgoing) if self.sequential else self._limited(outgoing))
        else:
            value = await self._given(call, earlier)
            self._see(part.tool_name, value.value)
        if self.saving is not None and part.tool_name == SAVE_FUNCTION:
            self.saving.saved(part.args_as_dict())
        return value

    def close(self) -> None:
        """The script has ended. Calls that are still under way outlived their cancellation, and are left behind."""
        self.once.is_closed = True
        for call in self._under_way.values():
            report_left_behind(call.part.tool_name, self.ctx, call.part.tool_call_id, self.span)

    def part(self, call: Call) -> ToolCallPart:
        """The call as the agent knows it: the tool's own name, JSON arguments, an id below the snippet's.

        Raises:
            ToolError: The arguments do not fit the function's parameters.
        """
        if self._last is not None and self._last[0] is call:
            return self._last[1]
        callee = self._callees.get(call.function) or self._met(call.function)
        function = callee.function
        try:
            arguments = function.arguments(call.args, call.kwargs)
        except TypeError as error:
            raise ToolError('TypeError', str(error)) from error
        if self.saving is not None and function.spec.name == SAVE_FUNCTION:
            arguments = self.saving.arguments(arguments)
        self._last = call, ToolCallPart(function.spec.name, arguments, f'{self.run_code_id}__{call.id}')
        return self._last[1]

    def _met(self, name: str) -> Callee[AgentDepsT]:
        """What the snippet calls for the first time."""
        function = self.functions.catalog.get(name)
        if function is None:
            raise ToolError('NameError', self.functions.hint(name) or f'{name} is not defined')
        self.named.take_in(function.spec.name)
        self._callees[name] = callee_of(function, self.functions)
        return self._callees[name]

    async def _earlier(self, call: Outgoing) -> Result | None:
        """The result of a call that ran before."""
        recorded = await self.once.recorded(call) if self.once.may_be_recorded else None
        if recorded is None:
            return self.once.remembered(call)
        if isinstance(recorded, Started) and self.verdicts.undecided(call.part.tool_call_id):
            # It waits, as the state says; only a lost journal can have it that it started.
            return None
        if isinstance(recorded, Waits):
            if recorded.call.tool_call_id == call.part.tool_call_id:
                self.verdicts.waiting.setdefault(call.part.tool_call_id, recorded.call)
            return None
        self.verdicts.used_before(call.part)
        return self.once.outcome(call, recorded)

    async def _in_its_turn(self, call: Outgoing) -> Any:
        async with self._turn:
            return await self._limited(call)

    async def _limited(self, call: Outgoing) -> Any:
        """Count the call while it runs: upstream counts calls once they are done and would let a `gather` overshoot."""
        limits, usage = self.ctx.usage_limits, self.ctx.usage
        if limits is not None and limits.tool_calls_limit is not None:
            # The snippet's own call is not counted yet either.
            pending = usage.tool_calls + len(self._under_way) + 2
            limits.check_before_tool_call(replace(usage, tool_calls=pending))
        self._under_way[call.part.tool_call_id] = call
        try:
            return await self._run(call)
        finally:
            del self._under_way[call.part.tool_call_id]

    async def _run(self, call: Outgoing) -> Any:
        early: EarlyCall | None = None
        try:
            if self.saving is not None and call.part.tool_name == SAVE_FUNCTION:
                await self.saving.check(call.part.args_as_dict())
            decision = self.runner.decision(call.part)
            early = None if decision is not None or self.early is None else await self._early(call, self.early)
            given = await self.runner.run(call.part, decision, early)
            if self.once.is_closed:
                raise TooLate
            result = await self._result(call, given)
        except StillWaits as wanted:
            if self.once.is_closed:
                raise TooLate from wanted
            await self.once.waits(call, wanted.pending)
            raise Deferred from wanted
        except ENDS_THE_RUN:
            raise
        except Exception as error:
            if self.once.is_closed:
                raise TooLate from error
            meant = self._meant(call.part, error, early)
            failed = meant or self._unexpected(call.part, error)
            await self.once.fails(call, failed)
            self.verdicts.used(call.part.tool_call_id)
            if self.tool_errors == 'raise' and meant is None:
                raise
            raise failed from error
        if self.once.is_closed:
            raise TooLate
        await self.once.finishes(call, result)
        self.verdicts.used(call.part.tool_call_id)
        value = result.given()
        self._see(call.part.tool_name, value)
        return PlainValue(value)

    def _give(self, tool: AnswerTool[AgentDepsT], part: ToolCallPart) -> None:
        try:
            self.given.give(tool, part, self.ctx.validation_context)
        except Exception as error:
            meant = meant_error(part.tool_name, error)
            if self.tool_errors == 'raise' and meant is None:
                raise
            raise meant or self._unexpected(part, error) from error

    async def _early(self, call: Outgoing, started: EarlyCalls[AgentDepsT]) -> EarlyCall | None:
        """The same call, if it was started before the snippet."""
        alone = self.functions.tools[call.part.tool_name].tool.tool_def.sequential
        if alone or not call.only_reads:
            await started.discard()
        found = started.take(call)
        if found is None:
            await started.make_room(len(self._under_way))
        return found

    def _meant(self, part: ToolCallPart, error: Exception, early: EarlyCall | None) -> ToolError | None:
        if isinstance(error, ValidationError) and (
            part.tool_call_id in self.reached or (early is not None and early.reached)
        ):
            # The tool had taken its arguments: what it could not read is its own affair.
            return None
        return meant_error(part.tool_name, error)

    def _unexpected(self, part: ToolCallPart, error: Exception) -> ToolError:
        reference = report(part.tool_name, error, self.ctx, part.tool_call_id, self.span)
        return unexpected_error(part.tool_name, error, reference, with_message=self.tool_errors == 'message')

    def _see(self, tool_name: str, value: Any) -> None:
        self.seen[tool_name] = value
        if self.result_shapes is not None:
            self.result_shapes.see(self.functions.tools[tool_name].tool.tool_def, value)

    async def _result(self, call: Outgoing, result: Any) -> Result:
        kept = result if isinstance(result, Frozen) else await frozen(call.part.tool_name, result, self.limits)
        if kept.files:
            self.files.by_id.update(kept.files)
        if kept.returned is not None:
            self._leave(call.number, kept.returned)
        if kept.taken.too_large:
            failure = kept.taken.failure(self.functions.catalog.of(call.part.tool_name).name)
            return Result(kept.taken.value, kept.returned, too_large=failure.message)
        if kept.taken.changes:
            self._note_changes(call, kept.taken.changes)
        value = kept.taken.value
        if self.binary is not None and kept.files:
            paths, told = await self.binary.left(kept.files)
            self._note_changes(call, told)
            value = with_paths(value, paths)
        return Result(value, kept.returned, dict(kept.files))

    def _leave(self, number: int, returned: Returned) -> None:
        self.returned[number] = self.loose[number] = returned

    def _note_changes(self, call: Outgoing, changes: Iterable[str]) -> None:
        for change in changes:
            self.changes[f'{call.part.tool_name}: {change}'] = None

    async def _given(self, call: Call, result: Result) -> PlainValue:
        """The result of a call that ran before, as if it had run now."""
        self.files.by_id.update(result.files)
        if result.returned is not None:
            self._leave(call.id, result.returned)
        # The script must not share the value with the record of it.
        taken = await serialize(result.given(), most_heap=self.limits.result_heap_bytes)
        if taken.too_large:
            raise taken.failure(call.function)
        return PlainValue(taken.value)

    async def _search(self, call: Call, tool: SearchTool[AgentDepsT]) -> Any:
        query, limit = _search_arguments(call)
        try:
            found = await search(tool, self.ctx, query, limit)
        except ModelRetry as error:
            raise ToolError('ValueError', error.message) from error
        self.found.update(dict.fromkeys(info['name'] for info in found))
        return [self._callable_info(info) for info in found]

    def _callable_info(self, info: DiscoveredToolInfo) -> DiscoveredToolInfo:
        name = info['name']
        if name not in self.functions.tools:
            shown = self.functions.shown_name(name)
            return {**info, 'description': f'(Call the tool {shown} directly, outside of code, from the next step on.)'}
        function = self.functions.catalog.of(name)
        if name not in self.functions.crowded_out:
            return {**info, 'name': function.name}
        return {**info, 'name': function.name, 'signature': function.render('signature')}


# What the tools call back belongs to no dispatcher: one that its own tools held would stay, and all of its run with it,
# until the garbage collector comes.


async def _starts(
    once: Once, under_way: Mapping[str, Outgoing], reached: set[str], call_id: str | None, *, instrumented: bool
) -> None:
    call = under_way.get(call_id or '')
    if call is None:
        return
    reached.add(call.part.tool_call_id)
    if instrumented and call.line is not None:
        trace.get_current_span().set_attribute('toolscript.line', call.line)
    await once.starts(call)


async def _with_files(functions: CodeFunctions[Any], binary: BinaryFiles, part: ToolCallPart) -> ToolCallPart:
    """The call with the files themselves, where the script gave their paths.

    Raises:
        ToolError: One is not there.
    """
    if not takes_files(functions.tools[part.tool_name].tool.tool_def):
        return part
    try:
        return replace(part, args=await binary.given(part.args_as_dict()))
    except OSError as error:
        raise ToolError(type(error).__name__, str(error)) from error


def _search_arguments(call: Call) -> tuple[str, int | None]:
    given = dict(zip(SEARCH_PARAMETERS, call.args, strict=False)) | call.kwargs
    query, limit = given.pop('query', ''), given.pop('max_results', None)
    if given or len(call.args) > len(SEARCH_PARAMETERS) or not isinstance(query, str):
        raise ToolError('TypeError', f'{SEARCH_IN_CODE} takes (query: str, max_results: int = 5)')
    return query, limit if isinstance(limit, int) else None
