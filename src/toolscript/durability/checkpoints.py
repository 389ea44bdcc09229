"""Saves the state of one `run_code` call: in a store, if there is one, otherwise in the requests."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cached_property

from pydantic import ValidationError

from toolscript_sandbox import StateError, calls_made

from .call_cache import CallCache, stored_cache
from .changes import Changes
from .journal import Entries, Journal
from .script_state import ScriptState, Unreadable, unreadable
from .sealed_store import SealedStore, StoreWriter
from .snapshots import SnapshotExpired, SnapshotInvalid, Snapshots

_QUEUED = 'waits for its turn:'


@dataclass(frozen=True)
class Checkpoints:
    """The saved states of one script, its journal, and its other saved data."""

    snapshots: Snapshots
    run_code_id: str
    key: str
    """Identifies the script in the store and in signatures: data of another conversation, call or code is never
    mistaken for its own."""

    @asynccontextmanager
    async def locked(self) -> AsyncGenerator[None]:
        """Lock the script for this task, if the store has locks. Everything is saved at the end."""
        if self._store is None or self._writer is None:
            yield
            return
        async with self._store.locked(self.key), self._writer:
            yield

    @cached_property
    def journal(self) -> Journal | None:
        """The outcomes of the script's calls; `None` without a store."""
        return None if self._writer is None else Journal(self.key, self._writer)

    def changes(self, owners: Sequence[str], conversation_id: str | None) -> Changes | None:
        """Return the script's calls that may have changed something; `None` without a store."""
        if self._writer is None:
            return None
        return Changes(self._writer, self.run_code_id, owners, self.key, conversation_id or '')

    @property
    def has_store(self) -> bool:
        return self._store is not None

    # -- the state

    async def save(self, state: ScriptState, *, at_once: bool) -> None:
        """Save the state: `at_once`, or with the start of the next call, which waits for the store."""
        if self.journal is not None and self._writer is not None:
            await self.journal.begin()
            write = self._writer.put if at_once else self._writer.add
            await write(self.key, self.snapshots.seal(self.key, state.to_bytes()))

    async def load(self) -> ScriptState | None:
        """Return the state in the store, if any. The journal provides the calls that ended."""
        content = None if self._store is None else await self._store.load(self.key)
        if content is None or self.journal is None:
            return None
        state = self._read(content)
        if state.waits:
            return state
        try:
            calls = calls_made(state.execution)
        except StateError as error:
            raise unreadable(self.run_code_id, error) from error
        if await self.journal.begun():
            state.ended = await self.journal.ended(calls)
        else:
            state.lost_calls = calls
        return state

    async def suspend(self, state: ScriptState) -> str:
        """Save the state of a waiting script. Returns the text for the request: the state or its place in the store."""
        if self._writer is None:
            return self.snapshots.seal(self.key, state.to_bytes())
        await self._writer.put(self.key, self.snapshots.seal(self.key, state.to_bytes()))
        return self.place

    @property
    def place(self) -> str:
        """The text in the request of a script whose state is in the store."""
        return f'stored:{self.key}'

    def open(self, snapshot: str) -> ScriptState:
        """Return the state from a request. Raises `UserError` if it is invalid or has expired."""
        return self._read(self.snapshots.open(self.key, snapshot))

    def queue(self) -> str:
        """Return the text in the request of a script that has not begun because another one waits."""
        return f'{_QUEUED}{self.snapshots.seal(self._queue_key, b"")}'

    def is_queued(self, snapshot: str) -> bool:
        """Return whether the text says that the script has not begun. Raises `UserError` if it is another script's."""
        if not snapshot.startswith(_QUEUED):
            return False
        self.snapshots.open(self._queue_key, snapshot.removeprefix(_QUEUED))
        return True

    def _read(self, content: bytes) -> ScriptState:
        try:
            return ScriptState.from_bytes(content)
        except ValidationError as error:
            raise unreadable(self.run_code_id, error) from error

    async def earlier_attempt(self) -> Entries | None:
        """Return the journal of an earlier run of the script whose state is lost; `None` if there is no journal."""
        journal = self.journal
        return await journal.entries() if journal is not None and await journal.begun() else None

    async def rewrite_journal(self, state: ScriptState) -> None:
        """Restore the journal of a script that waited, if it was lost or there was no store."""
        if self.journal is not None and state.waits and not await self.journal.begun():
            for number, entry in state.ended.items():
                await self.journal.append(number, entry)

    # -- what a failed script leaves to the next one

    async def save_cache(self, cache: CallCache) -> None:
        """Save the finished calls for the next script, if there are any."""
        if self._writer is not None and (cache.earlier or cache.lost):
            place = f'{self.key}.memory'
            await self._writer.put(place, self.snapshots.seal(place, stored_cache.dump(cache)))

    async def load_cache(self) -> CallCache | None:
        """Return the calls that the script left to the next one, whether it failed or was denied while it waited."""
        if self._store is None:
            return None
        try:
            if (content := await self._store.load(f'{self.key}.memory')) is not None:
                return stored_cache.load(content)
        except SnapshotInvalid:
            # An old key was removed since. The conversation continues, but its calls must not run again unnoticed.
            return CallCache(lost=True)
        except SnapshotExpired:
            pass
        with suppress(SnapshotExpired, SnapshotInvalid, Unreadable):
            state = await self.load()
            if state is not None and state.waits:
                # It was denied by its id alone, so the denial never reached this toolset.
                state.run.cache.script_failed(state.entries)
                return state.run.cache
        return None

    # -- the saved functions that it calls

    async def save_functions(self, content: bytes) -> None:
        """Save the functions that the script found, before it starts, so that a restart finds the same ones."""
        if self._writer is not None:
            place = f'{self.key}.functions'
            # Records are saved in order: this one is stored before any call of the script.
            await self._writer.add(place, self.snapshots.seal(place, content))

    async def load_functions(self) -> bytes | None:
        """Return the functions that the script found when it started; `None` if it found none."""
        return None if self._store is None else await self._store.load(f'{self.key}.functions')

    @cached_property
    def _store(self) -> SealedStore | None:
        store = self.snapshots.store
        return None if store is None else SealedStore(self.snapshots, store)

    @cached_property
    def _writer(self) -> StoreWriter | None:
        return None if self._store is None else StoreWriter(self._store)

    @property
    def _queue_key(self) -> str:
        return f'{self.key}.turn'
