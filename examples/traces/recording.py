"""The spans of the returns desk: of the run that pauses and of the one that continues."""

from collections.abc import Sequence

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai.tools import DeferredToolRequests

from toolscript import pending_calls, resolve

from .returns_desk import returns_desk


async def record() -> Sequence[ReadableSpan]:
    """Run the desk, approve what it asks for, and let it continue."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    desk = returns_desk(InstrumentationSettings(tracer_provider=provider))
    await desk.run(_QUESTION)
    # The first run of a process starts workers and checkers, whose spans are not of interest here.
    exporter.clear()
    paused = await desk.run(_QUESTION)
    assert isinstance(paused.output, DeferredToolRequests)
    approved = resolve(paused.output, {call.tool_call_id: True for call in pending_calls(paused.output)})
    await desk.run(message_history=paused.all_messages(), deferred_tool_results=approved)
    return exporter.get_finished_spans()


_QUESTION = 'What became of the orders of customer 7? Refund those that are lost.'
