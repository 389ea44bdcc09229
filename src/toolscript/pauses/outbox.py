"""What a script has to write, on its way to the store.

A store that is a network away would make quick calls slow: before each one it is kept how far the script is, and that
the call starts; after it, how it ended. So what nobody waits for stays here for some milliseconds, and goes along with
what somebody waits for, in one batch of which all is kept or nothing. A store without batches is told all at once.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Self

import anyio
from pydantic_ai import UserError

from .shelf import Shelf

_SOON = 0.01
"""Seconds. If the process dies within them, a call that had ended is one of which nobody knows."""
_AT_THE_END = 5.0
"""Seconds that a cancelled script waits at most for what is still to be written."""


@dataclass
class Outbox:
    """The writes of one script. Those that were made later are never kept before those made earlier.

    At the end of its `async with`, all is in the store.
    """

    shelf: Shelf
    _waiting: dict[str, str] = field(default_factory=dict[str, str], init=False)
    _writing: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    _soon: asyncio.Task[None] | None = field(default=None, init=False)
    _failed: bool = field(default=False, init=False)

    async def __aenter__(self) -> Self:
        """The outbox."""
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *exception: object) -> None:
        """Write what is left, as far as that can be had where the script was cancelled or the store failed."""
        if self._soon is not None:
            self._soon.cancel()
        if kind is not None and issubclass(kind, asyncio.CancelledError):
            with anyio.move_on_after(_AT_THE_END, shield=True), suppress(UserError):
                await self.flush()
        elif kind is None or not self._failed:
            await self.flush()

    async def put(self, key: str, text: str) -> None:
        """Keep the text: it is in the store when this returns, and so is all that was added before.

        Raises:
            UserError: The store failed.
        """
        if self.shelf.batches:
            self._waiting[key] = text
            await self.flush()
        else:
            await self.shelf.put({key: text})

    async def add(self, key: str, text: str) -> None:
        """Keep the text soon: with the next `put`, or after some milliseconds.

        Raises:
            UserError: The store failed.
        """
        if self._failed or not self.shelf.batches:
            await self.put(key, text)
            return
        self._waiting[key] = text
        if self._soon is None or self._soon.done():
            self._soon = asyncio.create_task(self._flush_soon())

    async def flush(self) -> None:
        """See that all is in the store.

        Raises:
            UserError: The store failed.
        """
        async with self._writing:
            # What others put in this turn of the loop goes along.
            await asyncio.sleep(0)
            batch, self._waiting = self._waiting, {}
            if not batch:
                return
            try:
                await self.shelf.put(batch)
            except BaseException:
                self._waiting = batch | self._waiting
                self._failed = True
                raise
            self._failed = False

    async def _flush_soon(self) -> None:
        await asyncio.sleep(_SOON)
        # Whoever writes next tries again, and hears of it.
        with suppress(UserError):
            await self.flush()
