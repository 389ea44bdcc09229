"""Context managers: from generators, small ones, and `print` into a stream of the script."""

from .builtins import print_to
from .carriers import carrier, matches, seen, type_of
from .sys import stdout


class suppress:
    def __init__(self, *exceptions): self._exceptions = exceptions
    def __enter__(self): return None
    def __exit__(self, kind, error, trace): return error is not None and matches(error, self._exceptions)


class nullcontext:
    def __init__(self, enter_result=None): self.enter_result = enter_result
    def __enter__(self): return self.enter_result
    def __exit__(self, kind, error, trace): return None
    async def __aenter__(self): return self.enter_result
    async def __aexit__(self, kind, error, trace): return None


class closing:
    def __init__(self, thing): self.thing = thing
    def __enter__(self): return self.thing
    def __exit__(self, kind, error, trace): self.thing.close()


class aclosing:
    def __init__(self, thing): self.thing = thing
    async def __aenter__(self): return self.thing
    async def __aexit__(self, kind, error, trace): await self.thing.aclose()


class ExitStack:
    def __init__(self): self._exits = []

    def enter_context(self, cm):
        entered = cm.__enter__()
        self._exits.append((lambda *error: cm.__exit__(*error), False))
        return entered

    def push(self, exit):
        self._exits.append(((lambda *error: exit.__exit__(*error)) if hasattr(exit, '__exit__') else exit, False))
        return exit

    def callback(self, _callback, *args, **kwargs):
        self._exits.append((lambda kind, error, trace: (_callback(*args, **kwargs), None)[1], False))
        return _callback

    def close(self): self.__exit__(None, None, None)
    def __enter__(self): return self

    def __exit__(self, kind, error, trace):
        pending = error
        while self._exits:
            exit, _ = self._exits.pop()
            try:
                pending = None if exit(_kind(pending), pending, None) else pending
            except BaseException as raised:
                pending = seen(raised)
        return _left(error, pending)

    async def enter_async_context(self, cm):
        entered = await cm.__aenter__()
        self._exits.append((lambda *error: cm.__aexit__(*error), True))
        return entered

    async def aclose(self): await self.__aexit__(None, None, None)
    async def __aenter__(self): return self

    async def __aexit__(self, kind, error, trace):
        pending = error
        while self._exits:
            exit, waits = self._exits.pop()
            try:
                done = exit(_kind(pending), pending, None)
                pending = None if (await done if waits else done) else pending
            except BaseException as raised:
                pending = seen(raised)
        return _left(error, pending)


AsyncExitStack = ExitStack


def _kind(error): return None if error is None else type_of(error)


def _left(error, pending):
    if pending is not None and pending is not error:
        raise carrier(pending)
    return error is not None and pending is None


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
