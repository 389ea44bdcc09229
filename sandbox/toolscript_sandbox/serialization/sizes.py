"""How large a value is before anything of it is copied: as JSON, and in the memory of a script."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, NamedTuple, cast

CONTAINERS = frozenset[type[Any]]([list, tuple, dict, set, frozenset])
MOST = 10**15
"""More is as good as endless: a list that holds itself twice, and so on, soon has a size of thousands of digits."""
ITEM_BYTES = 120
"""Of the sandbox's memory, for an item of a list, whose places grow by doubling. Measured, as are the others."""
ENTRY_BYTES = 300
"""For a key, its value and their place in a dict."""
TEXT_BYTES = 90
"""For a text or a long integer, beside its characters or digits."""


class Sizes(NamedTuple):
    """Bytes of one value, at most `MOST`; shared parts count as often as they are written, and are looked at once."""

    written: int
    """As JSON. What is neither plain nor a container counts as nothing much."""
    held: int
    """Of the sandbox's memory, roughly."""


def sizes_of(value: Any, most_held: int | None = None) -> Sizes:
    """How large a value is. If it holds more than `most_held`, the rest of it is not looked at."""
    if type(value) not in CONTAINERS:
        return _look_at([value]).sizes
    known, opened, least = dict[int, Sizes](), dict[int, _Look](), 0
    waiting = [value]
    while waiting:
        part = waiting[-1]
        if (look := opened.pop(id(part), None)) is not None:
            # All that it holds is known by now.
            known[id(waiting.pop())] = look.with_inner(known)
        elif id(part) in known:
            waiting.pop()
        else:
            empty = _of_container(part)
            if most_held is not None and least + empty.held > most_held:
                return Sizes(empty.written, least + empty.held)
            look = _look_into(part, empty)
            least += look.sizes.held
            if look.inner:
                # A circle ends here: a container that is still open counts as nothing inside itself.
                known[id(part)] = _NOTHING
                opened[id(part)] = look
                waiting += {id(item): item for item in look.inner if id(item) not in known}.values()
            else:
                known[id(waiting.pop())] = look.sizes
    return known[id(value)]


def text_size(text: str) -> int:
    """Bytes of a text as JSON."""
    if len(text) < _LONG and not text.isprintable():
        return len(json.dumps(text, ensure_ascii=False))
    # What else a long text has to escape is not looked for: that would take as long as to write it.
    inner = len(text) if text.isascii() else len(text.encode('utf-8', 'replace'))
    return inner + 2 + text.count('"') + text.count('\\') + text.count('\n')


class _Look(NamedTuple):
    """What is in a container."""

    sizes: Sizes
    """Without what the containers in it hold."""
    inner: list[Any]
    """Those containers, one for each place that it has there."""

    def with_inner(self, known: Mapping[int, Sizes]) -> Sizes:
        """All of it."""
        inner = [known[id(item)] for item in self.inner]
        return Sizes(
            min(MOST, self.sizes.written + sum([sizes.written for sizes in inner])),
            min(MOST, self.sizes.held + sum([sizes.held for sizes in inner])),
        )


def _of_container(container: Any) -> Sizes:
    """Without what is in it, but for what is plain and small."""
    count = len(container)
    if type(container) is dict:
        return Sizes(2 + 4 * count, _CONTAINER_BYTES + ENTRY_BYTES * count)
    return Sizes(2 + 2 * count, _CONTAINER_BYTES + ITEM_BYTES * count)


def _look_into(container: Any, empty: Sizes) -> _Look:
    values: Iterable[Any] = container
    if type(container) is dict:
        entries = cast('dict[Any, Any]', container)
        values = chain(entries, entries.values())
    (written, held), inner = _look_at(values)
    return _Look(Sizes(empty.written + written, empty.held + held), inner)


def _look_at(values: Iterable[Any]) -> _Look:
    # One loop with all cases in it: a call for each value would take most of the time.
    written, held, inner = 0, 0, list[Any]()
    for value in values:
        kind = type(value)  # pyright: ignore[reportUnknownVariableType]
        if kind is str:
            size = text_size(value)
            written += size
            if len(value) > 1:
                # Text is there twice while it comes in.
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
    return _Look(Sizes(written, held), inner)


_NOTHING = Sizes(0, 0)
_LONG = 50_000
_CONTAINER_BYTES = 110
_WIDE = 64
