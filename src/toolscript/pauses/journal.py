"""What became of each call of a script, written down while it happens."""

from dataclasses import field as dataclass_field
from dataclasses import replace
from datetime import timedelta
from itertools import chain
from typing import Literal, TypeAlias

from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass

from toolscript.results.returned import JSON

from .pending import PendingCall
from .remembered import Result
from .shelf import Shelf


@dataclass(frozen=True, config=JSON)
class Started:
    """The call began; if nothing follows, nobody knows what it did."""

    status: Literal['started'] = 'started'


@dataclass(frozen=True, config=JSON)
class Finished:
    """The call ended well."""

    result: Result
    status: Literal['finished'] = 'finished'


@dataclass(frozen=True, config=JSON)
class Raised:
    """The call ended with an exception that the script saw."""

    type_name: str
    message: str
    status: Literal['raised'] = 'raised'


@dataclass(frozen=True, config=JSON)
class Waits:
    """The call waits for the outside."""

    call: PendingCall
    status: Literal['waits'] = 'waits'


Entry = Started | Finished | Raised | Waits


@dataclass(frozen=True, config=JSON)
class Line:
    """What is written about one call."""

    digest: str
    entry: Entry = dataclass_field(metadata={'discriminator': 'status'})
    tool_name: str = ''


Journaled: TypeAlias = dict[str, list[Line]]
"""The lines of a script by the digests of the calls, those of identical calls in order."""

_line = TypeAdapter(Line)


def waiting_of(lines: Journaled) -> dict[str, PendingCall]:
    """The calls that wait, by their ids."""
    entries = (line.entry for line in chain.from_iterable(lines.values()))
    return {entry.call.tool_call_id: entry.call for entry in entries if isinstance(entry, Waits)}


class Journal:
    """The entries of one script in a store, each under the script's key and the number of the call.

    Beside them, under the number 0, stands that there is a journal: a state without it tells that the journal was lost,
    and a journal without a state that the state was.
    """

    def __init__(self, key: str, shelf: Shelf) -> None:
        self._key = key
        self._begun = False
        # An entry lives as long as the state that it belongs to, which sees to its own expiry.
        self._shelf = replace(shelf, snapshots=replace(shelf.snapshots, expires_after=timedelta.max))

    async def begin(self) -> None:
        """Keep that there is a journal, once."""
        if not self._begun:
            await self.write(0, '', Started())
            self._begun = True

    async def begun(self) -> bool:
        """Whether there is a journal."""
        self._begun = self._begun or await self._line_of(0) is not None
        return self._begun

    async def write(self, number: int, digest: str, entry: Entry, tool_name: str = '') -> None:
        """Keep the entry in place of the call's last one."""
        content = _line.dump_json(Line(digest, entry, tool_name), fallback=str)
        await self._shelf.put(f'{self._key}.{number}', content)

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

    async def _line_of(self, number: int) -> Line | None:
        content = await self._shelf.get(f'{self._key}.{number}')
        return None if content is None else _line.validate_json(content)


# Calls that leave no entry: searches, those that an earlier script's results answered, those that were not begun yet.
_GAP = 200
