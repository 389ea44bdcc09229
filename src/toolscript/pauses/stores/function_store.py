"""What a store of kept functions must do."""

from collections.abc import Collection, Mapping
from typing import Protocol, runtime_checkable


@runtime_checkable
class FunctionStore(Protocol):
    """Keeps versions of texts under the names that an owner gave them, until they are removed.

    What was put must be there once `put_version` has returned, even if the process dies at once. Nothing here is
    forgotten because it is old. Owners never see anything of each other.

    Owners are lower-case letters, digits and dots, at most 100 of them; names are lower-case Python identifiers of
    ASCII, at most 60 characters; versions count from 1; texts are ASCII.
    """

    async def put_version(self, owner: str, name: str, version: int, text: str, /) -> bool:
        """Keep a text as that version, whole or not at all; `False` where somebody has put that version before."""
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
