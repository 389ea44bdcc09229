"""Measures a value before anything is copied: its size as JSON, and in the memory of a script."""

import json
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, NamedTuple, cast

CONTAINERS = frozenset[type[Any]]([list, tuple, dict, set, frozenset])
MAX_SIZE = 10**15
"""Larger sizes count as infinite: if each list contains the next one twice, a size soon has thousands of digits."""
ITEM_BYTES = 120
"""Memory of the sandbox for an item of a list, which grows by doubling. Measured, like the other sizes."""
ENTRY_BYTES = 300
"""Memory for an entry of a dict: the key, the value and their slot."""
TEXT_BYTES = 90
"""Memory for a text or a long integer, in addition to its characters or digits."""


class Sizes(NamedTuple):
    """Sizes of one value in bytes, at most `MAX_SIZE`. Shared parts count each time, but are measured once."""

    written: int
    """The size as JSON. Values that are neither plain nor containers count as almost nothing."""
    held: int
    """The approximate size in the sandbox's memory."""


def sizes_of(value: Any, most_held: int | None = None) -> Sizes:
    """Measure a value. Stops when it is known to take more memory than `most_held`."""
    if type(value) not in CONTAINERS:
        return _measure_items([value]).sizes
    known, opened, least = dict[int, Sizes](), dict[int, _Measured](), 0
    waiting = [value]
    while waiting:
        part = waiting[-1]
        if (measured := opened.pop(id(part), None)) is not None:
            # The sizes of everything in it are known by now.
            known[id(waiting.pop())] = measured.with_inner(known)
        elif id(part) in known:
            waiting.pop()
        else:
            empty = _of_container(part)
            if most_held is not None and least + empty.held > most_held:
                return Sizes(empty.written, least + empty.held)
            measured = _measure_contents(part, empty)
            least += measured.sizes.held
            if measured.inner:
                # A cycle ends here: a container inside itself counts as nothing.
                known[id(part)] = _NOTHING
                opened[id(part)] = measured
                waiting += {id(item): item for item in measured.inner if id(item) not in known}.values()
            else:
                known[id(waiting.pop())] = measured.sizes
    return known[id(value)]


def text_size(text: str) -> int:
    """Return the size of a text as JSON, in bytes."""
    if len(text) < _LONG and not text.isprintable():
        return len(json.dumps(text, ensure_ascii=False))
    # Other escapes in a long text are not counted: that would take as long as writing it.
    inner = len(text) if text.isascii() else len(text.encode('utf-8', 'replace'))
    return inner + 2 + text.count('"') + text.count('\\') + text.count('\n')


class _Measured(NamedTuple):
    """The measured contents of a container."""

    sizes: Sizes
    """The sizes without the contents of inner containers."""
    inner: list[Any]
    """The inner containers, one for each place where they occur."""

    def with_inner(self, known: Mapping[int, Sizes]) -> Sizes:
        """Return the sizes including the inner containers."""
        inner = [known[id(item)] for item in self.inner]
        return Sizes(
            min(MAX_SIZE, self.sizes.written + sum([sizes.written for sizes in inner])),
            min(MAX_SIZE, self.sizes.held + sum([sizes.held for sizes in inner])),
        )


def _of_container(container: Any) -> Sizes:
    """Return the sizes of a container without its contents, except for small plain values."""
    count = len(container)
    if type(container) is dict:
        return Sizes(2 + 4 * count, _CONTAINER_BYTES + ENTRY_BYTES * count)
    return Sizes(2 + 2 * count, _CONTAINER_BYTES + ITEM_BYTES * count)


def _measure_contents(container: Any, empty: Sizes) -> _Measured:
    values: Iterable[Any] = container
    if type(container) is dict:
        entries = cast('dict[Any, Any]', container)
        values = chain(entries, entries.values())
    (written, held), inner = _measure_items(values)
    return _Measured(Sizes(empty.written + written, empty.held + held), inner)


def _measure_items(values: Iterable[Any]) -> _Measured:
    # One loop handles all cases, because a call for each value would take most of the time.
    written, held, inner = 0, 0, list[Any]()
    for value in values:
        kind = type(value)  # pyright: ignore[reportUnknownVariableType]
        if kind is str:
            size = text_size(value)
            written += size
            if len(value) > 1:
                # Text exists twice in memory while it is received.
                held += TEXT_BYTES + 2 * size
        elif kind is int:
            bits = value.bit_length()
            written += 1 + int(bits * 0.302)
            if bits >= _WIDE:
                held += TEXT_BYTES + bits // 8
        elif kind in CONTAINERS:
            inner.append(value)
        elif kind is bytes:
            written += len(value)
            held += len(value)
        else:
            written += 12 if kind is float else 4
    return _Measured(Sizes(written, held), inner)


_NOTHING = Sizes(0, 0)
_LONG = 50_000
_CONTAINER_BYTES = 110
_WIDE = 64
