"""Speculative reads: calls that run before the script that will make them.

A call of the script takes the result of an identical call that was started; each result is taken once. A call that
acts discards all remaining results, because reads after it may return something else.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Generic

from opentelemetry import trace
from pydantic_ai import RunContext, UsageLimitExceeded
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tool_manager import ToolManager
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.usage import RunUsage

from toolscript.approvals.pending import digest
from toolscript.guards import is_array
from toolscript.observability.tracing import is_instrumented
from toolscript.results.tool_errors import report_abandoned
from toolscript.results.values import Frozen, frozen
from toolscript.routing.effects import may_run_early
from toolscript.routing.placement import SEARCH_IN_CODE
from toolscript.run_code.functions import CodeFunctions
from toolscript.run_code.tool import Step
from toolscript_sandbox import Limits, NameKind, SpeculativeCall, Unknown, abandon, serialize, value_of

from .conditions import check_usage
from .nested_call import Link, NestedCall, Result, RunningCalls
from .tools import CodeToolset, NamedTools, ToolResults, with_tool_hooks


def kinds_of_names(step: Step[Any], variables: Collection[str]) -> Callable[[str], NameKind | None]:
    """Return a function that says what a name means.

    Args:
        step: The tools of the step in which the script is written. Read-only ones that the model was shown may start;
            a deferred one that the script finds may not.
        variables: Those that earlier scripts left, which may be functions that act.
    """
    functions, on_show = step.functions, {*step.always, *step.found}

    def kind_of(name: str) -> NameKind | None:
        if name in variables:
            return 'unseen'
        if name == SEARCH_IN_CODE and functions.search is not None:
            return 'reads'
        function = functions.catalog.get(name)
        if function is None:
            return None
        tool_def = functions.tools[function.spec.name].tool.tool_def
        if tool_def.kind != 'function' or tool_def.sequential or not may_run_early(tool_def):
            return 'acts'
        return 'starts' if function.spec.name in on_show else 'reads'

    return kind_of


@dataclass
class Speculated(Generic[AgentDepsT]):
    """The link that answers calls with speculative reads."""

    next: Link
    speculations: 'Speculations[AgentDepsT]'
    results: ToolResults[AgentDepsT]
    running: RunningCalls

    async def __call__(self, call: NestedCall) -> Result:
        """Return the result of the same call, if it was started before the script."""
        callee, speculations = call.callee, self.speculations
        if call.approval is not None or callee is None:
            return await self.next(call)
        if callee.tool_def.sequential or not callee.only_reads:
            await speculations.discard()
        found = speculations.take(call)
        if found is None:
            await speculations.make_room(len(self.running.calls))
            return await self.next(call)
        try:
            given = await found.result()
        except (ApprovalRequired, CallDeferred):
            # The script's own call requests decisions.
            return await self.next(call)
        except Exception as error:
            return self.results.failed(call, error, 'speculation', reached=found.reached)._replace(span=found.span)
        return Result(await self.results.finished(call, given), 'speculation', span=found.span)


@dataclass
class SpeculationCounts:
    """How many reads were started before their scripts, and how many of these were used."""

    started: int = 0
    used: int = 0


@dataclass(eq=False)
class Speculation:
    part: ToolCallPart
    usage: RunUsage
    """The usage of the run."""
    task: asyncio.Task[Frozen] = field(init=False)
    reached: bool = False
    """Whether the tool itself was called, not something in its place."""
    taken: bool = False
    """Whether the script has taken it."""
    left: bool = False
    """Whether it was abandoned."""
    uncounted: bool = False
    """Whether its tool call is missing from the run's usage."""
    span: trace.SpanContext = trace.INVALID_SPAN_CONTEXT
    """The span of the tool, if the run is traced."""

    async def result(self) -> Frozen:
        """Return its result to the script that took it, or raise its error."""
        result = await self.task
        if self.uncounted:
            self.uncounted = False
            self.usage.tool_calls += 1
        return result

    @property
    def status(self) -> str:
        """Its state; calls that still run when the script has ended are cancelled."""
        if not self.task.done() or self.task.cancelled():
            return 'cancelled'
        return 'finished' if self.task.exception() is None else 'failed'


