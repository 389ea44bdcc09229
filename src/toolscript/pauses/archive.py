"""Where the state of one `run_code` call is while it does not run."""

import re
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property

from pydantic import ValidationError
from pydantic_ai import UserError

from toolscript.routing.placement import RUN_CODE

from .journal import Journal
from .paused_script import PausedScript, script_key, unreadable
from .remembered import Memory
from .shelf import Shelf
from .snapshots import Snapshots

_PLACE = re.compile('stored:(?P<key>[0-9a-f]{40})')


@dataclass(frozen=True)
class Archive:
    """The state in a store, if there is one, and in the requests otherwise."""

    snapshots: Snapshots
    run_code_id: str
    code: str
    key: str
    """The script's key in the store."""

    def at(self, snapshot: str) -> 'Archive':
        """The archive that a snapshot is about, if that says where in the store it is.

        The history that comes with it may say less of the conversation than the one that the script began in.
        """
        place = _PLACE.fullmatch(snapshot)
        return self if place is None else replace(self, key=place['key'])

    def claimed(self) -> AbstractAsyncContextManager[None]:
        """The script for this task alone, if there is a store that can see to it.

        Raises:
            ScriptTaken: Another task or process has it.
        """
        return nullcontext() if self._shelf is None else self._shelf.claimed(self.key)

    @cached_property
    def journal(self) -> Journal | None:
        """What became of the script's calls."""
        return None if self._shelf is None else Journal(self.key, self._shelf)

    @property
    def keeps(self) -> bool:
        """Whether there is a store."""
        return self._shelf is not None

    # -- the script

    async def keep(self, script: PausedScript) -> None:
        """Keep the script in the store."""
        if self._shelf is not None:
            await self._shelf.put(self.key, script.to_bytes(), purpose=self._purpose)

    async def hand_out(self, script: PausedScript) -> str:
        """What the request holds of a script that waits: the place in the store, or all of it."""
        if self._shelf is None:
            return self.snapshots.seal(self._purpose, script.to_bytes())
        await self.keep(script)
        return self.place

    @property
    def place(self) -> str:
        """What the request holds of a script that is in the store."""
        return f'stored:{self.key}'

    async def kept(self) -> PausedScript | None:
        """The script in the store."""
        content = None if self._shelf is None else await self._shelf.get(self.key, purpose=self._purpose)
        return None if content is None else self._read(content)

    async def take_back(self, snapshot: str) -> PausedScript:
        """The script of a request.

        Raises:
            UserError: It is not the one that was handed out, has expired, or is no longer there.
        """
        if snapshot != self.place:
            return self._read(self.snapshots.open(self._purpose, snapshot))
        script = await self.kept()
        if script is None:
            raise UserError(
                f'The snapshot of {RUN_CODE} {self.run_code_id} is not in the store (any more), so nothing was run. '
                'Every process needs Snapshots with the same store.'
            )
        return script

    def _read(self, content: bytes) -> PausedScript:
        try:
            return PausedScript.from_bytes(content)
        except ValidationError as error:
            raise UserError(unreadable(self.run_code_id, error)) from error

    # -- what a failed script leaves to the next one

    async def keep_memory(self, memory: Memory) -> None:
        """Keep what the next script should know, if there is anything."""
        if self._shelf is not None and memory.earlier:
            await self._shelf.put(f'{self.key}.memory', memory.to_bytes())

    async def memory(self) -> Memory | None:
        """What the script left to the next one."""
        content = None if self._shelf is None else await self._shelf.get(f'{self.key}.memory')
        return None if content is None else Memory.from_bytes(content)

    @cached_property
    def _shelf(self) -> Shelf | None:
        store = self.snapshots.store
        return None if store is None else Shelf(self.snapshots, store)

    @property
    def _purpose(self) -> str:
        return script_key(None, self.run_code_id, self.code)
