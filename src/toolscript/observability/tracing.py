"""How a run is traced: where its spans go, what they are linked to, and what they say about its tools."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from opentelemetry import trace
from opentelemetry.baggage import get_baggage
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from opentelemetry.util.types import AttributeValue
from pydantic_ai import RunContext

from toolscript_sandbox import Tracing


def is_instrumented(ctx: RunContext[Any]) -> bool:
    """Return whether pydantic-ai writes spans for the run, to which something may be added."""
    return not isinstance(ctx.tracer, trace.NoOpTracer)


def tracing_of(ctx: RunContext[Any]) -> Tracing | None:
    """Return where spans of a run's scripts go, and whether they have content; `None` without instrumentation.

    Also `None` in workflows of durable engines, which replay a run and would write its spans again.
    """
    if not is_instrumented(ctx) or ctx.in_durable_context:
        return None
    values = {key: get_baggage(key) for key in _OF_RUN}
    attributes = {key: value for key, value in values.items() if isinstance(value, str)}
    return Tracing(ctx.tracer, ctx.trace_include_content, attributes)


def linked(tracing: Tracing, traceparent: str | None, attributes: Mapping[str, AttributeValue]) -> Tracing:
    """Return the same, linked to another span that a script belongs to, which may be of another trace."""
    context = _PROPAGATOR.extract({} if traceparent is None else {'traceparent': traceparent})
    span = trace.get_current_span(context).get_span_context()
    return replace(
        tracing, links=[trace.Link(span)] if span.is_valid else [], attributes={**tracing.attributes, **attributes}
    )


def traceparent_of(span: trace.Span) -> str | None:
    """Return the span in W3C's form, which can be stored; `None` if it is not recorded."""
    carrier = dict[str, str]()
    _PROPAGATOR.inject(carrier, trace.set_span_in_context(span))
    return carrier.get('traceparent')


_PROPAGATOR = TraceContextTextMapPropagator()
_OF_RUN = ('gen_ai.agent.name', 'gen_ai.agent.call.id', 'gen_ai.conversation.id')
"""What pydantic-ai says about a run on the spans of its tools."""


def report_catalog(ctx: RunContext[Any], *, functions: int, shown: int, description: str) -> None:
    """Record the size of a step's catalog on the run's span, if there is one.

    The attributes are `toolscript.catalog.functions`, `toolscript.catalog.shown` and `toolscript.catalog.tokens`.
    """
    span = trace.get_current_span()
    if not is_instrumented(ctx) or not span.is_recording():
        return
    from toolscript_signatures import estimate_tokens

    numbers = {'functions': functions, 'shown': shown, 'tokens': estimate_tokens(description)}
    span.set_attributes({f'toolscript.catalog.{key}': value for key, value in numbers.items()})


_logger = logging.getLogger('toolscript.search')


def report_search(ctx: RunContext[Any], *, deferred: int, eager: int, added: bool) -> None:
    """Record the numbers of a step on the run's span, and log those of a run's first step.

    The attributes are `toolscript.search.deferred`, `toolscript.search.eager` and `toolscript.search.added`.
    """

    numbers = {'deferred': deferred, 'eager': eager, 'added': added}
    if is_instrumented(ctx):
        trace.get_current_span().set_attributes({f'toolscript.search.{key}': value for key, value in numbers.items()})
    if ctx.run_step <= 1:
        text = 'tool search: %d deferred tools, %d eager tools, search %s'
        _logger.info(text, deferred, eager, 'added' if added else 'not added')


def report_found(ctx: RunContext[Any], algorithm: object, names: Sequence[str]) -> None:
    """Record what a search found on the current span, which is the search's own.

    The attributes are `toolscript.search.algorithm`, `toolscript.search.found` and `toolscript.search.names`, at most
    20 of them.
    """
    if not is_instrumented(ctx):
        return
    name = algorithm if isinstance(algorithm, str) else 'own' if callable(algorithm) else 'ranked'
    found = {'algorithm': name, 'found': len(names), 'names': list(names[:_MAX_NAMES])}
    trace.get_current_span().set_attributes({f'toolscript.search.{key}': value for key, value in found.items()})


_MAX_NAMES = 20
