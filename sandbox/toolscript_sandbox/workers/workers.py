"""Local and remote workers for sessions."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from pydantic_monty import AsyncMonty, AsyncMontySession, AsyncMontyWebsocket, MontyError, OSPolicy

from toolscript_sandbox.contract.errors import Unavailable
from toolscript_sandbox.contract.frozen_clock import HostClock, SessionClock
from toolscript_sandbox.contract.limits import Limits

from .host_process import client_is_inherited, keep_over_forks
from .process import Process, Worker
from .slots import IdlePool, Slot, Slots


@dataclass
class Stats:
    """Counts since the sandbox was made, except the first two."""

    workers_in_use: int = 0
    """Workers that sessions currently use."""
    workers_idle: int = 0
    """Workers that are currently idle."""
    workers_lost: int = 0
    """Workers that died or were killed during work."""
    checks: int = 0
    """Snippets that were type-checked; recent ones are not checked again."""
    checks_repeated: int = 0
    """Checks that were repeated because the checker failed."""
    checks_failed: int = 0
    """Checks that failed twice; the snippet was refused."""
    checks_stopped: int = 0
    """Checks that took too long; the snippet was refused."""


class _Workers:
    """A limited number of workers."""

    def __init__(self, most: int, checkout_seconds: float, counts: Stats) -> None:
        self._counts = counts
        self._slots = Slots(most)
        self._checkout_seconds = checkout_seconds
        self._lent = dict[Worker, Slot]()

    @property
    def lent(self) -> int:
        return len(self._lent)

    @asynccontextmanager
    async def _slot(self) -> AsyncGenerator[Slot]:
        """Take a slot, and release it if the body fails. Raises `Unavailable`."""
        try:
            slot = await self._slots.take(timeout=self._checkout_seconds)
        except TimeoutError as error:
            raise Unavailable('every worker of the sandbox is in use; close sessions, or allow more workers') from error
        try:
            yield slot
        except BaseException:
            self._slots.give_back(slot)
            raise


class LocalWorkers(_Workers):
    """Lends each worker process of this machine to one session at a time. Each process has its own pool, so that it can
    be ended separately."""

    def __init__(
        self,
        *,
        most: int,
        warm: int,
        recycle_after: int | None,
        idle_seconds: float,
        checkout_seconds: float,
        counts: Stats,
    ) -> None:
        super().__init__(most, checkout_seconds, counts)
        self._warm = warm
        self._recycle_after = recycle_after
        self._idle_pool = IdlePool[Process](warm, idle_seconds)
        self._processes = dict[Worker, Process]()
        self._closed = False

    @property
    def idle(self) -> int:
        return len(self._idle_pool)

    async def start(self) -> None:
        self._closed = False
        workers = list[Worker]()
        try:
            for _ in range(self._warm):
                workers.append(await self.lend(Limits()))
        finally:
            for worker in workers:
                await self.give_back(worker)

    async def lend(self, limits: Limits, frozen_clock: SessionClock | None = None, *, seed: bytes = b'') -> Worker:
        """Lend a worker to one session, with time and random numbers from `frozen_clock`. Raises `Unavailable`."""
        async with self._slot() as slot:
            await self._end_stranded()
            worker, process = await self._checked_out(limits, _policy(frozen_clock, seed))
            self._lent[worker], self._processes[worker] = slot, process
            return worker

    async def _end_stranded(self) -> None:
        """End workers whose event loop was closed and whose slots belong to others by now."""
        for worker, slot in list(self._lent.items()):
            if not self._slots.has(slot):
                worker.kill()
                await self.give_back(worker)

    async def _checked_out(self, limits: Limits, policy: OSPolicy) -> tuple[Worker, Process]:
        failure: Exception | None = None
        for _ in range(_ATTEMPTS):
            process = self._idle_pool.take() or Process(recycle_after=self._recycle_after)
            try:
                return await process.lend(lambda pool: checkout(pool, limits, policy)), process
            except (MontyError, RuntimeError, OSError) as error:
                # It may have been killed at this moment, for example. Try another one.
                failure = error
                await process.end()
            except BaseException:
                await finished(process.end())
                raise
        raise Unavailable(f'no worker could be started: {failure}') from failure

    async def give_back(self, worker: Worker) -> None:
        """Return the worker of a session that has ended. Never raises, and finishes even if the caller is cancelled."""
        process, slot = self._processes.pop(worker, None), self._lent.pop(worker, None)
        if process is None or slot is None:
            # The worker was stranded and has already been ended.
            return
        fit = False
        self._counts.workers_lost += worker.is_lost
        try:
            fit = await worker.close()
        finally:
            if fit and not self._closed:
                self._idle_pool.put(process)
                self._slots.give_back(slot)
            else:
                await finished(self._ended(process, slot))

    async def _ended(self, process: Process, slot: Slot) -> None:
        try:
            await process.end()
        finally:
            self._slots.give_back(slot)

    async def close(self) -> None:
        """End the idle workers; lent ones end when they are returned."""
        self._closed = True
        await self._idle_pool.clear()


class RemoteWorkers(_Workers):
    """Lends each worker of another machine, behind a WebSocket, to one session at a time."""

    idle = 0
    """The number of idle workers on the other machine is unknown, so 0."""

    def __init__(
        self,
        url: str,
        *,
        headers: Callable[[], Mapping[str, str]] | None,
        most: int,
        checkout_seconds: float,
        counts: Stats,
    ) -> None:
        super().__init__(most, checkout_seconds, counts)
        self._pool = AsyncMontyWebsocket(
            url,
            max_processes=most,
            checkout_timeout=checkout_seconds,
            request_timeout=None,
            connect_headers=headers,
            auto_resume=True,
        )

    async def start(self) -> None:
        keep_over_forks(self)
        await self._pool.__aenter__()

    async def lend(self, limits: Limits, frozen_clock: SessionClock | None = None, *, seed: bytes = b'') -> Worker:
        """Lend a worker to one session. Raises `Unavailable`."""
        async with self._slot() as slot:
            try:
                worker = Worker(await checkout(self._pool, limits, _policy(frozen_clock, seed)).__aenter__())
            except (MontyError, RuntimeError, OSError) as error:
                raise Unavailable(f'no worker could be started: {error}') from error
            self._lent[worker] = slot
            return worker

    async def give_back(self, worker: Worker) -> None:
        """Return the worker of a session that has ended. Never raises, and finishes even if the caller is cancelled."""
        lost = worker.is_lost
        self._counts.workers_lost += lost
        closing = finished(self._given_back(worker))
        if not lost:
            # A lost worker cannot be killed from here. Its slot is released when its limits end it; we do not wait.
            await closing

    async def _given_back(self, worker: Worker) -> None:
        try:
            await worker.close()
        finally:
            self._slots.give_back(self._lent.pop(worker))

    async def close(self) -> None:
        if client_is_inherited():
            return
        with suppress(MontyError, RuntimeError, OSError):
            await self._pool.__aexit__(None, None, None)


def checkout(pool: AsyncMonty | AsyncMontyWebsocket, limits: Limits, policy: OSPolicy) -> AsyncMontySession:
    return pool.checkout(limits=limits.for_monty(), os_policy=policy)


def _policy(clock: SessionClock | None, seed: bytes) -> OSPolicy:
    policy: OSPolicy = {'sleep': 'call_host'}
    if clock is not None:
        policy['random_start'] = {'seed': clock.seed}
        # Scripts cannot read a clock of the host in the middle of a sort.
        policy['datetime'] = 'call_host' if isinstance(clock, HostClock) else clock.utc
    elif seed:
        policy['random_start'] = {'seed': seed}
    return policy


def finished(work: Coroutine[Any, Any, None]) -> Awaitable[None]:
    """Start work that must finish even if the task that awaits it is cancelled."""
    task = asyncio.ensure_future(work)
    # An event loop keeps only weak references to its tasks.
    _PENDING.add(task)
    task.add_done_callback(_PENDING.discard)
    return asyncio.shield(task)


_ATTEMPTS = 3
_PENDING = set[asyncio.Future[None]]()
