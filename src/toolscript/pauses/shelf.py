"""Signed content in a store."""

from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import cached_property

from pydantic_ai import UserError

from .snapshots import Snapshots
from .stores import BatchingStore, ClaimingStore, ClaimLost, SnapshotStore


class ScriptTaken(UserError):
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
            ScriptTaken: Another process has taken the script.
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
            ScriptTaken: Another task or process has it.
        """
        async with AsyncExitStack() as stack:
            if isinstance(self.store, ClaimingStore):
                with self._explained('claim a script'):
                    held = await stack.enter_async_context(self.store.claim(key))
                if not held:
                    raise ScriptTaken(_TAKEN)
            yield

    @contextmanager
    def _explained(self, deed: str) -> Generator[None]:
        try:
            yield
        except ClaimLost as error:
            raise ScriptTaken(_LOST) from error
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
