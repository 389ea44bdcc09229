"""A span per snippet; spans of its calls are its children."""

from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tests.corpus.table import TABLE, answer
from toolscript_sandbox import Call, Sandbox

pytestmark = pytest.mark.anyio


@pytest.fixture
def exporter(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    """Where spans end up for the length of a test."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, 'get_tracer', provider.get_tracer)
    return exporter


async def test_calls_are_children_of_their_snippet(exporter: InMemorySpanExporter) -> None:
    async def traced(call: Call) -> Any:
        with trace.get_tracer('test').start_as_current_span(call.function):
            return await answer(call)

    async with Sandbox.shared().session() as session:
        await session.run('```python\nawait get_user(1)\n```', TABLE, traced)
    call, snippet = exporter.get_finished_spans()
    assert (snippet.name, call.name) == ('run snippet', 'get_user')
    assert call.parent is not None
    assert snippet.context is not None
    assert call.parent.span_id == snippet.context.span_id
    assert dict(snippet.attributes or {}) == {
        'toolscript.code': '\nresult_1 = (await get_user(1)); result_1\n',
        'toolscript.repairs': ('Took the code out of its Markdown fence.',),
        'toolscript.outcome': 'completed',
        'toolscript.calls': 1,
    }
    assert [event.name for event in snippet.events] == ['checked']


async def test_a_failed_snippet_has_a_failed_span(exporter: InMemorySpanExporter) -> None:
    async with Sandbox.shared().session() as session:
        await session.run('await get_usr(1)', TABLE, answer)
    (span,) = exporter.get_finished_spans()
    assert not span.status.is_ok
    assert dict(span.attributes or {})['toolscript.error.kind'] == 'types'


async def test_the_span_of_a_snippet_that_could_not_be_checked_says_so(exporter: InMemorySpanExporter) -> None:
    branches = 'import random\nx = 0\n' + '\n'.join(f'if random.random() > 0.{i + 1}: x = [x]' for i in range(30))
    async with Sandbox(check_seconds=0.1) as sandbox, sandbox.session() as session:
        await session.run(branches, TABLE, answer)
    events = [event for span in exporter.get_finished_spans() for event in span.events]
    assert [event.name for event in events] == ['not checked']
    assert 'was stopped after 0.1 s' in str(dict(events[0].attributes or {})['reason'])
