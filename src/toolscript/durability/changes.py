"""Stores the calls of a script that may have changed something, and whether they were undone."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from toolscript.results.tool_errors import UNKNOWN_OUTCOMES
from toolscript.stored_json import StoredJson

from .journal import CallRaised, Finished, Outcome
from .sealed_store import StoreWriter, key_of

_BLOCK = 32


@dataclass(frozen=True, kw_only=True)
class Change:
    place: str
    """Its key in the store."""
    tool_call_id: str
    script: str
    """The key of the script that made the call."""
    conversation_id: str
    tool_name: str
    arguments: dict[str, Any]
    status: Literal['started', 'finished', 'none'] = 'started'
    """`'started'`: its outcome is unknown; `'none'`: it changed nothing, because it failed or asked for a decision."""
    result: Any = None
    error: str = ''
    """Why the result is missing."""
    undo: Literal['', 'started', 'done', 'failed'] = ''
    undo_error: str = ''
    """Why undoing the call failed."""


_json = StoredJson(Change)


@dataclass
class Changes:
    """The changes of one owner's scripts with the same id, in the order in which they started."""

    writer: StoreWriter
    script_id: str
    owners: Sequence[str]
    script: str = ''
    """The key of the script that adds changes."""
    conversation_id: str = ''
    _known: dict[str, Change] = field(default_factory=dict[str, Change])
    _count: int = 0

    async def read(self) -> list[Change]:
        """Return all changes in the store. Raises `UserError` if one was tampered with, or the store failed."""
        self._known, first, missing = {}, 0, False
        while not missing:
            places = [f'{self._key}.{number}' for number in range(first, first + _BLOCK)]
            found = await self._load(places)
            self._known |= found
            missing, first = not found, first + _BLOCK
        self._count = max((int(place.rpartition('.')[2]) + 1 for place in self._known), default=0)
        return list(self._known.values())

    async def started(self, call_id: str, tool_name: str, arguments: dict[str, Any], *, flush: bool) -> str:
        """Record that a call starts, at once with `flush`, otherwise when the writer is flushed. Returns its place."""
        change = Change(
            place=f'{self._key}.{self._count}',
            tool_call_id=call_id,
            script=self.script,
            conversation_id=self.conversation_id,
            tool_name=tool_name,
            arguments=arguments,
        )
        # The call waited for a decision in the meantime, or a process died between two records.
        same = (one.place for one in self._known.values() if _is_same(one, change))
        place = next(same, change.place)
        self._count += place == change.place
        change = replace(change, place=place)
        await self._add(change)
        if flush:
            await self.writer.flush()
        return change.place

    async def ended(self, place: str, outcome: Outcome) -> None:
        """Record the outcome of a call. It is stored with the next record, or a few milliseconds later."""
        change = self._known[place]
        match outcome:
            case Finished(value, too_large=reason):
                await self._add(replace(change, status='finished', result=None if reason else value, error=reason))
            case CallRaised(kind, message) if kind in UNKNOWN_OUTCOMES:
                await self._add(replace(change, error=message))
            case _:
                await self._add(replace(change, status='none'))

    async def save(self, change: Change) -> None:
        """Save the change; it is in the store when this returns."""
        self._known[change.place] = change
        await self.writer.put(change.place, self._sealed(change))

    async def undone(self, places: Sequence[str]) -> set[str]:
        return {place for place, change in (await self._load(places)).items() if change.undo == 'done'}

    async def _add(self, change: Change) -> None:
        self._known[change.place] = change
        await self.writer.add(change.place, self._sealed(change))

    def _sealed(self, change: Change) -> str:
        return self.writer.store.snapshots.lasting.seal(change.place, _json.dump(change))

    async def _load(self, places: Sequence[str]) -> dict[str, Change]:
        contents = await self.writer.store.load_all(places)
        return {place: _json.load(contents[place]) for place in places if place in contents}

    @property
    def _key(self) -> str:
        return key_of('changes', self.script_id, *self.owners)


def _is_same(known: Change, change: Change) -> bool:
    """Return whether a call that starts is one that has not ended."""
    is_unchanged = replace(known, status='started', error='', place=change.place)
    return known.status != 'finished' and is_unchanged == change
