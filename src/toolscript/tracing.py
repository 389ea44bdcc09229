"""Who traces a run, and what its spans are linked to."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from opentelemetry import trace
from opentelemetry.baggage import get_baggage
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from opentelemetry.util.types import AttributeValue
from pydantic_ai import RunContext

from toolscript_sandbox import Tracing


def is_instrumented(ctx: RunContext[Any]) -> bool:
    """Whether pydantic-ai writes spans for the run, to which something may be added."""
    return not isinstance(ctx.tracer, trace.NoOpTracer)


def tracing_of(ctx: RunContext[Any]) -> Tracing | None:
    """Where spans of a run's scripts go, and whether they hold content; `None` where nobody instruments it.

    Nor in workflows of durable engines: those replay a run, and its spans would be written again.
    """
    if not is_instrumented(ctx) or ctx.in_durable_context:
        return None
    values = {key: get_baggage(key) for key in _OF_RUN}
    attributes = {key: value for key, value in values.items() if isinstance(value, str)}
    return Tracing(ctx.tracer, ctx.trace_include_content, attributes)


def linked(tracing: Tracing, traceparent: str | None, attributes: Mapping[str, AttributeValue]) -> Tracing:
    """The same for a snippet that has to do with another span, which may be of another trace."""
    context = _PROPAGATOR.extract({} if traceparent is None else {'traceparent': traceparent})
    span = trace.get_current_span(context).get_span_context()
    return replace(
        tracing, links=[trace.Link(span)] if span.is_valid else [], attributes={**tracing.attributes, **attributes}
    )


def traceparent_of(span: trace.Span) -> str | None:
    """The span in a form that can be kept, W3C's; `None` for one that nobody records."""
    carrier = dict[str, str]()
    _PROPAGATOR.inject(carrier, trace.set_span_in_context(span))
    return carrier.get('traceparent')


_PROPAGATOR = TraceContextTextMapPropagator()
_OF_RUN = ('gen_ai.agent.name', 'gen_ai.agent.call.id', 'gen_ai.conversation.id')
"""What pydantic-ai says of a run on the spans of its tools."""
