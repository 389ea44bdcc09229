"""Work spread over processes, since playing tasks keeps a processor busy."""

import gc
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Protocol, TypeVar

T = TypeVar('T')
R = TypeVar('R')


class Spread(Protocol):
    """A `map`, wherever the work is done."""

    def __call__(self, work: Callable[[T], R], parts: Iterable[T], /) -> Iterable[R]:
        """What becomes of each part, in their order."""
        ...


@contextmanager
def processes(count: int) -> Generator[Spread]:
    """Work in so many processes at once; one is this one.

    What travels between them is copied: data by value, functions by name.
    """
    if count == 1:
        yield _here
        return
    with ProcessPoolExecutor(count, get_context('spawn'), initializer=_collect_seldom) as pool:
        yield pool.map


def _here(work: Callable[[T], R], parts: Iterable[T], /) -> Iterable[R]:
    return map(work, parts)


def _collect_seldom() -> None:
    # Requests of 4,000 tools are millions of objects that are looked through again and again while they still live:
    # with Python's own thresholds, two fifths of the time.
    gc.set_threshold(100_000, 50, 100)