class Speculations(Generic[AgentDepsT]):
    """The reads of one script that were started before it."""

    def __init__(
        self,
        functions: CodeFunctions[AgentDepsT],
        ctx: RunContext[AgentDepsT],
        run_code_id: str,
        *,
        limits: Limits,
        max_retries: int,
        counts: SpeculationCounts,
    ) -> None:
        """`ctx` is the context of the step, `run_code_id` the id of the call that the model is writing."""
        self._functions = functions
        self._ctx = ctx
        self._run_code_id = run_code_id
        self._limits = limits
        self._counts = counts
        self._named = NamedTools(functions, max_retries)
        self._manager = ToolManager(
            toolset=CodeToolset(functions, self._reaches),
            root_capability=with_tool_hooks(ctx.root_capability),
            ctx=ctx,
            tools=self._named,
        )
        self._slots = asyncio.Semaphore(limits.max_concurrent_calls)
        self._plans = dict[int, asyncio.Task[list[Speculation]]]()
        self._started = dict[str, Speculation]()
        self._free = dict[str, deque[Speculation]]()
        self._closed = False

    @property
    def unused(self) -> list[Speculation]:
        return [call for call in self._started.values() if not call.taken]

    def start(self, call: SpeculativeCall) -> None:
        """Start a call that the script will make, once the results are there that its arguments need."""
        self._plans[call.number] = asyncio.create_task(self._planned(call))

    async def settle(self) -> None:
        """Start nothing from now on; running calls continue."""
        self._closed = True
        await abandon(self._plans.values(), self._limits.cancel_grace_seconds)

    def take(self, call: NestedCall) -> Speculation | None:
        """Return the started call that is identical to one of the script, if there is one that is not taken."""
        waiting = self._free.get(call.digest)
        if not waiting:
            return None
        found = waiting.popleft()
        found.taken = True
        self._counts.used += 1
        return found

    async def make_room(self, own: int) -> None:
        """End some untaken calls, if too many would run at a time together with `own` calls of the script."""
        running = [call for call in self.unused if not call.task.done()]
        too_many = max(0, own + len(running) - self._limits.max_concurrent_calls)
        await self._drop(running[len(running) - too_many :])

    async def discard(self) -> None:
        """Discard what is not taken, because something is about to change."""
        await self.settle()
        await self._drop(self.unused)

    # -- start calls

    async def _planned(self, call: SpeculativeCall) -> list[Speculation]:
        results = {number: await self._given(number) for number in call.needs}
        return [await self._begun(part) for part in self._parts(call, results)]

    def _parts(self, call: SpeculativeCall, results: Mapping[int, object]) -> Iterator[ToolCallPart]:
        function = self._functions.catalog.get(call.function)
        items = [None] if call.over is None else value_of(call.over, results)
        if function is None or not is_array(items) or len(items) > self._limits.max_calls:
            raise Unknown
        for item in items:
            args = tuple(value_of(term, results, item) for term in call.args)
            kwargs = {name: value_of(term, results, item) for name, term in call.kwargs.items()}
            try:
                arguments = function.arguments(args, kwargs)
            except TypeError as error:
                raise Unknown from error
            self._named.add(function.spec.name)
            yield ToolCallPart(function.spec.name, arguments)

    async def _begun(self, part: ToolCallPart) -> Speculation:
        await self._slots.acquire()
        if self._closed or not self._is_within_limits():
            self._slots.release()
            raise Unknown
        part = replace(part, tool_call_id=f'{self._run_code_id}__speculative_{len(self._started) + 1}')
        call = self._started[part.tool_call_id] = Speculation(part, self._ctx.usage)
        self._counts.started += 1
        call.task = asyncio.create_task(self._run(call))
        call.task.add_done_callback(lambda _: self._slots.release())
        self._free.setdefault(digest(part.tool_name, part.args_as_dict()), deque()).append(call)
        return call

    def _is_within_limits(self) -> bool:
        count = len(self._started)
        try:
            check_usage(self._ctx, count)
        except UsageLimitExceeded:
            return False
        return count < self._limits.max_calls

    async def _run(self, call: Speculation) -> Frozen:
        # Not `handle_call`, which would ask a reviewer to approve a call that the script may never make.
        validated = await self._manager.validate_tool_call(call.part, wrap_validation_errors=False)
        result = await self._manager.execute_tool_call(validated, wrap_validation_errors=False)
        if call.reached and not call.taken:
            # Only calls that the script makes count against the limits of the run.
            call.uncounted = True
            call.usage.tool_calls -= 1
        return await frozen(call.part.tool_name, result, self._limits)

    async def _reaches(self, call_id: str | None) -> None:
        call = self._started.get(call_id or '')
        if call is None:
            return
        if call.left:
            raise asyncio.CancelledError('the call was abandoned')
        call.reached = True
        if is_instrumented(self._ctx):
            span = trace.get_current_span()
            span.set_attribute('toolscript.speculative', True)
            call.span = span.get_span_context()

    async def _given(self, number: int) -> object:
        """Return the result of a call, as the script will get it."""
        [call] = await self._plans[number]
        await asyncio.wait([call.task])
        if call.status != 'finished':
            raise Unknown
        # A tool may change its arguments, but the script must get the result as it was.
        return (await serialize(call.task.result().taken.value)).value

    async def _drop(self, calls: Collection[Speculation]) -> None:
        for waiting in self._free.values():
            for call in calls:
                with suppress(ValueError):
                    waiting.remove(call)
        leaving = [call for call in calls if not call.left]
        await abandon([call.task for call in leaving], self._limits.cancel_grace_seconds)
        for call in leaving:
            call.left = True
            if not call.task.done():
                report_abandoned(call.part.tool_name, self._ctx, call.part.tool_call_id, trace.get_current_span())
