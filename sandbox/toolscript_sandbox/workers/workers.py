"""Workers for sessions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any, Protocol

from pydantic_monty import AsyncMonty, AsyncMontySession, AsyncMontyWebsocket, MontyError, OSPolicy

from toolscript_sandbox.contract.errors import Unavailable
from toolscript_sandbox.contract.frozen_clock import FrozenClock
from toolscript_sandbox.contract.limits import Limits

from .forks import held_over_forks, is_inherited
from .idle_processes import Shelf
from .process import Process, Worker
from .slots import Slots, Turn
from .stats import Counts


class Workers(Protocol):
    """Lends workers, each to one session at a time."""

    @property
    def lent(self) -> int:
        """Those that sessions have."""
        ...

    @property
    def idle(self) -> int:
        """Those that wait for a session."""
        ...

    async def start(self) -> None:
        """Have some ready."""
        ...

    async def lend(self, limits: Limits, frozen_clock: FrozenClock | None = None) -> Worker:
        """A worker for one session, whose clock stands where there is `frozen_clock`. Raises `Unavailable`."""
        ...

    async def give_back(self, worker: Worker) -> None:
        """The session has ended; never an error, and done even if the waiting for it is cancelled."""
        ...

    async def close(self) -> None:
        """End those that are idle; those that are lent end when they come back."""
        ...


class LocalWorkers:
    """Processes of this machine, each in a pool of its own so that it can be ended by itself."""

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
        self._checkout_seconds = checkout_seconds
        self._slots = Slots(most)
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

    async def lend(self, limits: Limits, frozen_clock: FrozenClock | None = None) -> Worker:
        """A worker for one session. Raises `Unavailable`."""
        turn = await _turn(self._slots, self._checkout_seconds)
        try:
            await self._end_stranded()
            worker, process = await self._lent(limits, frozen_clock)
        except BaseException:
            self._slots.give_back(turn)
            raise
        self._homes[worker] = process, turn
        return worker

    async def _end_stranded(self) -> None:
        """End those whose event loop was closed under them, and whose turns others have by now."""
        for worker, (_, turn) in list(self._homes.items()):
            if not self._slots.has(turn):
                worker.kill()
                await self.give_back(worker)

    async def _lent(self, limits: Limits, frozen_clock: FrozenClock | None) -> tuple[Worker, Process]:
        failure: Exception | None = None
        for _ in range(_ATTEMPTS):
            process = self._shelf.take() or Process(recycle_after=self._recycle_after)
            try:
                worker = await process.lend(lambda pool: checkout(pool, limits, frozen_clock))
            except (MontyError, RuntimeError, OSError) as error:
                # It was killed in this very moment, say; another one is as good.
                failure = error
                await process.end()
            except BaseException:
                await finished(process.end())
                raise
            else:
                return worker, process
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
    """Workers behind a WebSocket, whose processes are another machine's."""

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
        self._slots = Slots(most)
        self._checkout_seconds = checkout_seconds
        self._lent = dict[Worker, Turn]()

    @property
    def lent(self) -> int:
        """Those that sessions have."""
        return len(self._lent)

    @property
    def idle(self) -> int:
        """None: what waits elsewhere is not known here."""
        return 0

    async def start(self) -> None:
        """Open the pool."""
        held_over_forks(self)
        await self._pool.__aenter__()

    async def lend(self, limits: Limits, frozen_clock: FrozenClock | None = None) -> Worker:
        """A worker for one session. Raises `Unavailable`."""
        turn = await _turn(self._slots, self._checkout_seconds)
        try:
            worker = Worker(await checkout(self._pool, limits, frozen_clock).__aenter__())
        except (MontyError, RuntimeError, OSError) as error:
            self._slots.give_back(turn)
            raise Unavailable(f'no worker could be had: {error}') from error
        except BaseException:
            self._slots.give_back(turn)
            raise
        self._lent[worker] = turn
        return worker

    async def give_back(self, worker: Worker) -> None:
        """The session has ended; never an error, and done even if the waiting for it is cancelled."""
        self._counts.workers_lost += worker.is_lost
        closing = asyncio.ensure_future(self._given_back(worker))
        _PENDING.add(closing)
        closing.add_done_callback(_PENDING.discard)
        if worker.is_lost:
            # Nobody here can kill it: its turn ends when its limits say so, and nobody waits for that.
            return
        await asyncio.shield(closing)

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


def checkout(
    pool: AsyncMonty | AsyncMontyWebsocket, limits: Limits, frozen_clock: FrozenClock | None = None
) -> AsyncMontySession:
    """A session that runs snippets."""
    policy: OSPolicy = {'sleep': 'call_host'}
    if frozen_clock is not None:
        # Clocks that ask the host would go on from script to script, but nothing may be asked in the middle of a sort.
        policy |= {'datetime': frozen_clock.utc, 'random_start': {'seed': frozen_clock.seed}}
    return pool.checkout(limits=limits.for_monty(), os_policy=policy)


async def finished(work: Coroutine[Any, Any, None]) -> None:
    """Wait for what must be done to its end, whoever cancels the waiting."""
    task = asyncio.ensure_future(work)
    _PENDING.add(task)
    task.add_done_callback(_PENDING.discard)
    await asyncio.shield(task)


async def _turn(slots: Slots, seconds: float) -> Turn:
    try:
        return await slots.take(timeout=seconds)
    except TimeoutError as error:
        raise Unavailable('every worker of the sandbox is in use; close sessions, or allow more workers') from error


_ATTEMPTS = 3
_PENDING = set[asyncio.Future[None]]()
# An event loop holds its tasks weakly.
