"""The objects that generator functions return, which compute values on demand."""

from .carriers import carrier, made

END = ['no more']


def _is(error, name): return str(error).split('\0')[2:3] == [name]


class Generator:
    def __init__(self, step, name):
        self._step, self._name = step, name
        self.sent = self.thrown = self.value = None
        self._state = 'new'
        self.waits = self.resumes = False

    def __iter__(self): return self
    def __next__(self): return self._given(None, None)
    def send(self, value): return self._given(value, None)
    def throw(self, error): return self._given(None, error)

    def _given(self, sent, thrown):
        if self.more(sent, thrown):
            return self.value
        raise made('StopIteration', *([] if self.value is None else [self.value]))

    def close(self):
        if self._state == 'new':
            self._state = 'over'
        try:
            if self._state != 'over' and self.more(None, made('GeneratorExit')):
                raise RuntimeError('generator ignored GeneratorExit')
        except BaseException as error:
            if not _is(error, 'GeneratorExit'):
                raise

    def more(self, sent, thrown):
        """Run to the next `yield`, and return whether there is one. `value` is then the yielded or returned value."""
        if self._begins(sent, thrown):
            return False
        try:
            self.value = self._step(self)
        except StopIteration:
            self.waits = False
            raise RuntimeError('generator raised StopIteration')
        finally:
            self._state = 'waits' if self.waits else 'over'
        return self.waits

    def _begins(self, sent, thrown):
        """Return whether it has already ended."""
        if self._state == 'runs':
            raise ValueError('generator already executing')
        if self._state == 'new':
            if sent is not None:
                raise TypeError("can't send non-None value to a just-started generator")
            if thrown is not None:
                self._state = 'over'
        if self._state == 'over':
            self.value = None
            if thrown is not None:
                raise carrier(thrown)
            return True
        self.sent, self.thrown = sent, thrown
        self.resumes, self.waits, self._state = self._state == 'waits', False, 'runs'
        return False

    def gives(self, value):
        self.waits = True
        return value

    def received(self):
        self.resumes = False
        if self.thrown is not None:
            raise carrier(self.thrown)
        return self.sent

    def __repr__(self): return f'<generator object {self._name}>'


def close(items):
    if isinstance(items, Generator):
        items.close()


class Delegate:
    """The iterator of a `yield from`."""

    def __init__(self, items): self._items, self.value = iter(items), None

    def more(self, outer):
        """Return whether there is another value. `value` is then the yielded or returned value."""
        sent, error = (outer.sent, outer.thrown) if outer.resumes else (None, None)
        outer.resumes = False
        if isinstance(self._items, Generator):
            if error is not None and _is(error, 'GeneratorExit'):
                self._items.close()
                raise error
            found = self._items.more(sent, error)
            self.value = self._items.value
            return found
        if error is not None:
            raise carrier(error)
        self.value = next(self._items, END) if sent is None else self._items.send(sent)
        if self.value is not END:
            return True
        self.value = None
        return False


class AsyncGenerator:
    def __aiter__(self): return self

    async def __anext__(self):
        if await self.more():
            return self.value
        raise made('StopAsyncIteration')

    async def aclose(self):
        if self._state == 'new':
            self._state = 'over'
        try:
            if self._state != 'over' and await self.more(None, made('GeneratorExit')):
                raise RuntimeError('async generator ignored GeneratorExit')
        except BaseException as error:
            if not _is(error, 'GeneratorExit'):
                raise

    async def more(self, sent=None, thrown=None):
        if self._begins(sent, thrown):
            return False
        try:
            self.value = await self._step(self)
        except Exception as error:
            self.waits = False
            for name in ('StopIteration', 'StopAsyncIteration'):
                if type(error).__name__ == name or _is(error, name):
                    raise RuntimeError(f'async generator raised {name}')
            raise
        finally:
            self._state = 'waits' if self.waits else 'over'
        return self.waits

    def __repr__(self): return f'<async_generator object {self._name}>'


for _name in ('__init__', '_begins', 'gives', 'received'):
    setattr(AsyncGenerator, _name, getattr(Generator, _name))


class Stream:
    """The iterator of an `async for`. A comprehension iterates over the stream itself, to its end."""

    def __init__(self, source):
        if not hasattr(source, '__aiter__'):
            kind = type(source).__name__
            raise TypeError(f"'async for' requires an object with __aiter__ method, got {kind}")
        self._source = source.__aiter__()
        self.value, self._is_over = None, False

    def __iter__(self): return self

    def __next__(self):
        if self._is_over:
            raise StopIteration

    async def more(self):
        self._is_over = not await self._found()
        return not self._is_over

    async def _found(self):
        if isinstance(self._source, AsyncGenerator):
            found = await self._source.more()
            self.value = self._source.value
            return found
        try:
            self.value = await self._source.__anext__()
        except Exception as error:
            if _is(error, 'StopAsyncIteration'):
                return False
            raise
        return True


async def aclose(items):
    if isinstance(items, AsyncGenerator):
        await items.aclose()


def aiter(obj): return obj.__aiter__()


async def anext(iterator, default=END):
    if default is END:
        return await iterator.__anext__()
    stream = Stream(iterator)
    return stream.value if await stream.more() else default
