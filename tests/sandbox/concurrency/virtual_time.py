"""An event loop whose clock jumps to the next timer when there is nothing else to do."""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar('T')


class VirtualTime(asyncio.SelectorEventLoop):
    """A loop in which sleeps take no time but still end in order."""

    def __init__(self, is_idle: Callable[[], bool], *, is_alone: bool) -> None:
        self.now = 0.0
        super().__init__(_Jumping(self, is_idle, is_alone))

    def time(self) -> float:
        """Return the virtual seconds since the start."""
        return self.now


class _Jumping(selectors.SelectSelector):
    def __init__(self, loop: VirtualTime, is_idle: Callable[[], bool], is_alone: bool) -> None:
        super().__init__()
        self._loop = loop
        self._is_alone = is_alone
        self._is_idle = is_idle

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return the ready events. Time only passes if nothing waits for the outside."""
        if timeout is None and self._is_alone:
            raise RuntimeError('Everybody waits for somebody else.')
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        if not self._is_idle():
            return super().select(0.01)
        ready = super().select(0)
        if not ready:
            self._loop.now += timeout
        return ready


def run(make: Callable[[VirtualTime], Coroutine[Any, Any, T]], waits: frozenset[str] | None = None) -> T:
    """Run the main coroutine in virtual time. With `waits`, time passes only while it is in a function of that name."""
    main = list[Coroutine[Any, Any, T]]()
    loop = VirtualTime(lambda: waits is None or bool(_names(main[0]) & waits), is_alone=waits is None)
    try:
        main.append(make(loop))
        return loop.run_until_complete(main[0])
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


def _names(awaitable: Any) -> set[str]:
    names = set[str]()
    while awaitable is not None:
        code = getattr(awaitable, 'cr_code', None) or getattr(awaitable, 'gi_code', None)
        if code is not None:
            names.add(code.co_name)
        awaitable = getattr(awaitable, 'cr_await', None) or getattr(awaitable, 'gi_yieldfrom', None)
    return names
