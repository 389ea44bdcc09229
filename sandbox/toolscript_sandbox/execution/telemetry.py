"""Spans of scripts: one per script, with a child span for its check."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from toolscript_sandbox.contract.foreign_text import clean
from toolscript_sandbox.contract.outcomes import Failed, Outcome
from toolscript_sandbox.contract.tracing import Tracing

if TYPE_CHECKING:
    from opentelemetry.trace import Span
    from opentelemetry.util.types import AttributeValue

CHECK = 'check script'
MAX_CHARS = 10_000
"""The maximum length of a text in a span."""


class SnippetSpan:
    """Records the outcome of a script if it is traced."""

    def __init__(self, span: 'Span | None' = None, *, include_content: bool = False) -> None:
        self._span = span
        self._include_content = include_content

    def prepared(self, code: str, fixes: tuple[str, ...]) -> None:
        if self._include_content:
            self._set('toolscript.code', _shown(code))
            self._set('toolscript.fixes', [_shown(repair) for repair in fixes])

    def ended(self, outcome: Outcome) -> None:
        self._set('toolscript.outcome', type(outcome).__name__.lower())
        self._set('toolscript.calls', len(outcome.calls))
        if isinstance(outcome, Failed):
            self._failed(outcome.error.kind, outcome.error.message)

    def checked(self, refusal: Failed | None, *, is_complete: bool = True) -> None:
        """Record the outcome of a check, which is incomplete if it did not finish."""
        self._set('toolscript.outcome', 'passed' if refusal is None else 'refused' if is_complete else 'unchecked')
        if refusal is not None:
            self._failed(refusal.error.kind if is_complete else 'unchecked', refusal.error.message)

    def interrupted(self, error: BaseException) -> None:
        """Record that there is no outcome, because the run was cancelled or a call ended it."""
        self._set('toolscript.outcome', 'cancelled' if isinstance(error, asyncio.CancelledError) else 'ended')
        self._failed(type(error).__qualname__)

    def _failed(self, kind: str, message: str = '') -> None:
        if self._span is None:
            return
        from opentelemetry.trace import StatusCode

        self._set('error.type', kind)
        self._span.set_status(StatusCode.ERROR, _shown(message) if message and self._include_content else kind)

    def _set(self, name: str, value: 'AttributeValue') -> None:
        if self._span is not None:
            self._span.set_attribute(name, value)


@contextmanager
def script_span(tracing: Tracing | None, name: str) -> Generator[SnippetSpan]:
    """Open a span around a script, the parent of its calls' spans; or with `CHECK`, around its preparation."""
    if tracing is None:
        yield SnippetSpan()
        return
    with tracing.tracer.start_as_current_span(
        name,
        attributes=tracing.attributes,
        links=() if name == CHECK else tracing.links,
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        watched = SnippetSpan(span, include_content=tracing.include_content) if span.is_recording() else SnippetSpan()
        try:
            yield watched
        except BaseException as error:
            watched.interrupted(error)
            raise


def _shown(text: str) -> str:
    return clean(text if len(text) <= MAX_CHARS else f'{text[:MAX_CHARS]}...')
