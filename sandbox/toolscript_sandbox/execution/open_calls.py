"""The calls of one script that are open: made, and not answered yet."""

from __future__ import annotations

from collections import defaultdict

from toolscript_sandbox.contract.calls import Call

from .protocol import Raised, Returned
from .state import OpenCall, OpenStatus


class OpenCalls:
    """Owner of `State.open`. There may be thousands, so nothing on the way of one call looks at all of them."""

    def __init__(self, calls: dict[int, OpenCall]) -> None:
        self._calls = calls
        self._numbers = {one.call.id: number for number, one in calls.items()}
        self._by_status = defaultdict[OpenStatus, dict[int, None]](dict)
        for number, one in calls.items():
            self._by_status[one.status][number] = None

    def add(self, number: int, call: Call) -> None:
        """A new call."""
        self._calls[number] = OpenCall(call)
        self._numbers[call.id] = number
        self._by_status['not asked'][number] = None

    def number_of(self, call_id: int) -> int:
        """Monty's number of the call. Raises `ValueError` if it is not open."""
        number = self._numbers.get(call_id)
        if number is None:
            raise ValueError(f'call {call_id} is not open, so it takes no answer')
        return number

    def having(self, status: OpenStatus) -> list[int]:
        """The numbers of the calls in this status, in the order in which they came to it."""
        return [*self._by_status[status]]

    def has(self, status: OpenStatus) -> bool:
        """Whether there is one."""
        return bool(self._by_status[status])

    def ask(self) -> list[Call]:
        """The calls that were not asked for, in their order; from now on they are `asked`."""
        new, self._by_status['not asked'] = self._by_status['not asked'], {}
        for number in new:
            self._calls[number].status = 'asked'
        self._by_status['asked'] |= new
        return [self._calls[number].call for number in new]

    def mark(self, number: int, status: OpenStatus) -> None:
        """The call comes to another status."""
        one = self._calls[number]
        del self._by_status[one.status][number]
        one.status = status
        self._by_status[status][number] = None

    def settle(self, number: int, answer: Returned | Raised) -> None:
        """The call has its answer, which the script has not."""
        self.mark(number, 'answered')
        self._calls[number].answer = answer

    def drop(self, number: int) -> OpenCall:
        """The call is not open any more."""
        one = self._calls.pop(number)
        del self._numbers[one.call.id], self._by_status[one.status][number]
        return one

    def take(self, number: int) -> Returned | Raised | None:
        """The answer of the call, which is then not open any more; None if there is no answer."""
        one = self._calls.get(number)
        return None if one is None or one.status != 'answered' else self.drop(number).answer
