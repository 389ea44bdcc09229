"""What became of each call of a script, written down while it happens."""

import asyncio
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field
from pydantic_ai.messages import MultiModalContent

from toolscript.approvals.grants import Use
from toolscript.approvals.pending import PendingCall
from toolscript.results.values import ReturnExtras
from toolscript.stored_json import StoredJson
from toolscript_sandbox import Call, CallRecord, ToolError, failed_record

from .sealed_store import StoreWriter


@dataclass(frozen=True)
class Started:
    """The call began; if nothing follows, its outcome is unknown."""

    status: Literal['started'] = 'started'


@dataclass(frozen=True)
class Finished:
    """The call ended well."""

    value: Any = None
    """As the script gets it."""
    returned: ReturnExtras | None = None
    files: dict[str, MultiModalContent] = field(default_factory=dict[str, MultiModalContent])
    """The files behind the handles in the value."""
    too_large: str = ''
    """Why the script gets an error instead of the value, which is a text that says so: the tool ran all the same."""
    status: Literal['finished'] = 'finished'


@dataclass(frozen=True)
class CallRaised:
    """The call ended with an exception that the script sees."""

    type_name: str
    message: str
    status: Literal['raised'] = 'raised'

    @classmethod
    def of(cls, error: ToolError) -> 'CallRaised':
        """The same exception."""
        return cls(error.type_name, error.message)


@dataclass(frozen=True)
class CallWaits:
    """The call waits for the outside."""

    call: PendingCall
    status: Literal['waits'] = 'waits'


Outcome: TypeAlias = Finished | CallRaised | CallWaits


@dataclass(frozen=True)
class CallEntry:
    """What is known of one call."""

    digest: str
    """Of the tool's name and the arguments: calls with the same digest are identical. Empty for what calls no tool."""
    outcome: Annotated[Started | Finished | CallRaised | CallWaits, Field(discriminator='status')]
    tool_name: str = ''
    call: Call | None = None
    """As the script made it; only of calls that ended."""
    may_run_again: bool = False
    """Whether a second identical call does no harm."""
    began: int = 0
    """When, on the clock of the call cache."""
    ended: int = 0
    row: str | None = None
    """The place of the row of a plan that it used up."""
    use: Use | None = None
    """What it used of an approval that was not given for it alone."""
    change: str | None = None
    """Where the store has it among the changes, if it can be undone."""

    @property
    def is_known(self) -> bool:
        """Whether its outcome is known; it is not where the script got an error because the time was up."""
        return isinstance(self.outcome, Finished)

    def without_value(self) -> 'CallEntry':
        """The entry of a call that may run again, whose value is not needed once the script has it."""
        if not self.may_run_again or self.row is not None or not isinstance(self.outcome, Finished):
            return self
        return replace(self, outcome=replace(self.outcome, value=None, files={}))

    def record(self) -> CallRecord | None:
        """The same for the sandbox; `None` for a call that has not ended."""
        if self.call is None:
            return None
        match self.outcome:
            case Finished(too_large=''):
                return CallRecord(self.call, 'finished', self.call.line)
            case Finished(too_large=reason):
                return failed_record(self.call, 'RuntimeError', reason)
            case CallRaised(type_name, message):
                return failed_record(self.call, type_name, message)
            case _:
                return None

    def to_bytes(self) -> bytes:
        """As JSON."""
        return _json.dump(self)

    @classmethod
    def from_bytes(cls, data: bytes) -> 'CallEntry':
        """The entry again."""
        return _json.load(data)


_json = StoredJson(CallEntry)

Entries: TypeAlias = dict[str, list[CallEntry]]
"""The entries of a script by the digests of the calls, those of identical calls in order."""


def waiting_of(entries: Entries) -> dict[str, PendingCall]:
    """The calls that wait, by their ids."""
    outcomes = (entry.outcome for entry in chain.from_iterable(entries.values()))
    return {one.call.tool_call_id: one.call for one in outcomes if isinstance(one, CallWaits)}


class Journal:
    """The entries of one script in a store, each under the script's key and the number of the call.

    The number 0 says that there is a journal: a state without it shows that the journal was lost, and a journal without
    a state that the state was.
    """

    def __init__(self, key: str, writer: StoreWriter) -> None:
        self._key = key
        self._begun = False
        self._writer = writer
        self._snapshots = writer.store.snapshots.lasting
        # What was read of stores that give many texts at once, by the numbers of the blocks.
        self._blocks = dict[int, dict[str, bytes]]()

    async def begin(self) -> None:
        """Store that there is a journal, once."""
        if not self._begun:
            await self._write(0, CallEntry('', Started()))
            self._begun = True

    async def begun(self) -> bool:
        """Whether there is a journal."""
        self._begun = self._begun or await self._entry(0) is not None
        return self._begun

    async def append(self, number: int, entry: CallEntry) -> None:
        """Write the entry in place of the call's last one.

        That a call starts is in the store when this returns; how it ended, soon, and before anything that comes after.
        """
        await self._write(number, entry)
        if isinstance(entry.outcome, Started):
            await self._writer.flush()

    async def read(self, number: int, digest: str) -> CallEntry | None:
        """The call's last entry; `None` if that was about another call.

        Raises:
            UserError: The entry was changed, or signed with another key; or the store failed.
        """
        entry = await self._entry(number)
        return entry if entry is not None and entry.digest == digest else None

    async def ended(self, calls: int) -> dict[int, CallEntry]:
        """The entries of those calls up to that number that ended."""
        found = dict[int, CallEntry]()
        for first in range(1, calls + 1, _BLOCK):
            numbers = range(first, min(first + _BLOCK, calls + 1))
            # Of a store that gives many texts at once, this reads a block; of any other, several are read at a time.
            await self._entry(first)
            entries = await asyncio.gather(*map(self._entry, numbers))
            found |= {number: entry for number, entry in zip(numbers, entries, strict=True) if entry is not None}
        return {number: entry.without_value() for number, entry in found.items() if entry.call is not None}

    async def entries(self) -> Entries:
        """All entries, for a script whose state was lost."""
        found, number, missing = Entries(), 0, 0
        while missing < _GAP:
            number += 1
            entry = await self._entry(number)
            missing = 0 if entry is not None else missing + 1
            if entry is not None and entry.digest:
                found.setdefault(entry.digest, []).append(entry)
        return found

    async def _write(self, number: int, entry: CallEntry) -> None:
        place, content = self._place(number), entry.to_bytes()
        if (block := self._blocks.get(number // _BLOCK)) is not None:
            block[place] = content
        await self._writer.add(place, self._snapshots.seal(place, content))

    async def _entry(self, number: int) -> CallEntry | None:
        store, place = self._writer.store, self._place(number)
        content = (await self._block_of(number)).get(place) if store.batches else await store.load(place)
        return None if content is None else CallEntry.from_bytes(content)

    async def _block_of(self, number: int) -> dict[str, bytes]:
        block = number // _BLOCK
        if block not in self._blocks:
            places = [self._place(number) for number in range(block * _BLOCK, (block + 1) * _BLOCK)]
            self._blocks[block] = await self._writer.store.load_all(places)
        return self._blocks[block]

    def _place(self, number: int) -> str:
        return f'{self._key}.{number}'


# Calls that leave no entry: those that had not begun, and those that may run again and had not ended.
_GAP = 200
_BLOCK = 32
