"""Spans of runs, rendered as trees."""

from collections.abc import Iterator, Sequence
from typing import Any

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.models.instrumented import InstrumentationSettings


class Spans:
    """The spans of instrumented runs."""

    def __init__(self) -> None:
        self._exporter, self._provider = InMemorySpanExporter(), TracerProvider()
        self._provider.add_span_processor(SimpleSpanProcessor(self._exporter))

    def instrumentation(self, *, include_content: bool = True) -> Instrumentation:
        """Return the capability whose spans are collected."""
        settings = InstrumentationSettings(tracer_provider=self._provider, include_content=include_content)
        return Instrumentation(settings)

    @property
    def all(self) -> Sequence[ReadableSpan]:
        """The finished spans, in the order in which they started."""
        return sorted(self._exporter.get_finished_spans(), key=lambda span: span.start_time or 0)

    def named(self, name: str) -> ReadableSpan:
        """Return the one span of that name."""
        (span,) = [span for span in self.all if span.name == name]
        return span

    def attributes(self, name: str, *prefixes: str) -> list[dict[str, Any]]:
        """Return the attributes of the spans of a name whose keys have one of these prefixes."""
        found = [span.attributes or {} for span in self.all if span.name == name]
        return [{key: value for key, value in one.items() if key.startswith(prefixes)} for one in found]

    def tree(self, root: str = '') -> str:
        """Return the tree of span names, all or those below `root`, with reasons of failures and targets of links."""
        ids = {_id(span) for span in self.all}
        roots = [span for span in self.all if span.parent is None or span.parent.span_id not in ids]
        roots = [span for span in self.all if span.name == root] if root else roots
        return '\n' + ''.join(f'{line}\n' for span in roots for line in self._lines(span, ''))

    def _lines(self, span: ReadableSpan, indent: str) -> Iterator[str]:
        yield f'{indent}{span.name}{self._reported(span)}'
        for child in self.all:
            if child.parent is not None and child.parent.span_id == _id(span):
                yield from self._lines(child, f'{indent}  ')

    def _reported(self, span: ReadableSpan) -> str:
        attributes = span.attributes or {}
        outcome = attributes.get('toolscript.outcome')
        notes = [] if outcome is None else [str(outcome)]
        if not span.status.is_ok:
            notes.append(f'error {attributes.get("error.type", "")}'.rstrip())
        names = {_id(other): other.name for other in self.all}
        notes += [f'-> {names.get(link.context.span_id, "another trace")}' for link in span.links]
        return f' ({", ".join(notes)})' if notes else ''


def _id(span: ReadableSpan) -> int:
    assert span.context is not None
    return span.context.span_id
