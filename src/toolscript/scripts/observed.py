"""Calls of a script, told to whoever watches the run while they happen, and noted for afterwards."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Generic

from pydantic_ai.tools import AgentDepsT

from toolscript.observability.events import ScriptCallEvent, ScriptPauseEvent, ScriptPrintEvent, ScriptResultEvent
from toolscript.observability.script_calls import CALLS_KEY, CallLog, Logged, ScriptCall, calls_to_json
from toolscript.routing.placement import SEARCH_IN_CODE
from toolscript_sandbox import Call, CallRecord, Deferred, Failed, PlainValue, Status, ToolError

from .dispatch import SEARCH_PARAMETERS, Dispatcher

_MOST_PRINTED = 4_000


@dataclass
class Watched(Generic[AgentDepsT]):
    """A dispatcher, watched."""

    dispatcher: Dispatcher[AgentDepsT]
    log: CallLog

    async def __call__(self, call: Call) -> Any:
        """Tell, call, tell. A value that a watcher got whole, and may change, is not `PlainValue`: it is copied."""
        began = time.perf_counter()
        call_id = self.id_of(call)
        logged = await self._begins(call, call_id)
        try:
            value = await self.dispatcher(call)
        except ToolError as error:
            await self._ends(call, call_id, logged, began, 'failed', str(error))
            raise
        except BaseException as error:
            await self._ends(call, call_id, logged, began, 'waiting' if isinstance(error, Deferred) else 'running')
            raise
        plain = value.value if type(value) is PlainValue else value
        self.log.gives(logged, plain)
        await self._ends(call, call_id, logged, began, 'finished')
        return value if logged.truncated else plain

    async def pauses(self, call_ids: list[str]) -> None:
        """The script waits for these calls."""
        await self.dispatcher.events.tell(ScriptPauseEvent(call_ids=call_ids))
        await self.flush()

    async def ended(self, printed: str) -> None:
        """The script has come to an end, or to a pause, and printed this in all."""
        if news := printed[self.log.stdout_chars :]:
            await self._prints(news)
        await self.flush()

    async def flush(self) -> None:
        """Nothing of the script is left to be told."""
        await self.dispatcher.events.flush()

    def calls(self, records: Iterable[CallRecord]) -> list[ScriptCall]:
        """The script's calls, as data."""
        return [self._as_data(record) for record in records]

    def failed(self, outcome: Failed) -> dict[str, Any]:
        """A script that failed, as data."""
        return {
            'tool_call_id': self.dispatcher.run_code_id,
            'code': outcome.code,
            'error': outcome.error.message,
            CALLS_KEY: calls_to_json(self.calls(outcome.calls)),
        }

    def _as_data(self, record: CallRecord) -> ScriptCall:
        logged = self.log.calls.get(record.call.id) or Logged(*self.told(record.call))
        returned = self.dispatcher.returned.get(record.call.id)
        return ScriptCall(
            tool_call_id=self.id_of(record.call),
            tool_name=logged.tool_name,
            function=record.call.function,
            arguments=logged.arguments,
            status=record.status,
            result=logged.result,
            truncated=logged.truncated,
            error=record.error,
            seconds=logged.seconds,
            line=record.line,
            reused=record.call.id in self.dispatcher.once.reused,
            speculative=self._is_early(record.call),
            decision=logged.decision,
            metadata=None if returned is None else returned.metadata,
        )

    async def _prints(self, text: str) -> None:
        self.log.stdout_chars += len(text)
        await self.dispatcher.events.tell(ScriptPrintEvent(text=text[-_MOST_PRINTED:]))

    async def _begins(self, call: Call, call_id: str) -> Logged:
        if call.stdout:
            await self._prints(call.stdout)
        name, arguments = self.told(call)
        logged = self.log.begins(call.id, name, arguments)
        event = ScriptCallEvent(
            call_id=call_id,
            tool_call_id=self.dispatcher.run_code_id,
            tool_name=name,
            arguments=dict(logged.arguments),
            line=call.line,
        )
        await self.dispatcher.events.tell(event)
        return logged

    async def _ends(
        self, call: Call, call_id: str, logged: Logged, began: float, status: Status, error: str | None = None
    ) -> None:
        if self.dispatcher.once.is_closed:
            return
        logged.seconds = time.perf_counter() - began
        decided = self.dispatcher.runner.decided
        if call_id in decided:
            self.log.decided(logged, *decided[call_id])
        event = ScriptResultEvent(
            call_id=call_id,
            tool_call_id=self.dispatcher.run_code_id,
            tool_name=logged.tool_name,
            status=status,
            result=logged.result,
            truncated=logged.truncated,
            error=error,
            seconds=logged.seconds,
            reused=call.id in self.dispatcher.once.reused,
            speculative=self._is_early(call),
        )
        await self.dispatcher.events.tell(event)

    def told(self, call: Call) -> tuple[str, dict[str, Any]]:
        """The tool's name and arguments; where they do not fit, as the script wrote them."""
        try:
            if call.function != SEARCH_IN_CODE:
                part = self.dispatcher.part(call)
                return part.tool_name, part.args_as_dict()
        except ToolError:
            pass
        names = dict(enumerate(SEARCH_PARAMETERS if call.function == SEARCH_IN_CODE else ()))
        return call.function, {
            **{names.get(place, str(place)): value for place, value in enumerate(call.args)},
            **call.kwargs,
        }

    def _is_early(self, call: Call) -> bool:
        early = self.dispatcher.early
        return early is not None and call.id in early.taken

    def id_of(self, call: Call) -> str:
        """What the agent knows the call by."""
        return f'{self.dispatcher.run_code_id}__{call.id}'
