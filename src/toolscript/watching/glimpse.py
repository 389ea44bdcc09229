"""Values as far as somebody who watches has to see them: whole where they are small, by their shape otherwise."""

from itertools import islice
from typing import Any, NamedTuple

from toolscript.guards import is_array, is_object
from toolscript_sandbox import infer_shape

MOST_CHARS = 2_000
"""About how long the JSON of a value may be that is shown whole."""


class Glimpse(NamedTuple):
    """A value that may be shown."""

    value: Any
    """The value, or where it is too long its shape or its beginning, as text."""
    truncated: bool
    chars: int
    """About how much is shown."""


def glimpse(value: Any, most: int = MOST_CHARS) -> Glimpse:
    """The value, or a text about it. Never looks at more of it than fits."""
    chars = _chars(value, most)
    if chars <= most:
        return Glimpse(value, False, chars)
    text = f'{value[: most // 4]}... ({len(value):,} characters)' if isinstance(value, str) else infer_shape(value)
    text = text[:most]
    return Glimpse(text, True, len(text))


def _chars(value: Any, most: int) -> int:
    """How long a value is as text, about; counted until it is more than `most`."""
    chars, waiting = 0, [value]
    while waiting and chars <= most:
        part = waiting.pop()
        if isinstance(part, (str, bytes)):
            chars += len(part) + 2
            continue
        chars += FLAT_CHARS
        # Each part is two characters at least, so there is no need to look at more of them.
        if type(part) in FLAT:
            continue
        if is_object(part):
            chars += sum(map(len, part)) + 4 * len(part)
            waiting += islice(part.values(), most)
        elif is_array(part):
            waiting += islice(part, most)
    return chars


FLAT = frozenset[type[Any]]([int, float, bool, type(None)])
FLAT_CHARS = 5
"""About how long one of these is as text."""
