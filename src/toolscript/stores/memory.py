"""A store that lives as long as the process."""

from collections.abc import AsyncGenerator, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


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
        return {
            name: (max(versions), versions[max(versions)])
            for (whose, name), versions in self.functions.items()
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
