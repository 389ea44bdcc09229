"""Contexts that are entered one after the other, and left in the other order."""

from .carriers import carrier, seen


class ExitStack:
    def __init__(self): self._exits = []

    def enter_context(self, cm):
        entered = cm.__enter__()
        self._exits.append((cm.__exit__, False))
        return entered

    def push(self, exit):
        self._exits.append((exit.__exit__ if hasattr(exit, '__exit__') else exit, False))
        return exit

    def callback(self, _stack_callback, /, *args, **kwds):
        self._exits.append((lambda kind, error, trace: (_stack_callback(*args, **kwds), None)[1], False))
        return _stack_callback

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
        self._exits.append((cm.__aexit__, True))
        return entered

    def push_async_exit(self, exit):
        self._exits.append((exit.__aexit__ if hasattr(exit, '__aexit__') else exit, True))
        return exit

    def push_async_callback(self, _stack_callback, /, *args, **kwds):
        async def called(kind, error, trace): await _stack_callback(*args, **kwds)

        self._exits.append((called, True))
        return _stack_callback

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


def _kind(error): return None if error is None else type(error)


def _left(error, pending):
    if pending is not None and pending is not error:
        raise carrier(pending)
    return error is not None and pending is None
