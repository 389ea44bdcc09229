"""The state that one run of an agent keeps between its scripts."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from toolscript.approvals.in_place import Questions
from toolscript.catalog.result_shapes import ResultShapes
from toolscript.durability.script_state import RunMemory

if TYPE_CHECKING:
    from toolscript.sessions.files import BinaryFiles
    from toolscript.sessions.functions_in_run import FunctionsInRun
    from toolscript.sessions.session_persistence import SessionPersistence
    from toolscript_sandbox import HostClock, HostFiles, Limits, Sandbox, Session

    from .chain import Planning
    from .speculation import Speculations
    from .speculative_script import PartialScript


@dataclass
class RunState:
    """The sandbox session of one run, opened by its first script, and what its scripts found."""

    sandbox: Sandbox
    limits: Limits
    result_shapes: ResultShapes | None = field(default_factory=ResultShapes)
    """The shapes of results; `None` if the model does not see them."""
    known_shapes: dict[str, None] = field(default_factory=dict[str, None])
    """Tools whose results' shapes failed scripts have shown. As with `found`, the next one's metadata has them."""
    failed: deque[dict[str, Any]] = field(default_factory=lambda: deque[dict[str, Any]](maxlen=10))
    """The latest failed scripts, as data, for the metadata of the next one that succeeds."""
    memory: RunMemory = field(default_factory=RunMemory)
    begun: bool = False
    """Whether a script of this run has started."""
    paused: tuple[int | None, str] = None, ''
    """The latest step with a script that waits for a decision or an external result, and its `run_code` call: later
    ones of that step wait for their turn."""
    questions: Questions = field(default_factory=Questions)
    """What the scripts of the latest step have asked the application."""
    answered_in: int | None = None
    """The step in which a script gave the output of the run."""
    partial: PartialScript[Any] | None = None
    """The script that the model is writing, or has just written, if its reads start early."""
    persistence: SessionPersistence | None = None
    """The variables that outlive the run, if any do."""
    saved: FunctionsInRun | None = None
    """The saved functions, if there are any."""
    owners: Sequence[str] = ()
    """The owners that the application names for variables, functions and files."""
    host_files: Callable[[], HostFiles] | None = None
    """Return the folders that scripts have, and create missing ones; `None` if they have none."""
    changing: list[str] = field(default_factory=list[str])
    """The ids of this run's scripts that record their changes, the oldest first."""
    stepped: Callable[[], Session] | None = None
    """Opens a session in a workflow, where scripts run in steps that the engine records."""
    planner: Planning | None = None
    """The planner of changing calls, if they are planned."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Makes the `run_code` calls of one model turn take turns, because they share the session."""
    _session: Session | None = None
    _opened_files: HostFiles | None = None

    async def session(self) -> Session:
        if self._session is None and self.stepped is not None:
            self._session = self.stepped()
        if self._session is None:
            files = await self.opened_files()
            clock = None if self.planner is None else self.planner.clock
            session = self.sandbox.session(limits=self.limits, frozen_clock=clock, files=files)
            self._session = await session.__aenter__()
        return self._session

    def preview_session(self, clock: HostClock) -> Session:
        """Return a session for a preview, with the folders that scripts have."""
        return self.sandbox.session(limits=self.limits, frozen_clock=clock, files=self._opened_files)

    async def opened_files(self) -> HostFiles | None:
        if self._opened_files is None and self.host_files is not None:
            self._opened_files = await asyncio.to_thread(self.host_files)
        return self._opened_files

    @property
    def binary_files(self) -> BinaryFiles | None:
        """The store for the bytes of files that tools take and return, if scripts have a folder for them."""
        host = self._opened_files
        if host is None:
            return None
        from toolscript.sessions.files import NAME, BinaryFiles

        return BinaryFiles(host) if NAME in host.folders else None

    @property
    def variables(self) -> frozenset[str]:
        # After a script that paused or was cancelled, the next one loads them.
        if self.persistence is not None and (self.paused[1] or not self.persistence.begun):
            return self.persistence.names
        return frozenset[str]() if self._session is None else self._session.variables

    async def speculations_of(self, run_code_id: str, code: str) -> Speculations[Any] | None:
        """Return the reads that were started for the script of that call, which is about to run."""
        partial = self.partial
        if partial is None or partial.is_closed or partial.run_code_id != run_code_id:
            return None
        return await partial.begins(code)

    async def end(self) -> None:
        try:
            if self.partial is not None:
                await self.partial.close()
            await self.close()
        finally:
            if self.persistence is not None:
                await self.persistence.close()

    async def close(self) -> None:
        """Close the session; the next script would start a new one."""
        session, self._session = self._session, None
        if session is not None:
            await session.__aexit__(None, None, None)
