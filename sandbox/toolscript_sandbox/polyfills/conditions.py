"""Conditions."""

from .events import in_line, wake
from .locks import Lock


class Condition:
    def __init__(self, lock=None):
        self._lock, self._waiters = Lock() if lock is None else lock, []
        self.acquire, self.release, self.locked = _methods(self._lock)

    async def __aenter__(self): await self._lock.acquire()
    async def __aexit__(self, kind, error, trace): self._lock.release()

    async def wait(self):
        self._lock.release()
        cancelled = None
        try:
            await in_line(self._waiters)
        except SystemExit as error:
            cancelled = error
        acquired = False
        while not acquired:
            try:
                acquired = await self._lock.acquire()
            except SystemExit as error:
                cancelled = error
        if cancelled is not None:
            raise cancelled
        return True

    async def wait_for(self, predicate):
        result = predicate()
        while not result:
            await self.wait()
            result = predicate()
        return result

    def notify(self, n=1):
        if not self._lock.locked():
            raise RuntimeError('cannot notify on un-acquired lock')
        wake(self._waiters, n)

    def notify_all(self): self.notify(len(self._waiters))


def _methods(lock): return (lambda: lock.acquire()), (lambda: lock.release()), (lambda: lock.locked())
