"""What generator functions return: values one by one, computed when they are asked for."""

END = ['no more']
errors = [None]
"""What makes exceptions for handlers of the script, once one can look at them: `generator_errors`."""


def _marked(name):
    # What `exceptions` raises for an object, of no object.
    return f'\0000\0{name}\0'


def _is(error, name):
    return str(error).split('\0')[2:3] == [name]


class Generator:
    def __init__(self, step, name):
        self._step, self._name = step, name
        self._sent = self._thrown = self.value = None
        self._state = 'new'
        self.waits = False

    def __iter__(self):
        return self

    def __next__(self):
        if self.more(None, None):
            return self.value
        raise StopIteration if errors[0] is None else errors[0].stop(self.value)

    def send(self, value):
        self._check(value)
        if self.more(value, None):
            return self.value
        raise StopIteration if errors[0] is None else errors[0].stop(self.value)

    def throw(self, error, value=None, trace=None):
        if self.more(None, error if value is None else value):
            return self.value
        raise StopIteration if errors[0] is None else errors[0].stop(self.value)

    def close(self):
        if self._state == 'new':
            self._state = 'over'
        if self._state != 'over' and self._leave():
            raise RuntimeError('generator ignored GeneratorExit')

    def _leave(self):
        try:
            return self.more(None, BaseException(_marked('GeneratorExit')) if errors[0] is None else errors[0].leave())
        except BaseException as error:
            if not _is(error, 'GeneratorExit'):
                raise
        return False

    def _check(self, value):
        if self._state == 'new' and value is not None:
            raise TypeError("can't send non-None value to a just-started generator")

    def more(self, sent, thrown):
        """Run to the next `yield`; whether there is one. `value` is then what is yielded, or what is returned."""
        if self._begins(thrown):
            return False
        self._sent, self._thrown, self._state, self.waits = sent, thrown, 'runs', False
        ended = True
        try:
            self.value = self._step(self)
            ended = not self.waits
        except StopIteration:
            raise RuntimeError('generator raised StopIteration')
        finally:
            self._state = 'over' if ended else 'waits'
        return not ended

    def _begins(self, thrown):
        """Whether it is over already."""
        if self._state == 'runs':
            raise ValueError('generator already executing')
        if self._state == 'new' and thrown is not None:
            self._state = 'over'
        if self._state == 'over':
            self.value = None
            if thrown is not None:
                raise thrown if errors[0] is None else errors[0].raised(thrown)
            return True
        return False

    def gives(self, value):
        self.waits = True
        return value

    def received(self):
        error, self._thrown = self._thrown, None
        if error is not None:
            raise error if errors[0] is None else errors[0].raised(error)
        return self._sent

    def __repr__(self):
        return f'<generator object {self._name}>'


def close(items):
    if isinstance(items, Generator):
        items.close()


class Delegate:
    """What `yield from` goes through."""

    def __init__(self, items):
        self._items, self._begun, self.value = iter(items), False, None

    def more(self, outer):
        """Whether there is one more; `value` is then what is yielded, or what the generator returned."""
        sent = error = None
        if self._begun:
            error, outer._thrown = outer._thrown, None
            sent = outer._sent
        self._begun = True
        if isinstance(self._items, Generator):
            return self._of_generator(sent, error)
        if error is not None:
            raise error if errors[0] is None else errors[0].raised(error)
        self.value = next(self._items, END) if sent is None else self._items.send(sent)
        if self.value is END:
            self.value = None
            return False
        return True

    def _of_generator(self, sent, error):
        if error is not None and _is(error, 'GeneratorExit'):
            self._items.close()
            raise error
        self._items._check(sent)
        found = self._items.more(sent, error)
        self.value = self._items.value
        return found


class AsyncGenerator:
    def __aiter__(self):
        return self

    async def __anext__(self):
        return await self._given(None, None)

    async def asend(self, value):
        self._check(value)
        return await self._given(value, None)

    async def athrow(self, error, value=None, trace=None):
        if self._state == 'over':
            return None
        return await self._given(None, error if value is None else value)

    async def aclose(self):
        if self._state == 'new':
            self._state = 'over'
        if self._state == 'over':
            return None
        ignored = False
        try:
            leaving = BaseException(_marked('GeneratorExit')) if errors[0] is None else errors[0].leave()
            ignored = await self.more(None, leaving)
        except BaseException as error:
            if not _is(error, 'GeneratorExit'):
                raise
        if ignored:
            raise RuntimeError('async generator ignored GeneratorExit')

    async def _given(self, sent, thrown):
        if await self.more(sent, thrown):
            return self.value
        raise Exception(_marked('StopAsyncIteration')) if errors[0] is None else errors[0].stop_async()

    async def more(self, sent=None, thrown=None):
        if self._state == 'runs':
            raise RuntimeError('anext(): asynchronous generator is already running')
        if self._begins(thrown):
            return False
        self._sent, self._thrown, self._state, self.waits = sent, thrown, 'runs', False
        ended = True
        try:
            self.value = await self._step(self)
            ended = not self.waits
        except StopIteration:
            raise RuntimeError('async generator raised StopIteration')
        except Exception as error:
            if _is(error, 'StopAsyncIteration'):
                raise RuntimeError('async generator raised StopAsyncIteration')
            raise
        finally:
            self._state = 'over' if ended else 'waits'
        return not ended

    def __repr__(self):
        return f'<async_generator object {self._name}>'


for _name in ('__init__', '_check', '_begins', 'gives', 'received'):
    setattr(AsyncGenerator, _name, getattr(Generator, _name))


class Stream:
    """Values one by one, of what `async for` goes over. A comprehension goes over the stream itself, to its end."""

    def __init__(self, source):
        if not hasattr(source, '__aiter__'):
            kind = type(source).__name__
            raise TypeError(f"'async for' requires an object with __aiter__ method, got {kind}")
        self._source = source.__aiter__()
        self.value = None
        self._is_over = False

    def __iter__(self):
        return self

    def __next__(self):
        if self._is_over:
            raise StopIteration

    async def more(self):
        self._is_over = not await self._found()
        return not self._is_over

    async def close(self):
        if isinstance(self._source, AsyncGenerator):
            await self._source.aclose()

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


def aiter(obj):
    return obj.__aiter__()


async def anext(iterator, default=END):
    if default is END:
        return await iterator.__anext__()
    stream = Stream(iterator)
    return stream.value if await stream.more() else default
