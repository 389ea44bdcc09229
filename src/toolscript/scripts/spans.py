"""Spans for the calls of a script that pydantic-ai knows nothing of.

Where a tool is called, pydantic-ai writes the span, as on a direct call. The others, which a search, a record or
somebody's decision answers, have theirs from here, so that each call of a script has one.
"""

import json
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic

from opentelemetry import trace
from opentelemetry.util.types import AttributeValue
from pydantic_ai.tools import AgentDepsT

from toolscript.observability.script_calls import MOST_CHARS, glimpse
from toolscript.routing.placement import SEARCH_IN_CODE
from toolscript.run_code.code_output import AnswerTool
from toolscript_sandbox import Call, Deferred, PlainValue, ToolError, Tracing, text_of

from .observed import Watched


@dataclass
class Traced(Generic[AgentDepsT]):
    """A watched dispatcher, traced."""

    watched: Watched[AgentDepsT]
    tracing: Tracing

    async def __call__(self, call: Call) -> Any:
        """Call, and see that there is a span."""
        return await (self._search(call) if call.function == SEARCH_IN_CODE else self._call(call))

    async def _search(self, call: Call) -> Any:
        # Its span is the current one meanwhile, for what it asks: an embedder, say.
        with self._span(call, 'execute_tool', {'gen_ai.operation.name': 'execute_tool'}) as span:
            try:
                value = await self.watched(call)
            except BaseException as error:
                self._fails(span, error)
                raise
            self._gives(span, value)
            return value

    async def _call(self, call: Call) -> Any:
        began = time.time_ns()
        try:
            value = await self.watched(call)
        except BaseException as error:
            if (kind := self._kind(call, error)) is not None:
                with self._span(call, kind, {}, began) as span:
                    self._fails(span, error)
            raise
        if (kind := self._kind(call, None)) is not None:
            with self._span(call, kind, {}, began) as span:
                self._gives(span, value)
        return value

    def _kind(self, call: Call, error: BaseException | None) -> str | None:
        """What answered a call; `None` where pydantic-ai has written the span."""
        dispatcher, call_id = self.watched.dispatcher, self.watched.id_of(call)
        if isinstance(error, Deferred):
            return None if call_id in dispatcher.reached else 'defer_tool'
        if call_id in dispatcher.runner.handed:
            return None
        if self._early_span(call) is not None:
            return 'early_result'
        if call.id in dispatcher.once.reused:
            return 'reuse_result'
        if error is not None:
            return 'refuse_call' if isinstance(error, ToolError) else None
        tool = dispatcher.functions.tools[dispatcher.part(call).tool_name].tool
        return 'give_output' if isinstance(tool, AnswerTool) else 'outside_result'

    @contextmanager
    def _span(
        self, call: Call, kind: str, attributes: dict[str, AttributeValue], began: int | None = None
    ) -> Generator[trace.Span]:
        name, arguments = self.watched.told(call)
        early = self._early_span(call)
        with self.tracing.tracer.start_as_current_span(
            f'{kind} {name}',
            attributes={
                **self.tracing.attributes,
                **attributes,
                'gen_ai.tool.name': name,
                'gen_ai.tool.call.id': self.watched.id_of(call),
                **({} if call.line is None else {'toolscript.line': call.line}),
                **self._content('gen_ai.tool.call.arguments', arguments),
            },
            links=[] if early is None else [trace.Link(early)],
            start_time=began,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            yield span

    def _early_span(self, call: Call) -> trace.SpanContext | None:
        early = self.watched.dispatcher.early
        taken = None if early is None else early.taken.get(call.id)
        return None if taken is None else taken.span

    def _gives(self, span: trace.Span, value: Any) -> None:
        span.set_attributes(self._content('gen_ai.tool.call.result', value))

    def _fails(self, span: trace.Span, error: BaseException) -> None:
        if isinstance(error, Deferred):
            return
        kind = error.type_name if isinstance(error, ToolError) else type(error).__qualname__
        span.set_attribute('error.type', kind)
        told = text_of(error, MOST_CHARS) if self.tracing.include_content else ''
        span.set_status(trace.StatusCode.ERROR, told or kind)

    def _content(self, name: str, value: Any) -> dict[str, AttributeValue]:
        if not self.tracing.include_content:
            return {}
        seen = glimpse(value.value if isinstance(value, PlainValue) else value).value
        return {name: seen if isinstance(seen, str) else json.dumps(seen, default=str)}
