"""A returns desk whose scripted model behaves like a real one: it makes a mistake, fixes it, and needs an approval."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic_ai import Agent, ModelMessage
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.messages import ModelResponse
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai.tools import DeferredToolRequests

from toolscript import (
    CodeModeToolset,
    FunctionToolset,
    SearchableToolset,
    Snapshots,
    SpeculativeReads,
    pending_calls,
    resolve,
)

SCRIPTS = (
    """\
orders = await orders_of(customer='Ada')
""",
    """\
import asyncio
orders = await orders_of(customer=7)
states = await asyncio.gather(*[parcel(order=order) for order in orders])
lost = [order for order, state in zip(orders, states) if state == 'lost']
await note(text=f'lost: {lost}')
lost[0]['id']
""",
    """\
await note(text=f'lost: {lost}')
found = await search_tools('refund')
await refund(order=lost[0])
""",
)

tools = FunctionToolset[object]()
_READS = {'read_only': True}


@tools.tool_plain(metadata=_READS)
async def orders_of(customer: int) -> list[int]:
    """The orders of a customer."""
    await asyncio.sleep(0.25)
    return [customer * 10 + number for number in range(3)]


@tools.tool_plain(metadata=_READS)
async def parcel(order: int) -> str:
    """Where the parcel of an order is."""
    await asyncio.sleep(0.15 + order % 3 * 0.06)
    return 'lost' if order % 10 == 1 else 'delivered'


@tools.tool_plain
async def note(text: str) -> None:
    """Write something into the customer's file."""
    await asyncio.sleep(0.05)


@tools.tool_plain(requires_approval=True, defer_loading=True)
async def refund(order: int) -> str:
    """Refund an order."""
    await asyncio.sleep(0.2)
    return f'order {order} is refunded'


def returns_desk(settings: InstrumentationSettings) -> Agent[object, str | DeferredToolRequests]:
    """Return the agent with this instrumentation."""
    return Agent(
        FunctionModel(stream_function=_write, model_name='scripted'),
        name='returns',
        output_type=[str, DeferredToolRequests],
        toolsets=[CodeModeToolset(SearchableToolset(tools), snapshots=Snapshots(key='only for this example'))],
        capabilities=[Instrumentation(settings), SpeculativeReads()],
    )


async def _write(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
    """Stream the next script at the speed of a fast model; after the last one, a sentence."""
    written = sum(isinstance(message, ModelResponse) for message in messages)
    await asyncio.sleep(0.2)
    if written == len(SCRIPTS):
        yield 'The lost order is refunded.'
        return
    yield {0: DeltaToolCall('run_code', '{"code": "')}
    for line in SCRIPTS[written].splitlines(keepends=True):
        await asyncio.sleep(0.08)
        yield {0: DeltaToolCall(json_args=json.dumps(line)[1:-1])}
    yield {0: DeltaToolCall(json_args='"}')}


async def record() -> Sequence[ReadableSpan]:
    """Run the desk, approve what it asks for, and let it continue. Returns the spans of both runs."""
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
