"""Work spread over processes, because playing tasks is CPU-bound."""

import gc
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Protocol, TypeVar

T = TypeVar('T')
R = TypeVar('R')


class Spread(Protocol):
    """A `map` that may run its work in other processes."""

    def __call__(self, work: Callable[[T], R], parts: Iterable[T], /) -> Iterable[R]: ...


@contextmanager
def processes(count: int) -> Generator[Spread]:
    """Yield a `map` over this many concurrent processes, one of which is this one.

    Values are copied between processes: data by value, functions by name.
    """
    if count == 1:
        yield _here
        return
    with ProcessPoolExecutor(count, get_context('spawn'), initializer=_collect_seldom) as pool:
        yield pool.map


def _here(work: Callable[[T], R], parts: Iterable[T], /) -> Iterable[R]:
    return map(work, parts)


def _collect_seldom() -> None:
    # Requests with 4,000 tools are millions of live objects that the garbage collector scans again and again: with
    # Python's default thresholds, two fifths of the time.
    gc.set_threshold(100_000, 50, 100)
