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
