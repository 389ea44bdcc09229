"""What stands for generators: functions that take one turn of a loop and collect what it yields."""

_MOST = 100_000


class Turns:
    def __init__(self, turn, yielded):
        self._turn, self._yielded = turn, yielded
        self._is_over = False
        self._count = 0

    def __iter__(self):
        return self

    def __next__(self):
        while not self._yielded:
            if self._is_over:
                raise StopIteration
            self._is_over = not self._turn()
        self._count += 1
        if self._count > _MOST:
            raise RuntimeError(f'the generator gave more than {_MOST:,} values; take some with itertools.islice')
        return self._yielded.pop(0)

    def close(self):
        self._is_over = True


class Counted:
    def __init__(self, items, start):
        self._items, self._place = items, start - 1

    def __iter__(self):
        return self

    def __next__(self):
        value = next(self._items)
        self._place += 1
        return (self._place, value)


def counted(iterable, start=0):
    return Counted(iterable, start) if isinstance(iterable, Turns) else enumerate(iterable, start)


class AsyncTurns:
    def __init__(self, turn, yielded):
        self._turn, self._yielded = turn, yielded
        self._is_over = False

    async def more(self):
        while not self._yielded:
            if self._is_over:
                return False
            self._is_over = not await self._turn()
        self.value = self._yielded.pop(0)
        return True


class Stream:
    """Values one by one, of whatever `async for` may stand over."""

    def __init__(self, source):
        # `__aiter__` starts anew whenever it is asked.
        self._source = source.__aiter__() if hasattr(source, '__aiter__') else source
        self.value = None

    async def more(self):
        if type(self._source).__name__ == 'coroutine':
            self._source = await self._source
        if hasattr(self._source, '__anext__'):
            return await self._next()
        if isinstance(self._source, AsyncTurns):
            found = await self._source.more()
            self.value = self._source.value if found else None
            return found
        if isinstance(self._source, (list, tuple, set, dict)):
            self._source = iter(self._source)
        self.value = next(self._source, self)
        return self.value is not self

    async def _next(self):
        try:
            self.value = await self._source.__anext__()
        except StopIteration:
            return False
        return True


async def collected(source):
    stream, values = Stream(source), []
    while await stream.more():
        values.append(stream.value)
    return values
