"""What became of each call of a script, written down while it happens."""

from dataclasses import field as dataclass_field
from dataclasses import replace
from datetime import timedelta
from typing import Literal

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
class _Line:
    digest: str
    entry: Entry = dataclass_field(metadata={'discriminator': 'status'})


_line = TypeAdapter(_Line)


class Journal:
    """The entries of one script in a store, each under the script's key and the number of the call."""

    def __init__(self, key: str, shelf: Shelf) -> None:
        self._key = key
        # An entry lives as long as the state that it belongs to, which sees to its own expiry.
        self._shelf = replace(shelf, snapshots=replace(shelf.snapshots, expires_after=timedelta.max))

    async def write(self, number: int, digest: str, entry: Entry) -> None:
        """Keep the entry in place of the call's last one."""
        content = _line.dump_json(_Line(digest, entry), fallback=str)
        await self._shelf.put(f'{self._key}.{number}', content)

    async def read(self, number: int, digest: str) -> Entry | None:
        """The call's last entry; none if that was about another call.

        Raises:
            UserError: The entry was changed, or signed with another key; or the store failed.
        """
        content = await self._shelf.get(f'{self._key}.{number}')
        if content is None:
            return None
        line = _line.validate_json(content)
        return line.entry if line.digest == digest else None
