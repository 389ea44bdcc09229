"""What asynchronous generator functions return, and `async for`."""

from .error_kinds import is_a
from .errors import StopAsyncIteration, raised
from .generators import END, Generator


class AsyncGenerator:
    def __aiter__(self):
        return self

    async def __anext__(self):
        return await self._given(None, None)

    async def asend(self, value):
        if self._state == 'new' and value is not None:
            raise TypeError("can't send non-None value to a just-started async generator")
        return await self._given(value, None)

    async def athrow(self, error, value=None, trace=None):
        error = error if value is None else value
        if self._state == 'over':
            return None
        if type(error).__name__ == 'type':
            error = error()
        return await self._given(None, error)

    async def aclose(self):
        if self._state == 'new':
            self._state = 'over'
        if self._state == 'over':
            return None
        leaving = KeyboardInterrupt('GeneratorExit')
        try:
            ignored = await self.more(None, leaving)
        except KeyboardInterrupt as error:
            if error.args == leaving.args:
                return None
            raise
        if ignored:
            raise RuntimeError('async generator ignored GeneratorExit')

    async def _given(self, sent, thrown):
        if not await self.more(sent, thrown):
            raise raised(StopAsyncIteration())
        return self.value

    async def more(self, sent=None, thrown=None):
        if self._state == 'runs':
            raise RuntimeError('anext(): asynchronous generator is already running')
        if self._state == 'new' and thrown is not None:
            self._state = 'over'
            raise thrown
        if self._state == 'over':
            return False
        self._sent, self._thrown, self._state, self.waits = sent, thrown, 'runs', False
        ended = True
        try:
            self.value = await self._step(self)
            ended = not self.waits
        except StopIteration:
            raise RuntimeError('async generator raised StopIteration')
        except Exception as error:
            if is_a(error, StopAsyncIteration):
                raise RuntimeError('async generator raised StopAsyncIteration')
            raise
        finally:
            self._state = 'over' if ended else 'waits'
        return not ended

    def __repr__(self):
        return f'<async_generator object {self._name}>'


for _name in ('__init__', 'gives', 'received'):
    setattr(AsyncGenerator, _name, getattr(Generator, _name))


class Stream:
    """Values one by one, of whatever `async for` may stand over."""

    def __init__(self, source):
        # `__aiter__` starts anew whenever it is asked.
        self._source = source.__aiter__() if hasattr(source, '__aiter__') else source
        self.value = None

    async def more(self):
        if type(self._source).__name__ == 'coroutine':
            self._source = await self._source
        if isinstance(self._source, AsyncGenerator):
            found = await self._source.more()
            self.value = self._source.value if found else None
            return found
        if hasattr(self._source, '__anext__'):
            return await self._next()
        if isinstance(self._source, (list, tuple, set, dict)):
            self._source = iter(self._source)
        self.value = next(self._source, END)
        return self.value is not END

    async def _next(self):
        try:
            self.value = await self._source.__anext__()
        except Exception as error:
            if is_a(error, StopAsyncIteration):
                return False
            raise
        return True


async def collected(source):
    stream, values = Stream(source), []
    while await stream.more():
        values.append(stream.value)
    return values


def aiter(obj):
    return obj.__aiter__()


async def anext(iterator, default=END):
    try:
        return await iterator.__anext__()
    except Exception as error:
        if default is END or not is_a(error, StopAsyncIteration):
            raise
    return default
