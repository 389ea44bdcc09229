"""A span for each snippet and one for its check; spans of its calls are its children."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import Tracer

from tests.corpus.table import TABLE, answer
from toolscript_sandbox import Call, Sandbox, Tracing


class Traced:
    def __init__(self) -> None:
        self._exporter, provider = InMemorySpanExporter(), TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(self._exporter))
        self.tracer: Tracer = provider.get_tracer('test')

    @property
    def spans(self) -> tuple[ReadableSpan, ...]:
        return self._exporter.get_finished_spans()


async def test_without_content_spans_hold_only_kinds_and_counts() -> None:
    traced = Traced()
    async with Sandbox.shared().session() as session:
        await session.run('await get_usr(1)', TABLE, answer, tracing=Tracing(traced.tracer))
    check, snippet = traced.spans
    assert [span.status.is_ok for span in (check, snippet)] == [False, False]
    assert dict(check.attributes or {}) == {'toolscript.outcome': 'refused', 'error.type': 'types'}
    assert dict(snippet.attributes or {}) == {
        'toolscript.outcome': 'failed',
        'toolscript.calls': 0,
        'error.type': 'types',
    }


async def test_the_span_of_an_unchecked_snippet_says_so() -> None:
    traced = Traced()
    branches = 'import random\nx = 0\n' + '\n'.join(f'if random.random() > 0.{i + 1}: x = [x]' for i in range(30))
    async with Sandbox(check_seconds=0.1) as sandbox, sandbox.session() as session:
        await session.run(branches, TABLE, answer, tracing=Tracing(traced.tracer, include_content=True))
    check = traced.spans[0]
    attributes = dict(check.attributes or {})
    assert (attributes['toolscript.outcome'], attributes['error.type']) == ('unchecked', 'unchecked')
    assert 'was stopped after 0.1 s' in (check.status.description or '')


async def test_an_external_end_of_a_snippet_ends_its_span() -> None:
    traced = Traced()

    async def forever(call: Call) -> Any:
        begun.set()
        await asyncio.Event().wait()

    async def broken(call: Call) -> Any:
        raise ConnectionError

    async def run(dispatch: Any) -> None:
        async with Sandbox.shared().session() as session:
            await session.run('await get_user(1)', TABLE, dispatch, tracing=Tracing(traced.tracer))

    begun = asyncio.Event()
    task = asyncio.create_task(run(forever))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    with pytest.raises(ConnectionError):
        await run(broken)
    snippets = [dict(span.attributes or {}) for span in traced.spans if span.name == 'run script']
    assert snippets == [
        {'toolscript.outcome': 'cancelled', 'error.type': 'CancelledError'},
        {'toolscript.outcome': 'ended', 'error.type': 'ConnectionError'},
    ]
