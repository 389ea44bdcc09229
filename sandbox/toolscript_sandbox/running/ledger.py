"""The calls of one snippet, in the order in which the script made them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from toolscript_sandbox.contract.calls import Call, CallRecord, Status

from .answers import Answer
from .state import call_from_json, call_to_json


@dataclass
class Entry:
    """A call as the ledger knows it, which alone changes it."""

    call: Call
    monty_id: int
    line: int | None
    status: Status = 'not started'
    answer: Answer | None = None
    """Set as long as it has not been given to the script."""
    error: str | None = None
    as_json: dict[str, Any] | None = None
    """The entry as JSON, once it is over: it stands in each state until a page has it, and does not change."""

    @property
    def is_over(self) -> bool:
        """Whether the script has what came of it."""
        return self.status in ('finished', 'failed') and self.answer is None

    def to_json(self) -> dict[str, Any]:
        """The entry as JSON."""
        if self.as_json is not None:
            return self.as_json
        facts = {
            'call': call_to_json(self.call),
            'monty_id': self.monty_id,
            'line': self.line,
            'status': self.status,
            'answer': self.answer,
            'error': self.error,
        }
        self.as_json = facts if self.is_over else None
        return facts

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Entry:
        """The entry again."""
        return cls(
            call=call_from_json(data['call']),
            monty_id=data['monty_id'],
            line=data['line'],
            status=data['status'],
            answer=data['answer'],
            error=data['error'],
        )


class Ledger:
    """Owner of the entries of one snippet."""

    def __init__(self, entries: Iterable[Entry] = (), paged: int = 0) -> None:
        """The first `paged` entries stand in pages already."""
        self._entries = dict[int, Entry]()
        self._loose = list[Entry]()
        # Thousands of calls are possible: nothing on the way of one call may look at all of them.
        self._by_status = defaultdict[Status, dict[int, None]](dict)
        for entry in entries:
            self._put(entry)
        del self._loose[:paged]

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, monty_id: int) -> bool:
        return monty_id in self._entries

    def add(self, monty_id: int, function: str, args: Any, kwargs: Any, line: int | None) -> Entry:
        """A new call, not started yet."""
        call = Call(len(self._entries) + 1, function, tuple(args), kwargs)
        return self._put(Entry(call, monty_id, line))

    def mark(self, monty_id: int, status: Status) -> Entry:
        """The entry, in another status."""
        entry = self._entries[monty_id]
        del self._by_status[entry.status][monty_id]
        entry.status, entry.as_json = status, None
        self._by_status[status][monty_id] = None
        return entry

    def settle(self, monty_id: int, answer: Answer) -> None:
        """Record how the call ended."""
        error = f'{answer["exc_type"]}: {answer.get("message", "")}' if 'exc_type' in answer else None
        entry = self.mark(monty_id, 'finished' if error is None else 'failed')
        entry.answer, entry.error = answer, error

    def call_off(self, monty_id: int, error: str) -> None:
        """Record that the script cancelled the call."""
        entry = self.mark(monty_id, 'failed')
        entry.answer, entry.error = None, error

    def status(self, monty_id: int) -> Status:
        """How far the call is."""
        return self._entries[monty_id].status

    def take(self, monty_id: int) -> Answer | None:
        """The answer of an ended call, which the ledger then no longer holds."""
        entry = self._entries.get(monty_id)
        if entry is None or entry.answer is None:
            return None
        answer, entry.answer = entry.answer, None
        return answer

    def in_status(self, status: Status) -> list[Entry]:
        """Entries of this status, in the order of the calls."""
        return [self._entries[number] for number in sorted(self._by_status[status])]

    def to_start(self, most: int) -> list[Entry]:
        """The first entries that were not started yet, in the order of the calls: they come so, and leave for good."""
        return [self._entries[number] for number in islice(self._by_status['not started'], most)]

    def count(self, status: Status) -> int:
        """How many entries are of this status."""
        return len(self._by_status[status])

    def records(self) -> tuple[CallRecord, ...]:
        """What an outcome says of the calls."""
        return tuple([CallRecord(one.call, one.status, one.line, one.error) for one in self._entries.values()])

    def to_json(self) -> list[dict[str, Any]]:
        """All entries as JSON."""
        return [entry.to_json() for entry in self._entries.values()]

    @property
    def paged(self) -> int:
        """How many entries stand in pages, the first ones."""
        return len(self._entries) - len(self._loose)

    def loose_to_json(self) -> list[dict[str, Any]]:
        """The entries that stand in no page as JSON."""
        return [entry.as_json or entry.to_json() for entry in self._loose]

    def next_page(self, leaving: Container[int]) -> list[dict[str, Any]] | None:
        """The next entries as JSON, once nothing will change them any more; they stand in a page from now on.

        Args:
            leaving: Calls that were called off and may still end in another way.
        """
        page = self._loose[:PAGE]
        if len(page) < PAGE or not all(entry.is_over and entry.monty_id not in leaving for entry in page):
            return None
        del self._loose[:PAGE]
        written = [entry.to_json() for entry in page]
        for entry in page:
            entry.as_json = None
        return written

    @classmethod
    def going_on(cls, data: Iterable[dict[str, Any]], paged: Sequence[dict[str, Any]] = ()) -> Ledger:
        """The ledger again, in which what ran or waited is to be started; `paged` are the entries of its pages."""
        entries = [Entry.from_json(entry) for entry in (*paged, *data)]
        for entry in entries:
            if entry.status in ('running', 'waiting'):
                entry.status = 'not started'
        return cls(entries, len(paged))

    def _put(self, entry: Entry) -> Entry:
        self._by_status[entry.status][entry.monty_id] = None
        self._entries[entry.monty_id] = entry
        self._loose.append(entry)
        return entry


PAGE = 32
"""Entries of a page: a state holds the last ones in any case, so that many are as good as none."""
