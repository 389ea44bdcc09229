"""Who may go on, and who waits until somebody lets him."""

from .tasks import Future


class Lock:
    def __init__(self):
        self._locked = False
        self._waiters = []

    def locked(self):
        return self._locked

    async def acquire(self):
        if not self._locked and all([waiter.cancelled() for waiter in self._waiters]):
            self._locked = True
            return True
        waiter = Future()
        self._waiters.append(waiter)
        try:
            try:
                await waiter._wait()
            finally:
                removed(self._waiters, waiter)
        except SystemExit as error:
            if not self._locked:
                self._wake_first()
            raise
        self._locked = True
        return True

    def release(self):
        if not self._locked:
            raise RuntimeError('Lock is not acquired.')
        self._locked = False
        self._wake_first()

    def _wake_first(self):
        if self._waiters and not self._waiters[0].done():
            self._waiters[0].set_result(True)

    async def __aenter__(self):
        await self.acquire()
        return None

    async def __aexit__(self, kind, error, trace):
        self.release()


def removed(items, item):
    for place, other in enumerate(items):
        if other is item:
            items.pop(place)
            return


class Event:
    def __init__(self):
        self._set = False
        self._waiters = []

    def is_set(self):
        return self._set

    def set(self):
        if not self._set:
            self._set = True
            for waiter in self._waiters:
                if not waiter.done():
                    waiter.set_result(True)

    def clear(self):
        self._set = False

    async def wait(self):
        if self._set:
            return True
        waiter = Future()
        self._waiters.append(waiter)
        try:
            await waiter._wait()
            return True
        finally:
            removed(self._waiters, waiter)


class Condition:
    def __init__(self, lock=None):
        self._lock = Lock() if lock is None else lock
        self._waiters = []

    def locked(self):
        return self._lock.locked()

    async def acquire(self):
        return await self._lock.acquire()

    def release(self):
        self._lock.release()

    async def __aenter__(self):
        await self.acquire()
        return None

    async def __aexit__(self, kind, error, trace):
        self.release()

    async def wait(self):
        if not self.locked():
            raise RuntimeError('cannot wait on un-acquired lock')
        self.release()
        try:
            waiter = Future()
            self._waiters.append(waiter)
            try:
                await waiter._wait()
                return True
            finally:
                removed(self._waiters, waiter)
        finally:
            cancelled = None
            acquired = False
            while not acquired:
                try:
                    await self.acquire()
                    acquired = True
                except SystemExit as error:
                    cancelled = error
            if cancelled is not None:
                raise cancelled

    async def wait_for(self, predicate):
        result = predicate()
        while not result:
            await self.wait()
            result = predicate()
        return result

    def notify(self, n=1):
        if not self.locked():
            raise RuntimeError('cannot notify on un-acquired lock')
        for waiter in self._waiters:
            if n > 0 and not waiter.done():
                n -= 1
                waiter.set_result(False)

    def notify_all(self):
        self.notify(len(self._waiters))


class Semaphore:
    def __init__(self, value=1):
        if value < 0:
            raise ValueError('Semaphore initial value must be >= 0')
        self._value = value
        self._most = None
        self._waiters = []

    def locked(self):
        return self._value == 0 or any([not waiter.cancelled() for waiter in self._waiters])

    async def acquire(self):
        if not self.locked():
            self._value -= 1
            return True
        waiter = Future()
        self._waiters.append(waiter)
        try:
            try:
                await waiter._wait()
            finally:
                removed(self._waiters, waiter)
        except SystemExit as error:
            if not waiter.cancelled():
                self._value += 1
                self._wake_next()
            raise
        if self._value > 0:
            self._wake_next()
        return True

    def release(self):
        if self._most is not None and self._value >= self._most:
            raise ValueError('BoundedSemaphore released too many times')
        self._value += 1
        self._wake_next()

    def _wake_next(self):
        for waiter in self._waiters:
            if not waiter.done():
                self._value -= 1
                waiter.set_result(True)
                return

    async def __aenter__(self):
        await self.acquire()
        return None

    async def __aexit__(self, kind, error, trace):
        self.release()


def BoundedSemaphore(value=1):
    made = Semaphore(value)
    made._most = value
    return made
