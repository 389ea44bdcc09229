"""The outermost link: reports each call of a script to the application, as events, spans and afterwards as data."""

import json
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic

from opentelemetry import trace
from opentelemetry.util.types import AttributeValue
from pydantic_ai.tools import AgentDepsT

from toolscript.approvals.pending import Plan
from toolscript.durability.journal import CallRaised, CallWaits, Finished, Outcome
from toolscript.observability.events import (
    EventBuffer,
    ScriptCallEvent,
    ScriptPauseEvent,
    ScriptPrintEvent,
    ScriptResultEvent,
)
from toolscript.observability.script_calls import (
    CALLS_KEY,
    MAX_CHARS,
    CallLog,
    Logged,
    ScriptCall,
    calls_to_json,
    preview,
)
from toolscript.workflows import clock_of
from toolscript_sandbox import Call, CallRecord, Deferred, Failed, PlainValue, Status, ToolError, Tracing, text_of

from .nested_call import CallReader, Link, NestedCall, Result, ScriptContext

_KINDS = {
    'speculation': 'speculative_result',
    'cache': 'reuse_result',
    'decision': 'outside_result',
    'output': 'give_output',
}
"""The kinds of spans, by the link that answered the call."""


def origins_of(call: NestedCall) -> list[str]:
    """Return where the arguments of a call come from, as `'to: fetch_page(...) in line 1'`."""
    return [f'{name}: {text}' for name, texts in (call.origins or {}).items() for text in texts]


