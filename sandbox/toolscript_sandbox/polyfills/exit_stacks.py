"""Contexts that are entered one after the other, and left in the other order."""

from .errors import told


class _Stack:
    def __init__(self):
        self._exits = []

    def enter_context(self, cm):
        entered = cm.__enter__()
        self._exits.append((cm.__exit__, False))
        return entered

    def push(self, exit):
        self._exits.append((exit.__exit__ if hasattr(exit, '__exit__') else _telling(exit), False))
        return exit

    def callback(self, _stack_callback, /, *args, **kwds):
        def called(kind, error, trace):
            _stack_callback(*args, **kwds)

        self._exits.append((called, False))
        return _stack_callback

    def pop_all(self):
        other = type(self)()
        other._exits, self._exits = self._exits, []
        return other


def _telling(function):
    def exit(kind, error, trace):
        return function(*told(error))

    return exit


class ExitStack:
    def __init__(self):
        self._exits = []

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
                pending, is_new = raised, True
        if is_new:
            raise pending
        return error is not None and pending is None


class AsyncExitStack:
    def __init__(self):
        self._exits = []

    async def enter_async_context(self, cm):
        entered = await cm.__aenter__()
        self._exits.append((cm.__aexit__, True))
        return entered

    def push_async_exit(self, exit):
        self._exits.append((exit.__aexit__ if hasattr(exit, '__aexit__') else _telling(exit), True))
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
                pending, is_new = raised, True
        if is_new:
            raise pending
        return error is not None and pending is None


for _kind in (ExitStack, AsyncExitStack):
    _kind.enter_context, _kind.push = _Stack.enter_context, _Stack.push
    _kind.callback, _kind.pop_all = _Stack.callback, _Stack.pop_all
