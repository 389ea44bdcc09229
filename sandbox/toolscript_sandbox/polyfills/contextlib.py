"""Context managers: from generators, small ones, and `print` into a stream of the script."""

from .builtins import print_to
from .carriers import carrier, matches, seen
from .sys import stdout


class suppress:
    def __init__(self, *exceptions): self._exceptions = exceptions
    def __enter__(self): return None
    def __exit__(self, kind, error, trace): return error is not None and matches(error, self._exceptions)


class closing:
    def __init__(self, thing): self.thing = thing
    def __enter__(self): return self.thing
    def __exit__(self, kind, error, trace): self.thing.close()


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


class redirect_stdout:
    def __init__(self, new_target): self._target = new_target

    def __enter__(self):
        stdout._targets.append(self._target)
        return self._target

    def __exit__(self, kind, error, trace): stdout._targets.pop()


def printed(*values, file=None, **options): print_to(*values, file=stdout if file is None else file, **options)
