"""A store that lives as long as the process."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass
class MemoryStore:
    """Keeps the state of scripts out of the requests, for applications that pause and go on in one process."""

    texts: dict[str, str] = field(default_factory=dict[str, str], repr=False)
    claimed: set[str] = field(default_factory=set[str], repr=False)

    async def save(self, key: str, text: str, /) -> None:
        """Keep a text."""
        self.texts[key] = text

    async def load(self, key: str, /) -> str | None:
        """The text of a key."""
        return self.texts.get(key)

    @asynccontextmanager
    async def claim(self, key: str, /) -> AsyncGenerator[bool]:
        """Whether no other task has the key."""
        if key in self.claimed:
            yield False
            return
        self.claimed.add(key)
        try:
            yield True
        finally:
            self.claimed.remove(key)