@dataclass(frozen=True)
class Spans:
    """Writes the spans of a script's calls that pydantic-ai does not trace, because no tool was called."""

    tracing: Tracing

    def note(self, call: NestedCall, result: Result, began: int) -> None:
        """Write the span of an ended call, unless pydantic-ai has. `began`: in nanoseconds since the epoch."""
        if (kind := _kind(call, result)) is not None:
            with self._span(call, kind, result.span, began) as span:
                self.ended(span, result.outcome)

    def planned(self, span: trace.Span, plan: Plan) -> None:
        """Add an event to the script's span for each call that it will make."""
        for call in plan.to_ask:
            if call.row is not None:
                names = {'gen_ai.tool.name': call.tool_name, 'toolscript.row': plan.place(call.row.number)}
                arguments = self._content('gen_ai.tool.call.arguments', call.args)
                span.add_event('toolscript.planned', {**names, **arguments})

    @contextmanager
    def of_search(self, call: NestedCall) -> Generator[trace.Span]:
        with self._span(call, 'execute_tool', None, None) as span:
            span.set_attribute('gen_ai.operation.name', 'execute_tool')
            try:
                yield span
            except BaseException as error:
                self._failed(span, type(error).__qualname__, text_of(error, MAX_CHARS))
                raise

    def ended(self, span: trace.Span, outcome: Outcome) -> None:
        error = outcome if isinstance(outcome, CallRaised) else None
        if error is not None:
            self._failed(span, error.type_name, text_of(ToolError(error.type_name, error.message), MAX_CHARS))
        elif not isinstance(outcome, CallRaised | CallWaits):
            span.set_attributes(self._content('gen_ai.tool.call.result', outcome.value))

    @contextmanager
    def _span(
        self, call: NestedCall, kind: str, of_tool: trace.SpanContext | None, began: int | None
    ) -> Generator[trace.Span]:
        line = call.call.line
        with self.tracing.tracer.start_as_current_span(
            f'{kind} {call.part.tool_name}',
            attributes={
                **self.tracing.attributes,
                'gen_ai.tool.name': call.part.tool_name,
                'gen_ai.tool.call.id': call.id,
                **({} if line is None else {'toolscript.line': line}),
                **({} if call.planned_as is None else {'toolscript.row': call.planned_as}),
                **self._content('gen_ai.tool.call.arguments', call.part.args_as_dict()),
                **({'toolscript.origins': origins_of(call)} if call.origins and self.tracing.include_content else {}),
            },
            links=[] if of_tool is None else [trace.Link(of_tool)],
            start_time=began,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            yield span

    def _failed(self, span: trace.Span, kind: str, text: str) -> None:
        span.set_attribute('error.type', kind)
        span.set_status(trace.StatusCode.ERROR, (text if self.tracing.include_content else '') or kind)

    def _content(self, name: str, value: Any) -> dict[str, AttributeValue]:
        if not self.tracing.include_content:
            return {}
        seen = preview(value).value
        return {name: seen if isinstance(seen, str) else json.dumps(seen, default=str)}


def _kind(call: NestedCall, result: Result) -> str | None:
    """Return the kind of a call's span; `None` if pydantic-ai has written it."""
    if isinstance(result.outcome, CallWaits):
        return None if call.reached else 'defer_tool'
    if result.source in ('tool', 'search'):
        return None
    if result.source in ('decision', 'output') and isinstance(result.outcome, CallRaised):
        return 'refuse_call'
    return _KINDS.get(result.source, 'refuse_call')


_MAX_PRINTED = 4_000


@dataclass
class Observed(Generic[AgentDepsT]):
    next: Link
    script: ScriptContext[AgentDepsT]
    reader: CallReader[AgentDepsT]
    events: EventBuffer
    spans: Spans | None = None
    """`None` if the run is not traced."""
    _log: CallLog = field(init=False)
    _clock: Callable[[], float] = field(init=False)

    def __post_init__(self) -> None:
        self._log = self.script.state.log
        self._clock = clock_of(self.script.ctx)

    async def __call__(self, call: Call) -> Any:
        """Return the value of the call. Raises `Deferred` if the call needs an approval or a result from outside."""
        began, began_ns = self._clock(), time.time_ns()
        nested = self.reader.read(call)
        logged = await self._begins(nested)
        try:
            result = await self.next(nested)
        except BaseException:
            await self._ends(nested, logged, began, 'running')
            raise
        if self.spans is not None:
            self.spans.note(nested, result, began_ns)
        outcome = result.outcome
        if isinstance(outcome, CallWaits):
            await self._ends(nested, logged, began, 'waiting', result)
            raise Deferred
        if isinstance(outcome, CallRaised) or outcome.too_large:
            error = _error(outcome)
            await self._ends(nested, logged, began, 'failed', result, str(error))
            raise error
        self._log.gives(logged, outcome.value)
        if nested.kind == 'tool':
            self._see(nested, outcome.value)
        await self._ends(nested, logged, began, 'finished', result)
        # Values that applications received whole, and may change, are serialized once more.
        return PlainValue(outcome.value) if logged.truncated else outcome.value

    async def paused(self, call_ids: list[str], plan: Plan | None) -> None:
        """Report that the script waits for these calls, and for a decision about the rows of the plan."""
        rows = [] if plan is None else plan.to_ask
        await self.events.send(ScriptPauseEvent(call_ids=call_ids, planned=[row.to_json() for row in rows]))
        if self.spans is not None and plan is not None:
            self.spans.planned(self.script.span, plan)
        await self.events.flush()

    async def ended(self, stdout: str) -> None:
        """Report that the script has ended or paused; `stdout` is everything that it printed."""
        if news := stdout[self._log.stdout_chars :]:
            await self._prints(news)
        await self.events.flush()

    def calls(self, records: Iterable[CallRecord]) -> list[ScriptCall]:
        returned = self.script.state.returned
        return [self._as_data(record, getattr(returned.get(record.call.id), 'metadata', None)) for record in records]

    def failed(self, outcome: Failed) -> dict[str, Any]:
        return {
            'tool_call_id': self.script.id,
            'code': outcome.code,
            'error': outcome.error.message,
            CALLS_KEY: calls_to_json(self.calls(outcome.calls)),
        }

    def _as_data(self, record: CallRecord, metadata: Any) -> ScriptCall:
        call = record.call
        logged = self._log.calls.get(call.id)
        if logged is None:
            part = self.reader.read(call).part
            logged = Logged(part.tool_name, part.args_as_dict())
        return ScriptCall(
            tool_call_id=f'{self.script.id}__{call.id}',
            function=call.function,
            status=record.status,
            error=record.error,
            line=record.call.line,
            metadata=metadata,
            **vars(logged),
        )

    def _see(self, call: NestedCall, value: Any) -> None:
        self.script.seen[call.part.tool_name] = value
        if self.script.shapes is not None and call.callee is not None:
            self.script.shapes.see(call.callee.tool_def, value)

    async def _prints(self, text: str) -> None:
        self._log.stdout_chars += len(text)
        await self.events.send(ScriptPrintEvent(text=text[-_MAX_PRINTED:]))

    async def _begins(self, call: NestedCall) -> Logged:
        if call.call.stdout:
            await self._prints(call.call.stdout)
        logged = self._log.begins(call.number, call.part.tool_name, call.part.args_as_dict())
        event = ScriptCallEvent(
            tool_call_id=self.script.id,
            tool_name=logged.tool_name,
            call_id=call.id,
            arguments=dict(logged.arguments),
            line=call.call.line,
        )
        await self.events.send(event)
        return logged

    async def _ends(
        self,
        call: NestedCall,
        logged: Logged,
        began: float,
        status: Status,
        result: Result | None = None,
        error: str | None = None,
    ) -> None:
        if self.script.running.is_closed:
            return
        logged.seconds = self._clock() - began
        if result is not None:
            logged.reused, logged.speculative = result.source == 'cache', result.source == 'speculation'
        if call.origins is not None:
            logged.origins = call.origins
        logged.row = call.planned_as
        if call.decision is not None:
            self._log.decided(logged, call.decision, call.changed_arguments)
        event = ScriptResultEvent(
            tool_call_id=self.script.id,
            tool_name=logged.tool_name,
            call_id=call.id,
            status=status,
            result=logged.result,
            truncated=logged.truncated,
            error=error,
            seconds=logged.seconds,
            reused=logged.reused,
            speculative=logged.speculative,
            origins=logged.origins,
            row=logged.row,
        )
        await self.events.send(event)


def _error(outcome: Finished | CallRaised) -> ToolError:
    if isinstance(outcome, CallRaised):
        return ToolError(outcome.type_name, outcome.message)
    return ToolError('RuntimeError', outcome.too_large)
