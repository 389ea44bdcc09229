"""Records the outcome of each call of a script while it runs."""

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
    """The call started; without a later entry, its outcome is unknown."""

    status: Literal['started'] = 'started'


@dataclass(frozen=True)
class Finished:
    """The call succeeded."""

    value: Any = None
    """The value as the script receives it."""
    returned: ReturnExtras | None = None
    files: dict[str, MultiModalContent] = field(default_factory=dict[str, MultiModalContent])
    """The files behind the handles in the value."""
    too_large: str = ''
    """Why the script gets an error instead of the value, which is then a text with the reason: the tool did run."""
    status: Literal['finished'] = 'finished'


@dataclass(frozen=True)
class CallRaised:
    type_name: str
    message: str
    status: Literal['raised'] = 'raised'

    @classmethod
    def of(cls, error: ToolError) -> 'CallRaised':
        return cls(error.type_name, error.message)


@dataclass(frozen=True)
class CallWaits:
    """The call waits for an external decision or result."""

    call: PendingCall
    status: Literal['waits'] = 'waits'


Outcome: TypeAlias = Finished | CallRaised | CallWaits


@dataclass(frozen=True)
class CallEntry:
    digest: str
    """The digest of the tool's name and the arguments; identical calls share it. Empty if no tool is called."""
    outcome: Annotated[Started | Finished | CallRaised | CallWaits, Field(discriminator='status')]
    tool_name: str = ''
    call: Call | None = None
    """The call as the script made it; set only for calls that ended."""
    may_run_again: bool = False
    """Whether repeating the call does no harm."""
    began: int = 0
    """When it started, on the clock of the call cache."""
    ended: int = 0
    row: str | None = None
    """The place of the row of a plan that it used."""
    use: Use | None = None
    """What it used of an approval that covers several calls."""
    change: str | None = None
    """The place of its change in the store, if it can be undone."""

    @property
    def is_known(self) -> bool:
        """Whether its outcome is known; it is not if the script got an error because the call timed out."""
        return isinstance(self.outcome, Finished)

    def without_value(self) -> 'CallEntry':
        """Return the entry, without its value if the call may run again, since the script already has the value."""
        if not self.may_run_again or self.row is not None or not isinstance(self.outcome, Finished):
            return self
        return replace(self, outcome=replace(self.outcome, value=None, files={}))

    def record(self) -> CallRecord | None:
        """Return the entry for the sandbox; `None` for a call that has not ended."""
        if self.call is None:
            return None
        match self.outcome:
            case Finished(too_large=''):
                return CallRecord(self.call, 'finished')
            case Finished(too_large=reason):
                return failed_record(self.call, 'RuntimeError', reason)
            case CallRaised(type_name, message):
                return failed_record(self.call, type_name, message)
            case _:
                return None


stored_entry = StoredJson(CallEntry)

Entries: TypeAlias = dict[str, list[CallEntry]]
"""The entries of a script by the digests of the calls; identical calls are in order."""


def waiting_of(entries: Entries) -> dict[str, PendingCall]:
    outcomes = (entry.outcome for entry in chain.from_iterable(entries.values()))
    return {one.call.tool_call_id: one.call for one in outcomes if isinstance(one, CallWaits)}


class Journal:
    """The entries of one script in a store, each under the script's key and the number of the call.

    The entry 0 marks that there is a journal: a state without it means that the journal was lost, and a journal without
    a state that the state was lost.
    """

    def __init__(self, key: str, writer: StoreWriter) -> None:
        self._key = key
        self._begun = False
        self._writer = writer
        self._snapshots = writer.store.snapshots.lasting
        # Entries that were read from stores that load many texts at once, by the numbers of the blocks.
        self._blocks = dict[int, dict[str, bytes]]()

    async def begin(self) -> None:
        """Record once that there is a journal."""
        if not self._begun:
            await self._write(0, CallEntry('', Started()))
            self._begun = True

    async def begun(self) -> bool:
        self._begun = self._begun or await self._entry(0) is not None
        return self._begun

    async def append(self, number: int, entry: CallEntry) -> None:
        """Write an entry in place of the call's previous one.

        The start of a call is in the store when this returns; its end is stored soon, and before anything added later.
        """
        await self._write(number, entry)
        if isinstance(entry.outcome, Started):
            await self._writer.flush()

    async def read(self, number: int, digest: str) -> CallEntry | None:
        """Return the call's latest entry; `None` if it is about another call. Raises errors like `SealedStore.load`."""
        entry = await self._entry(number)
        return entry if entry is not None and entry.digest == digest else None

    async def ended(self, calls: int) -> dict[int, CallEntry]:
        """Return the entries of calls up to that number that have ended."""
        found = dict[int, CallEntry]()
        for first in range(1, calls + 1, _BLOCK):
            numbers = range(first, min(first + _BLOCK, calls + 1))
            # This reads a block if the store can load many texts at once; otherwise, several are loaded concurrently.
            await self._entry(first)
            entries = await asyncio.gather(*map(self._entry, numbers))
            found |= {number: entry for number, entry in zip(numbers, entries, strict=True) if entry is not None}
        return {number: entry.without_value() for number, entry in found.items() if entry.call is not None}

    async def entries(self) -> Entries:
        """Return all entries, for a script whose state was lost."""
        found, number, missing = Entries(), 0, 0
        while missing < _GAP:
            number += 1
            entry = await self._entry(number)
            missing = 0 if entry is not None else missing + 1
            if entry is not None and entry.digest:
                found.setdefault(entry.digest, []).append(entry)
        return found

    async def _write(self, number: int, entry: CallEntry) -> None:
        place, content = self._place(number), stored_entry.dump(entry)
        if (block := self._blocks.get(number // _BLOCK)) is not None:
            block[place] = content
        await self._writer.add(place, self._snapshots.seal(place, content))

    async def _entry(self, number: int) -> CallEntry | None:
        store, place = self._writer.store, self._place(number)
        content = (await self._block_of(number)).get(place) if store.batches else await store.load(place)
        return None if content is None else stored_entry.load(content)

    async def _block_of(self, number: int) -> dict[str, bytes]:
        block = number // _BLOCK
        if block not in self._blocks:
            places = [self._place(number) for number in range(block * _BLOCK, (block + 1) * _BLOCK)]
            self._blocks[block] = await self._writer.store.load_all(places)
        return self._blocks[block]

    def _place(self, number: int) -> str:
        return f'{self._key}.{number}'


# The maximum gap of calls without entries: calls that never started, or may run again and had not ended. It is the
# default limit of a script's calls.
_GAP = 1_000
_BLOCK = 32
