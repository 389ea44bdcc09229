"""The calls of one script: the open ones, their lines in the code, and their records."""

import ast
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from itertools import accumulate

from pydantic_monty import AsyncFunctionSnapshot

from toolscript_sandbox.contract.calls import Call, CallRecord, Status
from toolscript_sandbox.language.snippet import Code
from toolscript_sandbox.language.syntax import expression_of

from .protocol import Raised, Returned
from .state import OpenCall, OpenStatus


class OpenCalls:
    """Owner of `State.open`. There may be thousands of calls, so handling one call never iterates over all of them."""

    def __init__(self, calls: dict[int, OpenCall]) -> None:
        self._calls = calls
        self._numbers = {one.call.id: number for number, one in calls.items()}
        self._by_status = defaultdict[OpenStatus, dict[int, None]](dict)
        for number, one in calls.items():
            self._by_status[one.status][number] = None

    def add(self, number: int, call: Call) -> None:
        self._calls[number] = OpenCall(call)
        self._numbers[call.id] = number
        self._by_status['not asked'][number] = None

    def number_of(self, call_id: int) -> int:
        """Return Monty's number of the call. Raises `ValueError` if it is not open."""
        number = self._numbers.get(call_id)
        if number is None:
            raise ValueError(f'call {call_id} is not open, so it takes no answer')
        return number

    def having(self, status: OpenStatus) -> list[int]:
        """Return the numbers of the calls in this status, in the order in which they reached it."""
        return [*self._by_status[status]]

    def has(self, status: OpenStatus) -> bool:
        return bool(self._by_status[status])

    def ask(self) -> list[Call]:
        """Return the calls that were `not asked`, in order, and mark them as `asked`."""
        new, self._by_status['not asked'] = self._by_status['not asked'], {}
        for number in new:
            self._calls[number].status = 'asked'
        self._by_status['asked'] |= new
        return [self._calls[number].call for number in new]

    def mark(self, number: int, status: OpenStatus) -> None:
        one = self._calls[number]
        del self._by_status[one.status][number]
        one.status = status
        self._by_status[status][number] = None

    def settle(self, number: int, answer: Returned | Raised) -> None:
        """Store the answer of a call, which the script has not received yet."""
        self.mark(number, 'answered')
        self._calls[number].answer = answer

    def drop(self, number: int) -> OpenCall:
        """Remove and return a call that is no longer open."""
        one = self._calls.pop(number)
        del self._numbers[one.call.id], self._by_status[one.status][number]
        return one

    def take(self, number: int) -> Returned | Raised | None:
        """Remove an answered call and return its answer; None if there is no answer."""
        one = self._calls.get(number)
        return None if one is None or one.status != 'answered' else self.drop(number).answer


class CallLines:
    """The line numbers of the calls of one script."""

    def __init__(self, code: Code) -> None:
        self._line = code.line
        self._code = code.text.encode()
        self._known = dict[tuple[int, int], int | None]()

    def of(self, snapshot: AsyncFunctionSnapshot) -> int | None:
        """Return the line of the call; None if a function of an earlier script makes it."""
        place = snapshot.position.start, snapshot.position.end
        if place not in self._known:
            # A position in a function of an earlier script refers to that script, and it is unknown to which.
            made_here = _is_call(self._code[place[0] : place[1]])
            self._known[place] = self._line(bisect_right(self._starts, place[0]) + 1) if made_here else None
        return self._known[place]

    @cached_property
    def _starts(self) -> list[int]:
        """The offsets in bytes at which the lines of the code begin, from the second line on."""
        return [*accumulate(len(line) + 1 for line in self._code.split(b'\n'))]


def _is_call(text: bytes) -> bool:
    try:
        return isinstance(expression_of(text.decode()), ast.Call)
    except (SyntaxError, ValueError):
        return False


class CallRecords:
    """The records of all calls that the caller received."""

    def __init__(self, earlier: Iterable[CallRecord] = ()) -> None:
        """Start with the records from before the script was restored."""
        self._known = {record.call.id: record for record in earlier}
        self._ended = dict[int, None]()

    def made(self, call: Call, status: Status = 'not started') -> None:
        self._known[call.id] = CallRecord(replace(call, stdout='') if call.stdout else call, status)

    def mark(self, call_id: int, status: Status, error: str | None = None) -> None:
        """Change the status of a call; `error` is the type and message of a failed one."""
        self._known[call_id] = CallRecord(self._known[call_id].call, status, error)
        if status in ('finished', 'failed'):
            self._ended[call_id] = None

    def record(self, call_id: int) -> CallRecord:
        return self._known[call_id]

    def take_ended(self) -> tuple[CallRecord, ...]:
        """Return the calls that ended since this was last called: no later state of the script contains them."""
        ended, self._ended = self._ended, dict[int, None]()
        return tuple([self._known[call_id] for call_id in ended])

    def with_others(self, others: Iterable[CallRecord]) -> tuple[CallRecord, ...]:
        """Return all records in the order of the calls; `others` are of calls that the caller never received."""
        records = self._known | {record.call.id: record for record in others}
        return tuple([records[call_id] for call_id in sorted(records)])
