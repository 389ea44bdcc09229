"""Where the state of scripts outlives the process."""

from typing import Protocol


class SnapshotStore(Protocol):
    """Keeps texts under keys. `MemoryStore`, `DirectoryStore` and `SqliteStore` are there to use.

    What `save` was given must be there for `load` once `save` has returned, even if the process dies at once.
    """

    async def save(self, key: str, text: str, /) -> None:
        """Keep a text in place of what the key had.

        Args:
            key: Letters, digits and dots; at most 100 of them.
            text: ASCII, signed: nobody can change it unnoticed.
        """
        ...

    async def load(self, key: str, /) -> str | None:
        """What was saved under the key last, or `None`. May forget what is older than any script could wait."""
        ...
