"""Methods that Monty's types lack, the object coming first; those of numbers, texts and dates stand beside this file."""

from .date_methods import (
    combine,
    ctime,
    fromisocalendar,
    fromordinal,
    fromtimestamp,
    isocalendar,
    replaced,
    strftime,
    timetuple,
    today,
    toordinal,
    utcfromtimestamp,
    utcnow,
    utctimetuple,
)
from .date_reading import fromisoformat, strptime
from .number_methods import (
    as_integer_ratio,
    bit_count,
    bit_length,
    conjugate,
    from_bytes,
    fromhex,
    hex,
    is_integer,
    to_bytes,
)
from .text_methods import (
    count_between,
    decode,
    encode,
    endswith_between,
    find_between,
    format_map,
    index_between,
    maketrans,
    rfind_between,
    rindex_between,
    startswith_between,
    translate,
)


def shuffle(obj, x):
    # What `random.shuffle` does, with the numbers of a generator of the script's own.
    for place in range(len(x) - 1, 0, -1):
        other = obj.randrange(place + 1)
        x[place], x[other] = x[other], x[place]


def indices(obj, length):
    """Start, end and step of a slice in what has so many items."""
    if length < 0:
        raise ValueError('length should not be negative')
    step = 1 if obj.step is None else obj.step
    if step == 0:
        raise ValueError('slice step cannot be zero')
    low, high = (0, length) if step > 0 else (-1, length - 1)
    start = (low if step > 0 else high) if obj.start is None else _kept_within(obj.start, length, low, high)
    stop = (high if step > 0 else low) if obj.stop is None else _kept_within(obj.stop, length, low, high)
    return (start, stop, step)


def _kept_within(place, length, low, high):
    return min(max(place + length if place < 0 else place, low), high)


def move_to_end(obj, key, last=True):
    value = obj.pop(key)
    items = list(obj.items())
    obj.clear()
    obj.update(items + [(key, value)] if last else [(key, value)] + items)


def _replace_in(target, values):
    target.clear()
    target.update(values)


def difference_update(obj, *others):
    for other in others:
        _replace_in(obj, obj.difference(other))


def intersection_update(obj, *others):
    for other in others:
        _replace_in(obj, obj.intersection(other))


def symmetric_difference_update(obj, other):
    _replace_in(obj, obj.symmetric_difference(other))
