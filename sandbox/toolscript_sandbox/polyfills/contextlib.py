"""Contexts without effects outside the script."""

from .async_contexts import aclosing, asynccontextmanager
from .exit_stacks import AsyncExitStack, ExitStack
from .functions import named_like


class suppress:
    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __enter__(self):
        return None

    def __exit__(self, kind, error, trace):
        return error is not None and isinstance(error, self._exceptions)


class nullcontext:
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, kind, error, trace):
        return False

    async def __aenter__(self):
        return self.enter_result

    async def __aexit__(self, kind, error, trace):
        return False


class closing:
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, kind, error, trace):
        self.thing.close()
        return False


def contextmanager(function):
    def made(*args, **kwargs):
        return _Context(lambda: function(*args, **kwargs))

    return named_like(made, function)


class _Context:
    """What stands before a generator's `yield` when it is entered, and what stands behind it when it is left."""

    def __init__(self, make):
        self._make, self._generator = make, make()

    def __call__(self, function):
        def entered(*args, **kwargs):
            with _Context(self._make):
                return function(*args, **kwargs)

        return named_like(entered, function)

    def __enter__(self):
        try:
            return next(self._generator)
        except StopIteration:
            raise RuntimeError("generator didn't yield")

    def __exit__(self, kind, error, trace):
        if error is None:
            try:
                next(self._generator)
            except StopIteration:
                return False
            raise RuntimeError("generator didn't stop")
        try:
            self._generator.throw(error)
        except StopIteration:
            return True
        except BaseException as raised:
            if raised is error:
                return False
            raise
        raise RuntimeError("generator didn't stop after throw()")
