"""Spans for the calls of a script that pydantic-ai does not trace.

If a tool is called, pydantic-ai writes the span, as on a direct call. Calls that a search, the record or a decision
answers get their spans here, so that each call of a script has one.
"""

import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from opentelemetry import trace
from opentelemetry.util.types import AttributeValue

from toolscript.approvals.pending import Plan
from toolscript.durability.journal import CallRaised, CallWaits, Outcome
from toolscript.observability.script_calls import MOST_CHARS, preview
from toolscript_sandbox import ToolError, Tracing, text_of

from .nested_call import NestedCall, Result

_KINDS = {
    'speculation': 'speculative_result',
    'cache': 'reuse_result',
    'decision': 'outside_result',
    'output': 'give_output',
}
"""The kinds of spans, by the link that answered the call."""


def origins_of(call: NestedCall) -> list[str]:
    """Returns where the arguments of a call come from, as `'to: fetch_page(...) in line 1'`."""
    return [f'{name}: {text}' for name, texts in (call.origins or {}).items() for text in texts]


@dataclass(frozen=True)
class Spans:
    """Writes the spans of one script's calls."""

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
                self._failed(span, type(error).__qualname__, text_of(error, MOST_CHARS))
                raise

    def ended(self, span: trace.Span, outcome: Outcome) -> None:
        error = outcome if isinstance(outcome, CallRaised) else None
        if error is not None:
            self._failed(span, error.type_name, text_of(ToolError(error.type_name, error.message), MOST_CHARS))
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
    """Returns the kind of a call's span; `None` if pydantic-ai has written it."""
    if isinstance(result.outcome, CallWaits):
        return None if call.reached else 'defer_tool'
    if result.source in ('tool', 'search'):
        return None
    if result.source in ('decision', 'output') and isinstance(result.outcome, CallRaised):
        return 'refuse_call'
    return _KINDS.get(result.source, 'refuse_call')
