"""Sessions in memory, as many as there is room for."""

import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass
class BoundedMemory:
    """Keeps the contents of some keys; those that were not used for longest go first. Threads may share it."""

    max_sessions: int
    max_bytes: int
    _contents: dict[str, dict[int, bytes]] = field(default_factory=dict[str, dict[int, bytes]])
    """By key, the one used last at the end, and by slot."""
    _claimed: set[str] = field(default_factory=set[str])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    async def put(self, key: str, slot: int, content: bytes) -> None:
        """Keep the content in a slot of the key."""
        with self._lock:
            self._contents[key] = {**self._contents.pop(key, {}), slot: content}
            while len(self._contents) > self.max_sessions or self._size > self.max_bytes:
                del self._contents[next(iter(self._contents))]

    async def get(self, key: str, slot: int) -> bytes | None:
        """The content of a slot."""
        with self._lock:
            slots = self._contents.pop(key, None)
            if slots is None:
                return None
            self._contents[key] = slots
            return slots.get(slot)

    @asynccontextmanager
    async def lock(self, key: str) -> AsyncGenerator[bool]:
        """Whether no other run has the key."""
        with self._lock:
            free = key not in self._claimed
            if free:
                self._claimed.add(key)
        try:
            yield free
        finally:
            if free:
                with self._lock:
                    self._claimed.discard(key)

    @property
    def _size(self) -> int:
        return sum(len(content) for slots in self._contents.values() for content in slots.values())
