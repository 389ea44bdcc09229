"""Settings of persistent variables: whose they are, where they are stored, and for how long."""

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from pydantic_ai import RunContext, UserError

from toolscript.checks import at_least, instance_of, named_owner, not_a_path
from toolscript.stores.store import MemoryStore, SnapshotStore


@dataclass(kw_only=True)
class BoundedMemory(MemoryStore):
    """A store in memory with a size limit; the least recently used texts are removed. It is thread-safe."""

    max_texts: int
    max_chars: int
    key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    """The key that signs the texts, which never leave this process."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    async def save(self, key: str, text: str, /) -> None:
        with self._lock:
            self._use(key)
            self.texts.pop(key, None)
            self.texts[key] = text
            while len(self.texts) > self.max_texts or sum(map(len, self.texts.values())) > self.max_chars:
                del self.texts[next(iter(self.texts))]

    async def load(self, key: str, /) -> str | None:
        with self._lock:
            self._use(key)
            return self.texts.get(key)

    def _use(self, key: str) -> None:
        # The older text of a session must go first, because without the newer one it would pass for the newest.
        session = key.rpartition('.')[0]
        for used in [one for one in self.texts if one.rpartition('.')[0] == session]:
            self.texts[used] = self.texts.pop(used)


@dataclass(frozen=True)
class Sessions:
    """Stores the variables, functions and classes of scripts for the next run of the conversation.

    Data in a store is signed, and encrypted if there is a key, with the keys of `snapshots`.
    """

    store: SnapshotStore | None = None
    """The store of the variables, which may be the same as that of `snapshots`. By default, they are kept in memory."""
    owner: Callable[[RunContext[Any]], str | None] | None = None
    """Return the owner of the variables as text: `lambda ctx: f'user {ctx.deps.user_id}'`. The default owner is the
    conversation, by its `conversation_id`. If it returns `None`, nothing is loaded or stored in the run."""
    ttl: timedelta = timedelta(days=7)
    """How long the variables are stored after the last script."""
    max_bytes: int = 10_000_000
    """The maximum size of one session before compression; the largest variables are left out of a larger one."""
    wait: timedelta = timedelta(seconds=30)
    """How long the first script of a run waits for another run to unlock the variables. After that, it works with a
    copy, which is not stored."""
    max_sessions: int = 100
    """The maximum number of sessions in memory; the least recently used is removed. A store has limits of its own."""
    max_total_bytes: int = 100_000_000
    """The maximum total size of all sessions in memory, in bytes, compressed."""
    memory: BoundedMemory = field(init=False, repr=False, compare=False)
    """The sessions in memory, used if there is no store."""

    def __post_init__(self) -> None:
        not_a_path('Sessions(store=...)', self.store)
        at_least('Sessions(max_bytes=...)', self.max_bytes, 1)
        at_least('Sessions(max_sessions=...)', self.max_sessions, 1)
        # Two slots of each session, at most a third larger than the sessions.
        at_least('Sessions(max_total_bytes=...)', self.max_total_bytes, 3 * self.max_bytes if self.store is None else 1)
        for setting, value in (('ttl', self.ttl), ('wait', self.wait)):
            instance_of(f'Sessions({setting}=...)', value, timedelta)
            if value < timedelta():
                raise UserError(f'Sessions({setting}=...) is {value!r}; use a timedelta that is not negative.')
        object.__setattr__(
            self, 'memory', BoundedMemory(max_texts=2 * self.max_sessions, max_chars=self.max_total_bytes)
        )

    def owner_of(self, ctx: RunContext[Any]) -> str | None:
        """Return the owner of a run's variables; `None` if they are not stored.

        Raises:
            UserError: `owner` returned an empty text, or no text.
        """
        if self.owner is None:
            return None if ctx.conversation_id is None else f'conversation {ctx.conversation_id}'
        owner = named_owner('Sessions', self.owner(ctx))
        return None if owner is None else f'of {owner}'
