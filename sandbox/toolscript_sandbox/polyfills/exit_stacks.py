"""Contexts that are entered one after the other, and left in the other order."""

from .carriers import carrier, seen


class ExitStack:
    def __init__(self):
        self._exits = []

    def enter_context(self, cm):
        entered = cm.__enter__()
        self._exits.append((cm.__exit__, False))
        return entered

    def push(self, exit):
        self._exits.append((exit.__exit__ if hasattr(exit, '__exit__') else exit, False))
        return exit

    def callback(self, _stack_callback, /, *args, **kwds):
        self._exits.append((lambda kind, error, trace: _nothing(_stack_callback(*args, **kwds)), False))
        return _stack_callback

    def pop_all(self):
        other = type(self)()
        other._exits, self._exits = self._exits, []
        return other

    def close(self):
        self.__exit__(None, None, None)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        pending, is_new = error, False
        while self._exits:
            exit, _ = self._exits.pop()
            try:
                if exit(None if pending is None else type(pending), pending, None) and pending is not None:
                    pending, is_new = None, False
            except BaseException as raised:
                pending, is_new = seen(raised), True
        if is_new:
            raise carrier(pending)
        return error is not None and pending is None


def _nothing(value):
    return None


class AsyncExitStack:
    def __init__(self):
        self._exits = []

    async def enter_async_context(self, cm):
        entered = await cm.__aenter__()
        self._exits.append((cm.__aexit__, True))
        return entered

    def push_async_exit(self, exit):
        self._exits.append((exit.__aexit__ if hasattr(exit, '__aexit__') else exit, True))
        return exit

    def push_async_callback(self, _stack_callback, /, *args, **kwds):
        async def called(kind, error, trace):
            await _stack_callback(*args, **kwds)

        self._exits.append((called, True))
        return _stack_callback

    async def aclose(self):
        await self.__aexit__(None, None, None)

    async def __aenter__(self):
        return self

    async def __aexit__(self, kind, error, trace):
        pending, is_new = error, False
        while self._exits:
            exit, waits = self._exits.pop()
            try:
                said = exit(None if pending is None else type(pending), pending, None)
                if waits:
                    said = await said
                if said and pending is not None:
                    pending, is_new = None, False
            except BaseException as raised:
                pending, is_new = seen(raised), True
        if is_new:
            raise carrier(pending)
        return error is not None and pending is None


AsyncExitStack.enter_context = ExitStack.enter_context
AsyncExitStack.push = ExitStack.push
AsyncExitStack.callback = ExitStack.callback
AsyncExitStack.pop_all = ExitStack.pop_all
