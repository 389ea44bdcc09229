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
        """Save a text under a key, in place of an earlier one.

        Args:
            key: Lower-case letters, digits and dots, at most 100 of them.
            text: ASCII, signed: a change is noticed.
        """
        ...

    async def load(self, key: str, /) -> str | None:
        """The latest text of the key, or `None`."""
        ...


@runtime_checkable
class LockingStore(SnapshotStore, Protocol):
    """A store that also locks a script, so that two processes or tasks do not run it at the same time."""

    def lock(self, key: str, /) -> AbstractAsyncContextManager[bool]:
        """Whether the key is the caller's alone until it leaves the `async with`.

        A claim ends with its process at the latest, or soon after: what died must be able to continue. It is not waited
        for: `False` if it is locked already.
        """
        ...


@runtime_checkable
class BatchingStore(SnapshotStore, Protocol):
    """A store that saves many texts in one round trip."""

    async def save_all(self, texts: Mapping[str, str], /) -> None:
        """Save all texts, or none of them. Each replaces the text of its key."""
        ...

    async def load_all(self, keys: Sequence[str], /) -> Mapping[str, str]:
        """The latest text of each key that has one."""
        ...


@runtime_checkable
class TimestampingStore(SnapshotStore, Protocol):
    """A store with a clock, for processes on machines whose clocks differ."""

    def now(self) -> float:
        """Seconds since the epoch, the same for all who share the store. It is called often, on the event loop."""
        ...


class LockLost(Exception):
    """Another process has taken the lock of this one, so nothing was saved."""


@runtime_checkable
class FunctionStore(Protocol):
    """Stores versions of texts by owner and name, until they are removed.

    What was put must be there once `put_version` has returned, even if the process dies at once. Nothing here is
    forgotten because it is old. Owners never see anything of each other.

    Owners are lower-case letters, digits and dots, at most 100 of them; names are lower-case Python identifiers of
    ASCII, at most 60 characters; versions count from 1; texts are ASCII.
    """

    async def put_version(self, owner: str, name: str, version: int, text: str, /) -> bool:
        """Save a text as that version, whole or not at all; `False` if the version exists."""
        ...

    async def newest_versions(
        self, owner: str, names: Collection[str] | None = None, /
    ) -> Mapping[str, tuple[int, str]]:
        """The newest version of each name with its text: of the given names, or of all."""
        ...

    async def all_versions(self, owner: str, name: str, /) -> Mapping[int, str]:
        """The text of each version of a name, oldest first."""
        ...

    async def remove_versions(self, owner: str, name: str, up_to: int | None = None, /) -> int:
        """Remove the versions up to that one, or all, and return how many there were."""
        ...
