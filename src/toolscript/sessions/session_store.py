"""Where the variables of one owner are stored.

There are two places, written in turn: what a script left, and what it found. A process may die when a script has ended
and its answer has not been stored; then the same script runs again, and must find what it found before.
"""

import asyncio
import hashlib
import logging
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from pydantic import ValidationError
from pydantic_ai import UserError
from pydantic_ai.messages import BinaryContent, MultiModalContent

from toolscript.catalog.code_catalog import CodeCatalog
from toolscript.durability.snapshots import SnapshotExpired, Snapshots
from toolscript.stored_json import StoredJson
from toolscript.stores import LockingStore, SnapshotStore

from .sessions import Sessions


@dataclass(frozen=True)
class ToolNamed:
    """The tool behind a name that scripts used."""

    tool_name: str
    digest: str
    """Of its signature."""


@dataclass(frozen=True)
class StoredSession:
    """The variables that a script left."""

    number: int
    """How many sessions were stored before it, by all runs."""
    after: str
    """The key of the script."""
    saved_at: float
    """Seconds since 1970."""
    variables: tuple[str, ...]
    """What they are, in a few words each."""
    state: bytes
    """The sandbox's part."""
    tools: dict[str, ToolNamed] = field(default_factory=dict[str, ToolNamed])
    """By Python name, the tools that the scripts named, and that functions among the variables may call."""
    files: dict[str, MultiModalContent] = field(default_factory=dict[str, MultiModalContent])
    saved_functions: dict[str, str] = field(default_factory=dict[str, str])
    """The saved functions among them, with the digests of their texts, and what they import."""

    def to_bytes(self) -> bytes:
        """As JSON."""
        return _json.dump(self)

    @classmethod
    def from_bytes(cls, data: bytes) -> 'StoredSession':
        """The session again.

        Raises:
            ValidationError: Another version wrote it.
        """
        return _json.load(data)

    def changed_tools(self, catalog: CodeCatalog) -> list[str]:
        """The names that mean another tool now, or one that takes or gives something else.

        Tools that no longer exist are not among them: no function can call them.
        """
        now = tools_named(self.tools, catalog)
        return [name for name, tool in self.tools.items() if name in now and now[name] != tool]


def tools_named(names: Iterable[str], catalog: CodeCatalog) -> dict[str, ToolNamed]:
    """The tools behind names, as far as there are some."""
    functions = {name: function for name in names if (function := catalog.get(name)) is not None}
    return {name: ToolNamed(function.spec.name, _digest(function.stub)) for name, function in functions.items()}


def files_that_fit(files: Mapping[str, MultiModalContent], room: int) -> dict[str, MultiModalContent]:
    """The newest files that there is room for, in bytes."""
    stored = dict[str, MultiModalContent]()
    for name, file in reversed(list(files.items())):
        room -= len(file.data) if isinstance(file, BinaryContent) else 1_000
        if room < 0:
            break
        stored[name] = file
    return stored


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


_json = StoredJson(StoredSession)


Gone: TypeAlias = Literal['expired', 'not trusted', 'another version']
"""Why there are no variables any more."""


@dataclass(frozen=True)
class Found:
    """What is stored of an owner's variables."""

    newest: StoredSession | None = None
    before: StoredSession | None = None
    """What the newest script found."""
    gone: Gone | None = None
    """Why there is nothing, where there was something."""

    @property
    def number(self) -> int:
        """That of the session that was stored last."""
        return 0 if self.newest is None else self.newest.number

    def at_start_of(self, script: str) -> StoredSession | None:
        """What that script finds, which may have run before."""
        return self.before if self.newest is not None and self.newest.after == script else self.newest


@dataclass(frozen=True)
class SessionStore:
    """The variables of one owner in a store: signed, and encrypted if there is a key."""

    key: str
    store: SnapshotStore
    snapshots: Snapshots
    """What signs and encrypts them."""

    def now(self) -> float:
        """Seconds since the epoch, the same for all who share the store."""
        return self.snapshots.now()

    def lock(self) -> AbstractAsyncContextManager[bool]:
        """Whether no other run has the variables."""
        return self.store.lock(self.key) if isinstance(self.store, LockingStore) else nullcontext(True)

    async def put(self, stored: StoredSession) -> None:
        """Save what a script left, in the place of what the script before the last one did."""
        place = f'{self.key}.{stored.number % 2}'
        # Megabytes are signed and compressed in as long as others would wait for the event loop.
        await self.store.save(place, await asyncio.to_thread(lambda: self.snapshots.seal(place, stored.to_bytes())))

    async def find(self) -> Found:
        """What is there.

        Raises:
            UserError: The store failed.
        """
        stored, gone = list[StoredSession](), list[Gone]()
        for slot in range(2):
            place = f'{self.key}.{slot}'
            text = await self._load(place)
            if text is None:
                continue
            try:
                content = await asyncio.to_thread(self.snapshots.open, place, text)
                stored.append(await asyncio.to_thread(StoredSession.from_bytes, content))
            except SnapshotExpired:
                gone.append('expired')
            except UserError as error:
                _logger.warning('Variables that were saved are not loaded: %s', error)
                gone.append('not trusted')
            except ValidationError:
                gone.append('another version')
        if 'not trusted' in gone or 'another version' in gone or not stored:
            return Found(gone=_worst(gone))
        newest = max(stored, key=lambda one: one.number)
        if self.now() > newest.saved_at + self.snapshots.ttl.total_seconds():
            return Found(gone='expired')
        return Found(newest, next((one for one in stored if one.number == newest.number - 1), None))

    async def _load(self, place: str) -> str | None:
        try:
            return await self.store.load(place)
        except Exception as error:
            name = type(self.store).__name__
            raise UserError(
                f'{name} could not load the variables of earlier runs: {type(error).__name__}: {error}. When the '
                'store works, run the agent again.'
            ) from error


def _worst(gone: Sequence[Gone]) -> Gone | None:
    for why in gone:
        if why != 'expired':
            return why
    return gone[0] if gone else None


def session_store(owner: str, sessions: Sessions, snapshots: Snapshots) -> SessionStore:
    """Where the variables of an owner are."""
    key = f'session.{hashlib.sha256(owner.encode()).hexdigest()[:40]}'
    if sessions.store is None:
        memory = sessions.memory
        return SessionStore(key, memory, Snapshots(key=memory.key, store=memory, ttl=sessions.ttl))
    return SessionStore(key, sessions.store, replace(snapshots, store=sessions.store, ttl=sessions.ttl))


_logger = logging.getLogger('toolscript.sessions')
