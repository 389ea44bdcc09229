"""Sealed content in a store, and what is still on its way there."""

import asyncio
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import anyio
from pydantic_ai import UserError

from toolscript.stores import BatchingStore, LockingStore, LockLost, SnapshotStore

from .snapshots import Snapshots


class ScriptLocked(UserError):
    """Another task or process goes on with the script at this moment."""


@dataclass(frozen=True)
class Shelf:
    """A store that takes content which only the same purpose opens, and whose failures say what to do next."""

    snapshots: Snapshots
    store: SnapshotStore

    @property
    def batches(self) -> bool:
        """Whether the store takes and gives many texts at once."""
        return self._batching is not None

    @cached_property
    def _batching(self) -> BatchingStore | None:
        # To ask whether an object has the methods of a protocol takes longer than to sign what is kept.
        return self.store if isinstance(self.store, BatchingStore) else None

    async def put(self, texts: Mapping[str, str]) -> None:
        """Keep sealed texts in place of what their keys had: all of them or none, where the store takes batches.

        Raises:
            ScriptLocked: Another process has taken the script.
            UserError: The store failed.
        """
        with self._explained('keep the state of a script'):
            if self._batching is not None:
                await self._batching.save_all(texts)
                return
            for key, text in texts.items():
                await self.store.save(key, text)

    async def get_all(self, keys: Sequence[str]) -> dict[str, bytes]:
        """The contents of those keys that have one, from a store that takes batches.

        Raises:
            UserError: One was changed, was signed with another key, or has expired; or the store failed.
        """
        assert self._batching is not None
        with self._explained('give the state of a script back'):
            texts = await self._batching.load_all(keys)
        return {key: self.snapshots.open(key, text) for key, text in texts.items()}

    async def get(self, key: str) -> bytes | None:
        """The content of the key.

        Raises:
            UserError: It was changed, was signed with another key, or has expired; or the store failed.
        """
        with self._explained('give the state of a script back'):
            text = await self.store.load(key)
        return None if text is None else self.snapshots.open(key, text)

    @asynccontextmanager
    async def claimed(self, key: str) -> AsyncGenerator[None]:
        """The key for this task alone, if the store can see to it.

        Raises:
            ScriptLocked: Another task or process has it.
        """
        async with AsyncExitStack() as stack:
            if isinstance(self.store, LockingStore):
                with self._explained('claim a script'):
                    held = await stack.enter_async_context(self.store.lock(key))
                if not held:
                    raise ScriptLocked(_TAKEN)
            yield

    @contextmanager
    def _explained(self, deed: str) -> Generator[None]:
        try:
            yield
        except LockLost as error:
            raise ScriptLocked(_LOST) from error
        except Exception as error:
            name = type(self.store).__name__
            raise UserError(f'{name} could not {deed}: {type(error).__name__}: {error}. {_ADVICE}') from error


_ADVICE = (
    'The script was stopped and makes no further call. Once the store works, run the agent again with the same history '
    'and decisions: the script goes on, and a call of which the store does not know how it ended raises UnknownOutcome '
    'in it.'
)
_TAKEN = (
    'This script is going on in another task or process at this moment, so nothing was run here. Leave it to that one; '
    'if it should die, run the agent again with the same history and decisions.'
)
_LOST = (
    'This script was taken up by another process while the connection of this one to its store was broken, so it was '
    'stopped here and makes no further call. Leave it to that one; if it should die, run the agent again with the same '
    'history and decisions.'
)


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
