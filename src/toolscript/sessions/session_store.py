"""Stores the variables of one owner.

There are two slots, written alternately: what a script left, and what it started with. A process may die after a script
has ended but before its answer is stored; then the same script runs again, and must start with the same variables.
"""

import asyncio
import hashlib
import logging
from collections.abc import Iterable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from pydantic import ValidationError
from pydantic_ai import UserError
from pydantic_ai.messages import BinaryContent, MultiModalContent

from toolscript.catalog.code_catalog import CodeCatalog
from toolscript.durability.snapshots import SnapshotExpired, Snapshots
from toolscript.stored_json import StoredJson
from toolscript.stores.store import LockingStore, SnapshotStore

from .sessions import Sessions


@dataclass(frozen=True)
class ToolNamed:
    tool_name: str
    digest: str
    """The digest of its signature."""


@dataclass(frozen=True)
class StoredSession:
    number: int
    """The number of sessions that all runs stored before it."""
    after: str
    """The key of the script after which it was stored."""
    saved_at: float
    """Seconds since 1970."""
    variables: tuple[str, ...]
    """A short description of each variable."""
    state: bytes
    """The sandbox's serialized session."""
    tools: dict[str, ToolNamed] = field(default_factory=dict[str, ToolNamed])
    """The tools that the scripts named and that functions among the variables may call, by Python name."""
    files: dict[str, MultiModalContent] = field(default_factory=dict[str, MultiModalContent])
    saved_functions: dict[str, str] = field(default_factory=dict[str, str])
    """The digests of saved functions among the variables, by name, and the statements that import names."""

    def changed_tools(self, catalog: CodeCatalog) -> list[str]:
        """Return the names of existing tools that were another tool, or had another signature."""
        now = tools_named(self.tools, catalog)
        return [name for name, tool in self.tools.items() if name in now and now[name] != tool]


def tools_named(names: Iterable[str], catalog: CodeCatalog) -> dict[str, ToolNamed]:
    functions = {name: function for name in names if (function := catalog.get(name)) is not None}
    return {name: ToolNamed(function.spec.name, _digest(function.stub)) for name, function in functions.items()}


def files_that_fit(files: Mapping[str, MultiModalContent], room: int) -> dict[str, MultiModalContent]:
    """Return the newest files that fit into `room` bytes, in the same order."""
    stored = dict[str, MultiModalContent]()
    for name, file in reversed(list(files.items())):
        room -= len(file.data) if isinstance(file, BinaryContent) else 1_000
        if room < 0:
            break
        stored[name] = file
    return dict(reversed(stored.items()))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


_json = StoredJson(StoredSession)


Gone: TypeAlias = Literal['expired', 'not trusted', 'another version']
"""Why earlier variables are no longer available."""


@dataclass(frozen=True)
class Found:
    newest: StoredSession | None = None
    before: StoredSession | None = None
    """The session before the newest script."""
    gone: Gone | None = None
    """Why earlier variables are no longer available; otherwise `None`."""

    @property
    def number(self) -> int:
        return 0 if self.newest is None else self.newest.number

    def at_start_of(self, script: str) -> StoredSession | None:
        """Return the session with which a script starts; it may have run before."""
        return self.before if self.newest is not None and self.newest.after == script else self.newest


@dataclass(frozen=True)
class SessionStore:
    """The variables of one owner in a store: signed, and encrypted if there is a key."""

    key: str
    store: SnapshotStore
    snapshots: Snapshots
    """Signs and encrypts them."""

    def now(self) -> float:
        """Return the time in seconds since the epoch, the same for all processes that share the store."""
        return self.snapshots.now()

    def lock(self) -> AbstractAsyncContextManager[bool]:
        """Lock the variables. The context's value is whether no other run has locked them."""
        return self.store.lock(self.key) if isinstance(self.store, LockingStore) else nullcontext(True)

    async def put(self, stored: StoredSession) -> None:
        """Save the variables after a script, replacing those from two scripts ago, or, if they are the first, all."""
        slots = [stored.number % 2]
        if stored.number == 1 and await self.store.load(f'{self.key}.0') is not None:
            # Variables that are gone: what is left of them would count as newer, or as a reason to drop these.
            slots.append(0)
        # Signing and compressing megabytes would block the event loop too long.
        content = await asyncio.to_thread(_json.dump, stored)
        for place in [f'{self.key}.{slot}' for slot in slots]:
            await self.store.save(place, await asyncio.to_thread(self.snapshots.seal, place, content))

    async def find(self) -> Found:
        """Load the stored variables. Raises `UserError` if the store failed."""
        stored, gone = list[StoredSession](), list[Gone]()
        for slot in range(2):
            place = f'{self.key}.{slot}'
            text = await self._load(place)
            if text is None:
                continue
            try:
                content = await asyncio.to_thread(self.snapshots.open, place, text)
                stored.append(await asyncio.to_thread(_json.load, content))
            except SnapshotExpired:
                gone.append('expired')
            except UserError as error:
                _logger.warning('Variables that were saved are not loaded: %s', error)
                gone.append('not trusted')
            except ValidationError:
                gone.append('another version')
        if 'not trusted' in gone or 'another version' in gone or not stored:
            return Found(gone=min(gone, key=lambda why: why == 'expired', default=None))
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


def session_store(owner: str, sessions: Sessions, snapshots: Snapshots) -> SessionStore:
    key = f'session.{hashlib.sha256(owner.encode()).hexdigest()[:40]}'
    if sessions.store is None:
        memory = sessions.memory
        return SessionStore(key, memory, Snapshots(key=memory.key, store=memory, ttl=sessions.ttl))
    return SessionStore(key, sessions.store, replace(snapshots, store=sessions.store, ttl=sessions.ttl))


_logger = logging.getLogger('toolscript.sessions')
