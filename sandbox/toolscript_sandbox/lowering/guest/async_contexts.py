"""Asynchronous contexts."""

from .error_kinds import is_a
from .errors import StopAsyncIteration


class aclosing:
    def __init__(self, thing):
        self.thing = thing

    async def __aenter__(self):
        return self.thing

    async def __aexit__(self, kind, error, trace):
        await self.thing.aclose()
        return False


def asynccontextmanager(function):
    def made(*args, **kwargs):
        return _Context(function(*args, **kwargs))

    return made


class _Context:
    """What stands before a generator's `yield` when it is entered, and what stands behind it when it is left."""

    def __init__(self, generator):
        self._generator = generator

    async def __aenter__(self):
        if not await self._generator.more():
            raise RuntimeError("generator didn't yield")
        return self._generator.value

    async def __aexit__(self, kind, error, trace):
        if error is None:
            if await self._generator.more():
                raise RuntimeError("generator didn't stop")
            return False
        try:
            again = await self._generator.more(None, error)
        except BaseException as raised:
            if raised is error:
                return False
            raise
        if again:
            raise RuntimeError("generator didn't stop after athrow()")
        return True
