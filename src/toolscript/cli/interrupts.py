"""What Ctrl-C does."""

import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager


@contextmanager
def on_interrupt(tell: Callable[[], None]) -> Generator[None]:
    """Ctrl-C tells somebody meanwhile, instead of raising `KeyboardInterrupt` wherever the main thread is."""
    with _handled(lambda *_: tell()):
        yield


@contextmanager
def interrupt_raises() -> Generator[None]:
    """Ctrl-C raises `KeyboardInterrupt` at once meanwhile. An event loop would note it, and look when it runs again."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    with _handled(signal.default_int_handler):
        yield


@contextmanager
def _handled(handler: Callable[..., object]) -> Generator[None]:
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
