"""Values as far as somebody who watches has to see them: whole where they are small, by their shape otherwise."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from toolscript.guards import is_array, is_object
from toolscript_sandbox import shape_of

MOST_CHARS = 2_000
"""About how long the JSON of a value may be that is shown whole."""


@dataclass(frozen=True)
class Glimpse:
    """A value that may be shown."""

    value: Any
    """The value, or where it is too long its shape or its beginning, as text."""
    whole: bool
    chars: int
    """About how much is shown."""


def glimpse(value: Any, most: int = MOST_CHARS) -> Glimpse:
    """The value, or a text about it. Never looks at more of it than fits."""
    if type(value) in _FLAT and most >= _FLAT_CHARS:
        return Glimpse(value, True, _FLAT_CHARS)
    chars = 0
    for size in _sizes(value):
        chars += size
        if chars > most:
            text = f'{value[: most // 4]}... ({len(value):,} characters)' if isinstance(value, str) else shape_of(value)
            text = text[:most]
            return Glimpse(text, False, len(text))
    return Glimpse(value, True, chars)


def _sizes(value: Any) -> Iterator[int]:
    """How much each part of a value adds to its text, one after the other."""
    waiting = [iter((value,))]
    while waiting:
        for part in waiting[-1]:
            yield len(part) + 2 if isinstance(part, str | bytes) else _FLAT_CHARS
            if is_object(part):
                yield sum(len(key) + 4 for key in part)
                waiting.append(iter(part.values()))
                break
            if is_array(part):
                waiting.append(iter(part))
                break
        else:
            waiting.pop()


_FLAT = frozenset[type[Any]]([int, float, bool, type(None)])
_FLAT_CHARS = 5
