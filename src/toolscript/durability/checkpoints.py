"""Where the state of one `run_code` call is while it does not run."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cached_property

from pydantic import ValidationError
from pydantic_ai import UserError

from .journal import Journal, Journaled
from .pages import Page
from .paused_script import PausedScript, Unreadable, unreadable
from .remembered import Memory
from .sealed_store import Outbox, Shelf
from .snapshots import SnapshotExpired, Snapshots

_NOT_BEGUN = 'waits for its turn:'


@dataclass(frozen=True)
class Archive:
    """The state in a store, if there is one, and in the requests otherwise."""

    snapshots: Snapshots
    run_code_id: str
    key: str
    """What the script is known by in the store and in signatures: nothing that was written for another conversation,
    call or code is taken for it."""

    @asynccontextmanager
    async def claimed(self) -> AsyncGenerator[None]:
        """The script for this task alone, if there is a store that can see to it; all is kept when this is left.

        Raises:
            ScriptLocked: Another task or process has it.
            UserError: The store failed.
        """
        if self._shelf is None or self._outbox is None:
            yield
            return
        async with self._shelf.claimed(self.key), self._outbox:
            yield

    @cached_property
    def journal(self) -> Journal | None:
        """What became of the script's calls."""
        return None if self._outbox is None else Journal(self.key, self._outbox)

    @property
    def keeps(self) -> bool:
        """Whether there is a store."""
        return self._shelf is not None

    # -- the script

    async def keep(self, script: PausedScript) -> None:
        """Keep how far the script is: before the next of its calls starts that must not run twice."""
        if self._outbox is not None:
            await self._outbox.add(self.key, self.snapshots.seal(self.key, script.to_bytes()))

    async def hand_out(self, script: PausedScript) -> str:
        """What the request holds of a script that waits: the place in the store, or all of it."""
        if self._outbox is None:
            return self.snapshots.seal(self.key, script.to_bytes())
        await self._outbox.put(self.key, self.snapshots.seal(self.key, script.to_bytes()))
        return self.place

    @property
    def place(self) -> str:
        """What the request holds of a script that is in the store."""
        return f'stored:{self.key}'

    async def kept(self) -> PausedScript | None:
        """The script in the store, with its pages; `None` where one of them is lost and a journal tells what it did.

        Raises:
            UserError: It lost a page, and its journal is gone, too.
        """
        content = None if self._shelf is None else await self._shelf.get(self.key)
        if content is None:
            return None
        script = self._read(content)
        pages = [page async for page in self._pages(script.pages)]
        if len(pages) == script.pages:
            return script.with_pages(pages)
        if self.journal is not None and await self.journal.begun():
            return None
        raise UserError(_lost_page(self.run_code_id))

    async def keep_page(self, number: int, page: Page) -> None:
        """Keep a page, counted from 0, before the first state that counts it."""
        if self._outbox is not None:
            place = self._place_of(number)
            await self._outbox.add(place, self.snapshots.lasting.seal(place, page.to_bytes()))

    async def _pages(self, count: int) -> AsyncGenerator[Page]:
        for number in range(count):
            content = None if self._shelf is None else await self._shelf.get(self._place_of(number))
            if content is not None:
                yield self._page(content)

    def _place_of(self, number: int) -> str:
        return f'{self.key}.calls.{number}'

    def take_back(self, snapshot: str) -> PausedScript:
        """The script that a request held.

        Raises:
            UserError: It is not the one that was handed out, or has expired.
        """
        return self._read(self.snapshots.open(self.key, snapshot))

    def hand_out_turn(self) -> str:
        """What the request holds of a script that has not begun, because another one waits."""
        return f'{_NOT_BEGUN}{self.snapshots.seal(self._turn, b"")}'

    def is_turn(self, snapshot: str) -> bool:
        """Whether this says that the script has not begun.

        Raises:
            UserError: It says so of another script.
        """
        if not snapshot.startswith(_NOT_BEGUN):
            return False
        self.snapshots.open(self._turn, snapshot.removeprefix(_NOT_BEGUN))
        return True

    def _read(self, content: bytes) -> PausedScript:
        try:
            return PausedScript.from_bytes(content)
        except ValidationError as error:
            raise Unreadable(unreadable(self.run_code_id, error)) from error

    def _page(self, content: bytes) -> Page:
        try:
            return Page.from_bytes(content)
        except ValidationError as error:
            raise Unreadable(unreadable(self.run_code_id, error)) from error

    # -- the journal

    async def begin_journal(self) -> None:
        """Keep that there is a journal, before the first state."""
        if self.journal is not None:
            await self.journal.begin()

    async def earlier_life(self) -> Journaled | None:
        """What is written of a life of the script whose state is lost; `None` where nothing is."""
        journal = self.journal
        return await journal.entries() if journal is not None and await journal.begun() else None

    # -- what a failed script leaves to the next one

    async def keep_memory(self, memory: Memory) -> None:
        """Keep what the next script should know, if there is anything."""
        if self._outbox is not None and memory.earlier:
            place = f'{self.key}.memory'
            await self._outbox.put(place, self.snapshots.seal(place, memory.to_bytes()))

    async def memory(self) -> Memory | None:
        """What the script left to the next one, whether it failed or was denied where it waited."""
        if self._shelf is None:
            return None
        with suppress(SnapshotExpired):
            if (content := await self._shelf.get(f'{self.key}.memory')) is not None:
                return Memory.from_bytes(content)
        with suppress(SnapshotExpired, Unreadable):
            kept = await self.kept()
            if kept is not None and kept.waits:
                # Denied by its id alone, of which nobody told us.
                kept.memory.snippet_failed()
                return kept.memory
        return None

    # -- the kept functions that it calls

    async def keep_functions(self, content: bytes) -> None:
        """Keep which functions the script found, before it starts: it finds the same ones if it starts once more."""
        if self._outbox is not None:
            place = f'{self.key}.functions'
            # What is added first is kept first: it is there before any call of the script is.
            await self._outbox.add(place, self.snapshots.seal(place, content))

    async def functions(self) -> bytes | None:
        """What was kept of them when the script started; `None` where it found none."""
        return None if self._shelf is None else await self._shelf.get(f'{self.key}.functions')

    @cached_property
    def _shelf(self) -> Shelf | None:
        store = self.snapshots.store
        return None if store is None else Shelf(self.snapshots, store)

    @cached_property
    def _outbox(self) -> Outbox | None:
        return None if self._shelf is None else Outbox(self._shelf)

    @property
    def _turn(self) -> str:
        return f'{self.key}.turn'


def _lost_page(run_code_id: str) -> str:
    return (
        f'Calls that the script of {run_code_id} had made are not in the store any more, though its state is, and '
        'neither is its journal, so nothing was run. Deny the run_code call as a whole, and the model can start again: '
        'DeferredToolResults(approvals={run_code_id: False}).'
    )
