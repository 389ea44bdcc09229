"""A store that holds only sealed texts, and a writer that batches the writes of one script."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import anyio
from pydantic_ai import UserError

from toolscript.stores.store import BatchingStore, LockingStore, LockLost, SnapshotStore

from .snapshots import Snapshots


class ScriptLocked(UserError):
    """Another task or process is running the script."""


@dataclass(frozen=True)
class SealedStore:
    """A store whose texts can be opened only for the same purpose, and whose errors say what to do next."""

    snapshots: Snapshots
    store: SnapshotStore

    @property
    def batches(self) -> bool:
        return self._batching is not None

    @cached_property
    def _batching(self) -> BatchingStore | None:
        # Checking whether an object implements a protocol takes longer than signing what is saved.
        return self.store if isinstance(self.store, BatchingStore) else None

    async def save(self, texts: Mapping[str, str]) -> None:
        """Save sealed texts, replacing earlier ones with the same keys: atomically if the store supports batches."""
        with self._explained('save the state of a script'):
            if self._batching is not None:
                await self._batching.save_all(texts)
                return
            for key, text in texts.items():
                await self.store.save(key, text)

    async def load_all(self, keys: Sequence[str]) -> dict[str, bytes]:
        """Return the contents of existing keys. Raises errors like `load`."""
        if self._batching is None:
            loaded = await asyncio.gather(*map(self.load, keys))
            return {key: content for key, content in zip(keys, loaded, strict=True) if content is not None}
        with self._explained('load the state of a script'):
            texts = await self._batching.load_all(keys)
        return {key: self.snapshots.open(key, text) for key, text in texts.items()}

    async def load(self, key: str) -> bytes | None:
        """Return the content of the key. Raises `UserError` if it was changed or has expired, or the store failed."""
        with self._explained('load the state of a script'):
            text = await self.store.load(key)
        return None if text is None else self.snapshots.open(key, text)

    @asynccontextmanager
    async def locked(self, key: str) -> AsyncGenerator[None]:
        """Lock the key, if the store has locks. Raises `ScriptLocked` if another task or process has locked it."""
        async with AsyncExitStack() as stack:
            if isinstance(self.store, LockingStore):
                with self._explained('lock a script'):
                    held = await stack.enter_async_context(self.store.lock(key))
                if not held:
                    raise ScriptLocked(_LOCKED)
            yield

    @contextmanager
    def _explained(self, action: str) -> Generator[None]:
        try:
            yield
        except LockLost as error:
            raise ScriptLocked(_LOST) from error
        except Exception as error:
            name = type(self.store).__name__
            raise UserError(f'{name} could not {action}: {type(error).__name__}: {error}. {_ADVICE}') from error


@dataclass
class StoreWriter:
    """Writes the texts of one script, in order. At the end of `async with`, all are saved.

    Quick calls would be slow with a remote store, because it saves the script's state and the start of the call before
    each call, and the outcome afterwards. So texts that nothing waits for stay here for a few milliseconds, and are
    saved in one batch with the next text that is waited for. A store without batches gets everything at once.
    """

    store: SealedStore
    _waiting: dict[str, str] = field(default_factory=dict[str, str], init=False)
    _writing: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    _soon: asyncio.Task[None] | None = field(default=None, init=False)
    _failed: bool = field(default=False, init=False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *exception: object) -> None:
        """Save the remaining texts, as far as possible if the script was cancelled or the store failed."""
        if self._soon is not None:
            self._soon.cancel()
        if kind is not None and issubclass(kind, asyncio.CancelledError):
            with anyio.move_on_after(_AT_THE_END, shield=True), suppress(UserError):
                await self.flush()
        elif kind is None or not self._failed:
            await self.flush()

    async def put(self, key: str, text: str) -> None:
        """Save the text: it is in the store when this returns, and so is everything that was added before."""
        if self.store.batches:
            self._waiting[key] = text
            await self.flush()
        else:
            await self.store.save({key: text})

    async def add(self, key: str, text: str) -> None:
        """Save the text soon: with the next `put`, or after a few milliseconds."""
        if self._failed or not self.store.batches:
            await self.put(key, text)
            return
        self._waiting[key] = text
        if self._soon is None or self._soon.done():
            self._soon = asyncio.create_task(self._flush_soon())

    async def flush(self) -> None:
        """Wait until everything is in the store. Raises `UserError` if the store failed."""
        async with self._writing:
            # Texts that other tasks add in this turn of the event loop are saved in the same batch.
            await asyncio.sleep(0)
            batch, self._waiting = self._waiting, {}
            if not batch:
                return
            try:
                await self.store.save(batch)
            except BaseException:
                self._waiting = batch | self._waiting
                self._failed = True
                raise
            self._failed = False

    async def _flush_soon(self) -> None:
        await asyncio.sleep(_SOON)
        # The next write tries again, and raises the error.
        with suppress(UserError):
            await self.flush()


def key_of(*parts: object) -> str:
    """Return the key in stores of what these parts identify."""
    return hashlib.sha256(repr([*parts]).encode()).hexdigest()[:40]


_SOON = 0.01
"""In seconds. If the process dies within this time, the outcome of a call that had ended is unknown."""
_AT_THE_END = 5.0
"""How long a cancelled script waits for the remaining writes, in seconds."""
_ADVICE = (
    'The script was stopped. When the store works, run the agent again with the same history and decisions. The '
    'script resumes, and calls with an unknown outcome raise UnknownOutcome in it.'
)
_LOCKED = (
    'Another task or process is running this script, so nothing was run here. If it dies, run the agent again with '
    'the same history and decisions.'
)
_LOST = (
    'Another process took over this script while this one had lost its store, so the script was stopped here. If '
    'the other process dies, run the agent again with the same history and decisions.'
)
