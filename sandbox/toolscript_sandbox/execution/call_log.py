"""What became of the calls of one script, as the caller knows it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from toolscript_sandbox.contract.calls import Call, CallRecord, Status


class CallLog:
    """The records of all calls that the caller was asked for."""

    def __init__(self, earlier: Iterable[CallRecord] = ()) -> None:
        """`earlier` are those from before the script was restored."""
        self._known = dict[int, tuple[Call, Status, str | None]]()
        self._ended = dict[int, None]()
        for record in earlier:
            self._known[record.call.id] = record.call, record.status, record.error

    def made(self, call: Call, status: Status = 'not started') -> None:
        """The script has made the call."""
        self._known[call.id] = replace(call, stdout='') if call.stdout else call, status, None

    def mark(self, call_id: int, status: Status, error: str | None = None) -> None:
        """How far the call is; `error` is type and message where it failed."""
        self._known[call_id] = self._known[call_id][0], status, error
        if status in ('finished', 'failed'):
            self._ended[call_id] = None

    def record(self, call_id: int) -> CallRecord:
        """What is known of the call."""
        call, status, error = self._known[call_id]
        return CallRecord(call, status, call.line, error)

    def take_ended(self) -> tuple[CallRecord, ...]:
        """The calls that ended since this was last asked: no later state of the script holds them."""
        ended, self._ended = self._ended, dict[int, None]()
        return tuple([self.record(call_id) for call_id in ended])

    def with_others(self, others: Iterable[CallRecord]) -> tuple[CallRecord, ...]:
        """All records in the order of the calls; `others` are those that the caller was never asked for."""
        records = {call_id: self.record(call_id) for call_id in self._known}
        records |= {record.call.id: record for record in others}
        return tuple([records[call_id] for call_id in sorted(records)])
