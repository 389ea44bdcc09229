"""Protocols of stores: the required one, and optional extensions; and a store in memory."""

from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable


class SnapshotStore(Protocol):
    """Stores texts under keys.

    Once `save` has returned, `load` must return the text, even if the process dies at once. A store may remove texts
    that are older than any script should wait; `load` then behaves as if they had never existed.
    """

    async def save(self, key: str, text: str, /) -> None:
        """Save a text under a key, replacing an earlier one.

        Args:
            key: Lower-case letters, digits and dots, at most 100 of them.
            text: ASCII, signed: tampering is detected.
        """
        ...

    async def load(self, key: str, /) -> str | None:
        """Return the latest text of the key, or `None`."""
        ...


@runtime_checkable
class LockingStore(SnapshotStore, Protocol):
    """A store that can also lock a script, so that two processes or tasks do not run it at the same time."""

    def lock(self, key: str, /) -> AbstractAsyncContextManager[bool]:
        """Lock a key until the end of the `async with`. The context's value is whether the lock was free.

        It does not wait: if the key is already locked, the value is `False`. A lock ends with its process or soon
        after, because scripts of a dead process must be able to continue.
        """
        ...


@runtime_checkable
class BatchingStore(SnapshotStore, Protocol):
    """A store that saves many texts in one round trip."""

    async def save_all(self, texts: Mapping[str, str], /) -> None:
        """Save all texts, or none of them. Each replaces the text of its key."""
        ...

    async def load_all(self, keys: Sequence[str], /) -> Mapping[str, str]:
        """Return the latest text of each key that has one."""
        ...


@runtime_checkable
class TimestampingStore(SnapshotStore, Protocol):
    """A store with a clock, for processes on machines whose clocks differ."""

    def now(self) -> float:
        """Return the seconds since the epoch, equal for all users of the store. Called often, on the event loop."""
        ...


class LockLost(Exception):
    """Another process has taken this process's lock, so nothing was saved."""


@runtime_checkable
class FunctionStore(Protocol):
    """Stores versions of texts by owner and name, until they are removed.

    Once `put_version` has returned, the text must be stored, even if the process dies at once. Texts never expire.
    Owners cannot see each other's texts.

    Owners are lower-case letters, digits and dots, at most 100 of them; names are lower-case Python identifiers of
    ASCII, at most 60 characters; versions count from 1; texts are ASCII.
    """

    async def put_version(self, owner: str, name: str, version: int, text: str, /) -> bool:
        """Save a text as that version, completely or not at all; `False` if the version exists."""
        ...

    async def newest_versions(
        self, owner: str, names: Collection[str] | None = None, /
    ) -> Mapping[str, tuple[int, str]]:
        """Return the newest version of each name with its text, for the given names or for all."""
        ...

    async def all_versions(self, owner: str, name: str, /) -> Mapping[int, str]:
        """Return the text of each version of a name, oldest first."""
        ...

    async def remove_versions(self, owner: str, name: str, up_to: int | None = None, /) -> int:
        """Remove the versions up to `up_to`, or all of them, and return their number."""
        ...


@dataclass
class MemoryStore:
    """A store in memory, for applications that pause and resume scripts in one process."""

    texts: dict[str, str] = field(default_factory=dict[str, str], repr=False)
    claimed: dict[str, object] = field(default_factory=dict[str, object], repr=False)
    """The owner of each locked key."""
    functions: dict[tuple[str, str], dict[int, str]] = field(
        default_factory=dict[tuple[str, str], dict[int, str]], repr=False
    )
    """The versions of saved functions, by owner and name."""

    async def save(self, key: str, text: str, /) -> None:
        """Save a text."""
        self.texts[key] = text

    async def load(self, key: str, /) -> str | None:
        """Return the text of a key."""
        return self.texts.get(key)

    @asynccontextmanager
    async def lock(self, key: str, /) -> AsyncGenerator[bool]:
        """Lock a key. The context's value is whether no other task or thread has locked it."""
        mine = object()
        # This must be atomic: otherwise, another thread could lock the key between the check and the assignment.
        if self.claimed.setdefault(key, mine) is not mine:
            yield False
            return
        try:
            yield True
        finally:
            del self.claimed[key]

    async def put_version(self, owner: str, name: str, version: int, text: str, /) -> bool:
        """Save a text as that version, if the version does not exist."""
        versions = self.functions.setdefault((owner, name), {})
        if version in versions:
            return False
        versions[version] = text
        return True

    async def newest_versions(
        self, owner: str, names: Collection[str] | None = None, /
    ) -> Mapping[str, tuple[int, str]]:
        """Return the newest version of each name."""
        # A copy, because another thread may save meanwhile.
        return {
            name: (max(versions), versions[max(versions)])
            for (whose, name), versions in self.functions.copy().items()
            if whose == owner and versions and (names is None or name in names)
        }

    async def all_versions(self, owner: str, name: str, /) -> Mapping[int, str]:
        """Return all versions of a name."""
        return dict(sorted(self.functions.get((owner, name), {}).items()))

    async def remove_versions(self, owner: str, name: str, up_to: int | None = None, /) -> int:
        """Remove versions and return their number."""
        versions = self.functions.pop((owner, name), {})
        left = {} if up_to is None else {version: text for version, text in versions.items() if version > up_to}
        if left:
            self.functions[owner, name] = left
        return len(versions) - len(left)
