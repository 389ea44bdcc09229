"""A span per snippet."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from toolscript_sandbox.contract.outcomes import Completed, Failed, Outcome, Suspended

try:
    from opentelemetry import trace
except ImportError:  # pragma: no cover - opentelemetry-api comes with pydantic-ai, not with Monty
    trace = None

if TYPE_CHECKING:
    from opentelemetry.trace import Span


class SnippetSpan:
    """Takes down what became of a snippet; without OpenTelemetry, nothing."""

    def __init__(self, span: Span | None) -> None:
        self._span = span

    def prepared(self, code: str, repairs: tuple[str, ...]) -> None:
        """The snippet is repaired and about to be checked."""
        if self._span is not None:
            self._span.set_attribute('toolscript.code', code)
            self._span.set_attribute('toolscript.repairs', list(repairs))

    def event(self, name: str, **attributes: str) -> None:
        """A step is done; its time is the span event's."""
        if self._span is not None:
            self._span.add_event(name, attributes)

    def ended(self, outcome: Outcome) -> None:
        """The outcome."""
        span = self._span
        if span is None:
            return
        span.set_attribute('toolscript.outcome', _KINDS[type(outcome)])
        span.set_attribute('toolscript.calls', len(outcome.calls))
        if isinstance(outcome, Failed):
            span.set_attribute('toolscript.error.kind', outcome.error.kind)
            span.set_attribute('toolscript.error.message', outcome.error.message)
            if trace is not None:
                span.set_status(trace.Status(trace.StatusCode.ERROR, outcome.error.kind))


@contextmanager
def snippet_span(name: str) -> Generator[SnippetSpan]:
    """A span around a snippet; what its calls open becomes its children."""
    if trace is None:
        yield SnippetSpan(None)
        return
    with trace.get_tracer('toolscript_sandbox').start_as_current_span(name) as span:
        yield SnippetSpan(span if span.is_recording() else None)


_KINDS: dict[type[Outcome], str] = {Completed: 'completed', Suspended: 'suspended', Failed: 'failed'}
