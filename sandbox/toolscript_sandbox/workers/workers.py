"""Workers for sessions."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

from pydantic_monty import AsyncMonty, AsyncMontySession, AsyncMontyWebsocket, MontyError, OSPolicy

from toolscript_sandbox.contract.as_of import AsOf
from toolscript_sandbox.contract.errors import Unavailable
from toolscript_sandbox.contract.limits import Limits

from .host_process import held_over_forks, is_inherited
from .idle_processes import Shelf
from .process import Process, Worker
from .slots import Slots, Turn
from .stats import Counts


class LocalWorkers:
    """Processes of this machine, each in a pool of its own so that it can be ended by itself. Lends each to one session
    at a time."""

    def __init__(
        self,
        *,
        most: int,
        warm: int,
        recycle_after: int | None,
        idle_seconds: float,
        checkout_seconds: float,
        counts: Counts,
    ) -> None:
        self._counts = counts
        self._warm = warm
        self._recycle_after = recycle_after
        self._slots = _WorkerSlots(most, checkout_seconds)
        self._shelf = Shelf[Process](warm, idle_seconds)
        self._homes = dict[Worker, tuple[Process, Turn]]()
        self._closed = False

    @property
    def lent(self) -> int:
        """Those that sessions have."""
        return len(self._homes)

    @property
    def idle(self) -> int:
        """Those that wait for a session."""
        return len(self._shelf)

    async def start(self) -> None:
        """Have the warm ones ready."""
        self._closed = False
        workers = list[Worker]()
        try:
            for _ in range(self._warm):
                workers.append(await self.lend(Limits()))
        finally:
            for worker in workers:
                await self.give_back(worker)

    async def lend(self, limits: Limits, as_of: AsOf | None = None) -> Worker:
        """A worker for one session, whose clock stands where there is `as_of`. Raises `Unavailable`."""
        async with self._slots.turn() as turn:
            await self._end_stranded()
            worker, process = await self._lent(limits, as_of)
            self._homes[worker] = process, turn
            return worker

    async def _end_stranded(self) -> None:
        """End those whose event loop was closed under them, and whose turns others have by now."""
        for worker, (_, turn) in list(self._homes.items()):
            if not self._slots.has(turn):
                worker.kill()
                await self.give_back(worker)

    async def _lent(self, limits: Limits, as_of: AsOf | None) -> tuple[Worker, Process]:
        failure: Exception | None = None
        for _ in range(_ATTEMPTS):
            process = self._shelf.take() or Process(recycle_after=self._recycle_after)
            try:
                return await process.lend(lambda pool: checkout(pool, limits, as_of)), process
            except (MontyError, RuntimeError, OSError) as error:
                # It was killed in this very moment, say; another one is as good.
                failure = error
                await process.end()
            except BaseException:
                await finished(process.end())
                raise
        raise Unavailable(f'no worker could be had: {failure}') from failure

    async def give_back(self, worker: Worker) -> None:
        """The session has ended; never an error, and done even if the waiting for it is cancelled."""
        process, turn = self._homes.pop(worker, (None, None))
        if process is None or turn is None:
            # It was stranded, and has been ended.
            return
        fit = False
        self._counts.workers_lost += worker.is_lost
        try:
            fit = await worker.close()
        finally:
            if fit and not self._closed:
                self._shelf.put(process)
                self._slots.give_back(turn)
            else:
                await finished(self._ended(process, turn))

    async def _ended(self, process: Process, turn: Turn) -> None:
        try:
            await process.end()
        finally:
            self._slots.give_back(turn)

    async def close(self) -> None:
        """End those that are idle; those that are lent end when they come back."""
        self._closed = True
        await self._shelf.clear()


class RemoteWorkers:
    """Workers behind a WebSocket, whose processes are another machine's. Lends each to one session at a time."""

    idle = 0
    """What waits elsewhere is not known here."""

    def __init__(
        self,
        url: str,
        *,
        headers: Callable[[], Mapping[str, str]] | None,
        most: int,
        checkout_seconds: float,
        counts: Counts,
    ) -> None:
        self._counts = counts
        self._pool = AsyncMontyWebsocket(
            url,
            max_processes=most,
            checkout_timeout=checkout_seconds,
            request_timeout=None,
            connect_headers=headers,
            auto_resume=True,
        )
        self._slots = _WorkerSlots(most, checkout_seconds)
        self._lent = dict[Worker, Turn]()

    @property
    def lent(self) -> int:
        """Those that sessions have."""
        return len(self._lent)

    async def start(self) -> None:
        """Open the pool."""
        held_over_forks(self)
        await self._pool.__aenter__()

    async def lend(self, limits: Limits, as_of: AsOf | None = None) -> Worker:
        """A worker for one session. Raises `Unavailable`."""
        async with self._slots.turn() as turn:
            try:
                worker = Worker(await checkout(self._pool, limits, as_of).__aenter__())
            except (MontyError, RuntimeError, OSError) as error:
                raise Unavailable(f'no worker could be had: {error}') from error
            self._lent[worker] = turn
            return worker

    async def give_back(self, worker: Worker) -> None:
        """The session has ended; never an error, and done even if the waiting for it is cancelled."""
        lost = worker.is_lost
        self._counts.workers_lost += lost
        closing = finished(self._given_back(worker))
        if not lost:
            # Nobody here can kill a lost one: its turn ends when its limits say so, and nobody waits for that.
            await closing

    async def _given_back(self, worker: Worker) -> None:
        try:
            await worker.close()
        finally:
            self._slots.give_back(self._lent.pop(worker))

    async def close(self) -> None:
        """Close the pool."""
        if is_inherited():
            return
        with suppress(MontyError, RuntimeError, OSError):
            await self._pool.__aexit__(None, None, None)


class _WorkerSlots(Slots):
    """So many workers at a time."""

    def __init__(self, count: int, seconds: float) -> None:
        super().__init__(count)
        self._seconds = seconds

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[Turn]:
        """A turn, which is given back if what follows fails. Raises `Unavailable`."""
        try:
            turn = await self.take(timeout=self._seconds)
        except TimeoutError as error:
            raise Unavailable('every worker of the sandbox is in use; close sessions, or allow more workers') from error
        try:
            yield turn
        except BaseException:
            self.give_back(turn)
            raise


def checkout(pool: AsyncMonty | AsyncMontyWebsocket, limits: Limits, as_of: AsOf | None = None) -> AsyncMontySession:
    """A session that runs snippets."""
    policy: OSPolicy = {'sleep': 'call_host'}
    if as_of is not None:
        # Clocks that ask the host would go on from script to script, but nothing may be asked in the middle of a sort.
        policy |= {'datetime': as_of.utc, 'random_start': {'seed': as_of.seed}}
    return pool.checkout(limits=limits.for_monty(), os_policy=policy)


def finished(work: Coroutine[Any, Any, None]) -> Awaitable[None]:
    """Begins what must be done to its end, whoever cancels the waiting for it."""
    task = asyncio.ensure_future(work)
    # An event loop holds its tasks weakly.
    _PENDING.add(task)
    task.add_done_callback(_PENDING.discard)
    return asyncio.shield(task)


_ATTEMPTS = 3
_PENDING = set[asyncio.Future[None]]()
