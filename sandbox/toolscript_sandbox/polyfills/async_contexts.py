"""Asynchronous contexts."""

from .error_kinds import is_a
from .errors import StopAsyncIteration
from .functions import named_like


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
        return _Context(lambda: function(*args, **kwargs))

    return named_like(made, function)


class _Context:
    """What stands before a generator's `yield` when it is entered, and what stands behind it when it is left."""

    def __init__(self, make):
        self._make, self._generator = make, make()

    def __call__(self, function):
        async def entered(*args, **kwargs):
            context = _Context(self._make)
            await context.__aenter__()
            try:
                result = await function(*args, **kwargs)
            except BaseException as error:
                if not await context.__aexit__(type(error), error, None):
                    raise
                return None
            await context.__aexit__(None, None, None)
            return result

        return named_like(entered, function)

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
