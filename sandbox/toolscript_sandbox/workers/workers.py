"""Workers for sessions."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from pydantic_monty import MontyError, OSPolicy

from toolscript_sandbox.contract.errors import Unavailable
from toolscript_sandbox.contract.frozen_clock import HostClock, SessionClock
from toolscript_sandbox.contract.limits import Limits

from .process import Pool, Process, Worker
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
    """Scripts that were type-checked; recent ones are not checked again."""
    checks_repeated: int = 0
    """Checks that were repeated because the checker failed."""
    checks_failed: int = 0
    """Checks that failed twice; the script was refused."""
    checks_stopped: int = 0
    """Checks that took too long; the script was refused."""


class Workers:
    """Lends each worker to one session at a time.

    A worker is a process of this machine, or of another one behind a WebSocket. Each has its own pool of Monty, so
    that it can be ended separately.
    """

    def __init__(
        self,
        new_pool: Callable[[], Pool],
        *,
        max_processes: int,
        warm: int,
        idle_seconds: float,
        checkout_seconds: float,
        counts: Stats,
    ) -> None:
        self._new_pool = new_pool
        self._slots = Slots(max_processes)
        self._warm = warm
        self._checkout_seconds = checkout_seconds
        self._counts = counts
        self._idle_pool = IdlePool[Process](warm, idle_seconds)
        self._lent = dict[Worker, tuple[Process, Slot]]()
        self._closed = False

    @property
    def lent(self) -> int:
        return len(self._lent)

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
        try:
            slot = await self._slots.take(timeout=self._checkout_seconds)
        except TimeoutError as error:
            raise Unavailable('every worker of the sandbox is in use; close sessions, or allow more workers') from error
        try:
            await self._end_stranded()
            worker, process = await self._checked_out(limits, _policy(frozen_clock, seed))
        except BaseException:
            self._slots.give_back(slot)
            raise
        self._lent[worker] = process, slot
        return worker

    async def _end_stranded(self) -> None:
        """End workers whose event loop was closed and whose slots belong to others by now."""
        for worker, (_, slot) in list(self._lent.items()):
            if not self._slots.has(slot):
                worker.kill()
                await self.give_back(worker)

    async def _checked_out(self, limits: Limits, policy: OSPolicy) -> tuple[Worker, Process]:
        failure: Exception | None = None
        for _ in range(_ATTEMPTS):
            process = self._idle_pool.take() or Process(self._new_pool())
            try:
                session = process.pool.checkout(limits=limits.for_monty(), os_policy=policy)
                return await process.lend(session), process
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
        if worker not in self._lent:
            # The worker was stranded and has already been ended.
            return
        process, slot = self._lent.pop(worker)
        is_lost = worker.is_lost
        self._counts.workers_lost += is_lost
        closing = finished(self._given_back(worker, process, slot))
        if worker.is_local or not is_lost:
            # A lost worker of another machine cannot be killed. Its slot is released when its limits end it.
            await closing

    async def _given_back(self, worker: Worker, process: Process, slot: Slot) -> None:
        try:
            if await worker.close() and not self._closed:
                self._idle_pool.put(process)
            else:
                await process.end()
        finally:
            self._slots.give_back(slot)

    async def close(self) -> None:
        """End the idle workers; lent ones end when they are returned."""
        self._closed = True
        await self._idle_pool.clear()


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
