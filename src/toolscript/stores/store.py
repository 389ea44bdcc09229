"""What a store must do, and what it may do besides."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol, runtime_checkable


class SnapshotStore(Protocol):
    """Keeps texts under keys.

    What `save` was given must be there for `load` once `save` has returned, even if the process dies at once. A store
    may forget what is older than any script should wait; `load` is then as if it had never been.
    """

    async def save(self, key: str, text: str, /) -> None:
        """Keep a text in place of what the key had.

        Args:
            key: Lower-case letters, digits and dots, at most 100 of them.
            text: ASCII, signed: a change is noticed.
        """
        ...

    async def load(self, key: str, /) -> str | None:
        """What was saved under the key last, or `None`."""
        ...


@runtime_checkable
class LockingStore(SnapshotStore, Protocol):
    """A store with locks, so that two processes or tasks never resume one script at the same time."""

    def lock(self, key: str, /) -> AbstractAsyncContextManager[bool]:
        """Whether the key is the caller's alone until it leaves the `async with`.

        A claim ends with its process at the latest, or soon after: what died must be able to continue. It is not waited
        for: `False` if it is locked already.
        """
        ...


@runtime_checkable
class BatchingStore(SnapshotStore, Protocol):
    """A store that saves many texts in one request, for stores behind a network."""

    async def save_all(self, texts: Mapping[str, str], /) -> None:
        """Keep all texts, or none of them, each in place of what its key had."""
        ...

    async def load_all(self, keys: Sequence[str], /) -> Mapping[str, str]:
        """What was saved last, under those keys that have something."""
        ...


@runtime_checkable
class TimestampingStore(SnapshotStore, Protocol):
    """A store that says what time it is, for processes on machines whose clocks differ."""

    def now(self) -> float:
        """Seconds since the epoch, the same for all users of the store. It is called often, on the event loop."""
        ...


class LockLost(Exception):
    """Somebody else has taken what this process had claimed, so nothing was saved."""


@runtime_checkable
class FunctionStore(Protocol):
    """Stores versions of texts by owner and name, until they are removed.

    What was put must be there once `put_version` has returned, even if the process dies at once. Nothing here is
    forgotten because it is old. Owners never see anything of each other.

    Owners are lower-case letters, digits and dots, at most 100 of them; names are lower-case Python identifiers of
    ASCII, at most 60 characters; versions count from 1; texts are ASCII.
    """

    async def put_version(self, owner: str, name: str, version: int, text: str, /) -> bool:
        """Store a text as that version, completely or not at all; `False` if that version exists."""
        ...

    async def newest_versions(
        self, owner: str, names: Collection[str] | None = None, /
    ) -> Mapping[str, tuple[int, str]]:
        """The newest version of each name, and its text; of these names where some are given, else of all."""
        ...

    async def all_versions(self, owner: str, name: str, /) -> Mapping[int, str]:
        """The text of each version of a name, the oldest first; empty where there is none."""
        ...

    async def remove_versions(self, owner: str, name: str, up_to: int | None = None, /) -> int:
        """Remove the versions up to that one, or all; how many there were."""
        ...
