"""What became of the calls of one script, as the caller knows it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from toolscript_sandbox.contract.calls import Call, CallRecord, Status


class CallLog:
    """The records of all calls that the caller was asked for."""

    def __init__(self, earlier: Iterable[CallRecord] = ()) -> None:
        """`earlier` are those from before the script was restored."""
        self._records = {record.call.id: record for record in earlier}
        self._ended = dict[int, None]()

    def made(self, call: Call, status: Status = 'not started') -> None:
        """The script has made the call."""
        call = replace(call, printed='') if call.printed else call
        self._records[call.id] = CallRecord(call, status, call.line)

    def mark(self, call_id: int, status: Status, error: str | None = None) -> None:
        """How far the call is; `error` is type and message where it failed."""
        record = self._records[call_id]
        self._records[call_id] = CallRecord(record.call, status, record.line, error)
        if status in ('finished', 'failed'):
            self._ended[call_id] = None

    def take_ended(self) -> tuple[CallRecord, ...]:
        """The calls that ended since this was last asked: no later state of the script holds them."""
        ended, self._ended = self._ended, dict[int, None]()
        return tuple([self._records[call_id] for call_id in ended])

    def call(self, call_id: int) -> Call:
        """The call of that id."""
        return self._records[call_id].call

    def with_others(self, others: Iterable[CallRecord]) -> tuple[CallRecord, ...]:
        """All records in the order of the calls; `others` are those that the caller was never asked for."""
        records = self._records | {record.call.id: record for record in others}
        return tuple([records[call_id] for call_id in sorted(records)])
