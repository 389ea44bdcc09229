"""Contexts that are generators: what is before their `yield` when they are entered, and what is behind it when left."""

from .carriers import carrier, seen


def contextmanager(function): return lambda *args, **kwargs: _Context(function, args, kwargs)


class _Context:
    def __init__(self, function, args, kwargs):
        self._made = (function, args, kwargs)
        self._generator = function(*args, **kwargs)

    def __call__(self, function):
        def entered(*args, **kwargs):
            with _Context(*self._made):
                return function(*args, **kwargs)

        return entered

    def __enter__(self):
        try:
            return next(self._generator)
        except StopIteration:
            raise RuntimeError("generator didn't yield")

    def __exit__(self, kind, error, trace):
        try:
            if error is None:
                next(self._generator)
            else:
                self._generator.throw(carrier(error))
        except StopIteration:
            return error is not None
        except BaseException as raised:
            if seen(raised) is error:
                return False
            raise
        raise RuntimeError("generator didn't stop")


def asynccontextmanager(function): return lambda *args, **kwargs: _AsyncContext(function(*args, **kwargs))


class _AsyncContext:
    def __init__(self, generator): self._generator = generator

    async def __aenter__(self):
        if not await self._generator.more():
            raise RuntimeError("generator didn't yield")
        return self._generator.value

    async def __aexit__(self, kind, error, trace):
        try:
            again = await self._generator.more(None, None if error is None else carrier(error))
        except BaseException as raised:
            if error is not None and seen(raised) is error:
                return False
            raise
        if again:
            raise RuntimeError("generator didn't stop")
        return error is not None
