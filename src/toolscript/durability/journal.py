"""What became of each call of a script, written down while it happens."""

from dataclasses import dataclass
from itertools import chain
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from toolscript.approvals.pending import PendingCall
from toolscript.stored_json import KeptJson

from .remembered import Result
from .sealed_store import Outbox


@dataclass(frozen=True)
class Started:
    """The call began; if nothing follows, nobody knows what it did."""

    status: Literal['started'] = 'started'


@dataclass(frozen=True)
class Finished:
    """The call ended well."""

    result: Result
    status: Literal['finished'] = 'finished'


@dataclass(frozen=True)
class Raised:
    """The call ended with an exception that the script saw."""

    type_name: str
    message: str
    status: Literal['raised'] = 'raised'


@dataclass(frozen=True)
class Waits:
    """The call waits for the outside."""

    call: PendingCall
    status: Literal['waits'] = 'waits'


Entry = Started | Finished | Raised | Waits


@dataclass(frozen=True)
class Line:
    """What is written about one call."""

    digest: str
    entry: Annotated[Entry, Field(discriminator='status')]
    tool_name: str = ''

    def to_bytes(self) -> bytes:
        """As JSON."""
        return _json.dump(self)

    @classmethod
    def from_bytes(cls, data: bytes) -> 'Line':
        """The line again."""
        return _json.load(data)


_json = KeptJson(Line)


Journaled: TypeAlias = dict[str, list[Line]]
"""The lines of a script by the digests of the calls, those of identical calls in order."""


def waiting_of(lines: Journaled) -> dict[str, PendingCall]:
    """The calls that wait, by their ids."""
    entries = (line.entry for line in chain.from_iterable(lines.values()))
    return {entry.call.tool_call_id: entry.call for entry in entries if isinstance(entry, Waits)}


class Journal:
    """The entries of one script in a store, each under the script's key and the number of the call.

    Beside them, under the number 0, stands that there is a journal: a state without it tells that the journal was lost,
    and a journal without a state that the state was.
    """

    def __init__(self, key: str, outbox: Outbox) -> None:
        self._key = key
        self._begun = False
        self._outbox = outbox
        self._snapshots = outbox.shelf.snapshots.lasting
        # What was read of stores that give many texts at once, by the numbers of the pages.
        self._pages = dict[int, dict[str, bytes]]()

    async def begin(self) -> None:
        """Keep that there is a journal, once."""
        if not self._begun:
            await self._write(0, Line('', Started()))
            self._begun = True

    async def begun(self) -> bool:
        """Whether there is a journal."""
        self._begun = self._begun or await self._line_of(0) is not None
        return self._begun

    async def write(self, number: int, line: Line) -> None:
        """Keep the line in place of the call's last one.

        That a call starts is in the store when this returns; how it ended, soon, and before anything that comes after.
        """
        await self._write(number, line)
        if isinstance(line.entry, Started):
            await self._outbox.flush()

    async def read(self, number: int, digest: str) -> Entry | None:
        """The call's last entry; none if that was about another call.

        Raises:
            UserError: The entry was changed, or signed with another key; or the store failed.
        """
        line = await self._line_of(number)
        return line.entry if line is not None and line.digest == digest else None

    async def entries(self) -> Journaled:
        """All entries, for a script whose state was lost."""
        found, number, missing = Journaled(), 0, 0
        while missing < _GAP:
            number += 1
            line = await self._line_of(number)
            missing = 0 if line is not None else missing + 1
            if line is not None:
                found.setdefault(line.digest, []).append(line)
        return found

    async def _write(self, number: int, line: Line) -> None:
        place, content = self._place(number), line.to_bytes()
        if (page := self._pages.get(number // _PAGE)) is not None:
            page[place] = content
        await self._outbox.add(place, self._snapshots.seal(place, content))

    async def _line_of(self, number: int) -> Line | None:
        shelf, place = self._outbox.shelf, self._place(number)
        content = (await self._page_of(number)).get(place) if shelf.batches else await shelf.get(place)
        return None if content is None else Line.from_bytes(content)

    async def _page_of(self, number: int) -> dict[str, bytes]:
        page = number // _PAGE
        if page not in self._pages:
            places = [self._place(number) for number in range(page * _PAGE, (page + 1) * _PAGE)]
            self._pages[page] = await self._outbox.shelf.get_all(places)
        return self._pages[page]

    def _place(self, number: int) -> str:
        return f'{self._key}.{number}'


# Calls that leave no entry: searches, those that an earlier script's results answered, those that were not begun yet.
_GAP = 200
_PAGE = 32
