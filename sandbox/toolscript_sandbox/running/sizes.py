"""How large a value is before anything of it is copied: as JSON, and in the memory of a script."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

CONTAINERS = frozenset[type[Any]]([list, tuple, dict, set, frozenset])
ITEM_BYTES = 120
"""Of the sandbox's memory, for an item of a list, whose places grow by doubling. Measured, as are the others."""
ENTRY_BYTES = 300
"""For a key, its value and their place in a dict."""


def json_size(value: Any) -> int:
    """Bytes of a value as JSON; shared parts count as often as they are written, and are looked at once.

    What is neither plain nor a container counts as nothing.
    """
    return _summed(value, _written, lambda part: 2 + 2 * len(part) * (1 + (type(part) is dict)))


def heap_size(value: Any, most: int | None = None) -> int:
    """Bytes of the sandbox's memory that a value takes there, roughly, counted like those of its JSON.

    Where that is more than `most`, it may be any number above: nothing is looked at any longer.
    """
    return _summed(value, _held, heap_of_container, most)


def heap_of_container(container: Any) -> int:
    """Bytes of the sandbox's memory for a container and what is plain and small in it."""
    return _CONTAINER_BYTES + len(container) * (ENTRY_BYTES if type(container) is dict else ITEM_BYTES)


def text_size(text: str) -> int:
    """Bytes of a text as JSON."""
    if text.isascii() and text.isprintable() and '"' not in text and '\\' not in text:
        return len(text) + 2
    if not text.isprintable() and len(text) < _LONG:
        return len(json.dumps(text, ensure_ascii=False))
    inner = len(text) if text.isascii() else len(text.encode('utf-8', 'replace'))
    return inner + 2 + text.count('"') + text.count('\\') + text.count('\n')


def _summed(
    value: Any, of_plain: Callable[[Any], int], of_container: Callable[[Any], int], most: int | None = None
) -> int:
    known, least = dict[int, int](), 0
    # Each container is met twice: on the way down, and when all that it holds is known.
    waiting = [(value, False)]
    while waiting:
        part, is_done = waiting.pop()
        kind = type(part)  # pyright: ignore[reportUnknownVariableType]
        if id(part) in known and not is_done:
            continue
        if kind not in CONTAINERS:
            continue
        if most is not None and not is_done and (least := least + of_container(part)) > most:
            return least
        parts = _parts(part)
        if is_done:
            known[id(part)] = of_container(part) + sum(
                known.get(id(item), 0) if type(item) in CONTAINERS else of_plain(item) for item in parts
            )
            continue
        # A circle ends here: a container that is still open counts as nothing inside itself.
        known[id(part)] = 0
        waiting.append((part, True))
        inner = {id(item): item for item in parts if type(item) in CONTAINERS and id(item) not in known}
        waiting += [(item, False) for item in inner.values()]
    return known.get(id(value), 0) if type(value) in CONTAINERS else of_plain(value)


def _parts(container: Any) -> list[Any]:
    return [*container.keys(), *container.values()] if type(container) is dict else list(container)


def _written(value: Any) -> int:
    kind = type(value)  # pyright: ignore[reportUnknownVariableType]
    if kind is str:
        return text_size(value)
    if kind is int:
        return 1 + int(value.bit_length() * 0.302)
    if kind is float:
        return 12
    return len(value) if kind is bytes else 4


def _held(value: Any) -> int:
    """Beside its place in a container."""
    kind = type(value)  # pyright: ignore[reportUnknownVariableType]
    if kind is str:
        # Text is there twice while it comes in.
        bytes_in_utf8 = len(value) if value.isascii() else len(value.encode('utf-8', 'replace'))
        return 0 if len(value) < 2 else _OBJECT_BYTES + 2 * bytes_in_utf8
    if kind is int:
        return 0 if -_SMALL < value < _SMALL else _OBJECT_BYTES + value.bit_length() // 8
    return len(value) if kind is bytes else 0


_LONG = 50_000
_CONTAINER_BYTES = 110
_OBJECT_BYTES = 90
_SMALL = 2**63
