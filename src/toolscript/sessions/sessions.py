"""Which variables live on in the next run, where, and for how long."""

import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from pydantic_ai import RunContext, UserError

from toolscript.checks import at_least, instance_of
from toolscript.stores import SnapshotStore


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


@dataclass(frozen=True)
class Sessions:
    """Keeps the variables that scripts set, with their functions and classes, for the next run of the conversation.

    In a store they are signed, and encrypted, with the keys of the `snapshots` beside this.
    """

    store: SnapshotStore | None = None
    """Where they are kept; the store of `snapshots` may be the same. By default this object's own memory, which ends
    with the process."""
    owner: Callable[[RunContext[Any]], str | None] | None = None
    """Whose they are, as a text: `lambda ctx: f'user {ctx.deps.user_id}'`. By default the conversation's, by its
    `conversation_id`. A run of which it says `None` finds nothing and keeps nothing."""
    ttl: timedelta = timedelta(days=7)
    """How long they are there after the last script."""
    max_bytes: int = 10_000_000
    """How much one session may be, before it is compressed; the largest variables are left out of what is more."""
    wait: timedelta = timedelta(seconds=30)
    """How long the first script of a run waits while another run has the variables; then it works with a copy, which
    is not kept."""
    max_sessions: int = 100
    """How many sessions are kept in memory; the one that was not used for longest goes. Of a store's, that is the
    store's own business."""
    max_total_bytes: int = 100_000_000
    """How much memory they may take together."""
    memory: BoundedMemory = field(init=False, repr=False, compare=False)
    """Where they are without a store."""

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        at_least('Sessions(max_bytes=...)', self.max_bytes, 1)
        at_least('Sessions(max_sessions=...)', self.max_sessions, 1)
        # Two of each session, a third larger than they are.
        at_least('Sessions(max_total_bytes=...)', self.max_total_bytes, 3 * self.max_bytes if self.store is None else 1)
        for setting, value in (('ttl', self.ttl), ('wait', self.wait)):
            instance_of(f'Sessions({setting}=...)', value, timedelta)
            if value < timedelta():
                raise UserError(f'Sessions({setting}=...) is {value!r}; use a timedelta that is not negative.')
        object.__setattr__(self, 'memory', BoundedMemory(self.max_sessions, self.max_total_bytes))

    def owner_of(self, ctx: RunContext[Any]) -> str | None:
        """Whose variables a run has; `None`: nobody's.

        Raises:
            UserError: `owner` gave what is no text, or an empty one.
        """
        if self.owner is None:
            return None if ctx.conversation_id is None else f'conversation {ctx.conversation_id}'
        owner = self.owner(ctx)
        if owner is not None and not _is_text(owner):
            raise UserError(
                f'Sessions(owner=...) gave {owner!r}; it must give a text that names whose variables they are, or None.'
            )
        return None if owner is None else f'of {owner}'


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ''
