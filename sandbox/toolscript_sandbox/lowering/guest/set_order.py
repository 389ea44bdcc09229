"""In which order Python goes over a set: by the hashes of its items, where Monty goes by when they came.

How large Python's table is depends on how the set was made: item by item, of another set, or written out. What the
number of items does not tell is noted here. Python promises no order, and has another one for texts in each run.
"""

from .hashes import hash_of

_MOST = 3000
_MOST_POPPED = 500
_ARBITRARY = (str, bytes, type(None))
_SETS = (set, frozenset)
_tables = {}
"""Sets by their ids, with the last place of the table that they began with, where `pop` looks next, and what it saw."""


def in_order(items):
    """What a loop goes over: a set in Python's order, all else as it is."""
    kind = type(items)
    return ordered(items) if kind is set or kind is frozenset else items


class _Watched:
    """The items of a set that must not change meanwhile."""

    def __init__(self, items):
        self._of, self._items, self._size = items, iter(ordered(items)), len(items)

    def __iter__(self):
        return self

    def __next__(self):
        if len(self._of) != self._size:
            self._size = -1
            raise RuntimeError('Set changed size during iteration')
        return next(self._items)


def watched(items):
    return _Watched(items) if type(items) is set else items


def ordered(items):
    found = list(items)
    if len(found) < 2 or any([isinstance(item, _ARBITRARY) for item in found]):
        return found
    return _in_table(found, _known(items)[1])


def popped(obj):
    if type(obj) is not set or len(obj) > _MOST_POPPED or any([isinstance(item, _ARBITRARY) for item in obj]):
        return obj.pop()
    if not obj:
        raise KeyError('pop from an empty set')
    _, mask, finger, table = _known(obj)
    if table is None:
        items = list(obj)
        table = [None if place is None else (items[place],) for place in _table(_hashes(items), mask)]
        mask = len(table) - 1
    else:
        table, mask = _changed(obj, table, mask)
    place = finger & mask
    while not table[place]:
        place = place + 1 & mask
    _tables[id(obj)] = (obj, mask, place + 1, table)
    item = table[place][0]
    obj.remove(item)
    return item


def _changed(obj, table, mask):
    """The table after what was taken from the set, which leaves its place taken, and added to it."""
    table = [() if entry and entry[0] not in obj else entry for entry in table]
    held = {entry[0] for entry in table if entry}
    for item in obj:
        if item not in held:
            table[_free(table, mask, hash_of(item))] = (item,)
            if len([entry for entry in table if entry is not None]) * 5 >= mask * 3:
                items = [entry[0] for entry in table if entry]
                mask = _mask_grown(len(items))
                table = [None if place is None else (items[place],) for place in _table(_hashes(items), mask)]
    return table, mask


def _known(obj):
    known = _tables.get(id(obj), (None, 7, 0, None))
    return known if known[0] is obj else (None, 7, 0, None)


def written(*items):
    """A set that is written out in numbers: Python keeps it as a constant, and copies that."""
    found = set(_constant(items))
    return _noted(found, _mask_of_copy(len(found)))


def walked(*items):
    """What a loop goes over where the set is written out there."""
    return _in_table(_constant(items), 7)


def _constant(items):
    # Made, and made once more of what that gives.
    return _in_table(list(set(items)), 7)


def made(kind, *given):
    """`set(x)` and `frozenset(x)`."""
    if len(given) != 1 or type(given[0]) not in _SETS or len(given[0]) < 5:
        return kind(*given)
    return _noted(kind(ordered(given[0])), _mask_of_copy(len(given[0])))


def copied(obj):
    return made(type(obj), obj) if type(obj) in _SETS else obj.copy()


def union(a, b):
    if type(a) not in _SETS or type(b) not in _SETS or len(a) + len(b) < 5:
        return a | b
    mask, size = _mask_of_copy(len(a)), len(a) + len(b)
    mask = _mask_above(size * 2) if size * 5 >= mask * 3 else mask
    return _noted(type(a)([*ordered(copied(a)), *ordered(b)]), mask)


def minus(a, b):
    found = type(a)([item for item in ordered(a) if item not in b])
    # Where little is taken away, Python takes it away from a copy.
    return _noted(found, _mask_of_copy(len(a))) if len(a) // 4 > len(b) else found


def both(a, b):
    few, many = (a, b) if len(b) > len(a) else (b, a)
    return type(a)([item for item in ordered(few) if item in many])


def either(a, b):
    mine = ordered(a)
    kept = [item for item in ordered(copied(b)) if item not in a]
    return _noted(type(a)([*kept, *[item for item in mine if item not in b]]), _mask_of_copy(len(b)))


def _noted(obj, mask):
    if mask > 7:
        _tables[id(obj)] = (obj, mask, 0, None)
        if len(_tables) > 500:
            _tables.pop(next(iter(_tables)))
    return obj


def _mask_of_copy(size):
    return 7 if size * 5 < 21 else _mask_above(size * 2)


def _mask(size, mask):
    """The last place of the table when it has grown to hold so many items."""
    while size * 5 >= mask * 3:
        mask = _mask_grown((mask * 3 + 4) // 5)
    return mask


def _mask_grown(size):
    return _mask_above(size * (2 if size > 50000 else 4))


def _mask_above(size):
    mask = 7
    while mask < size:
        mask = mask * 2 + 1
    return mask


def _in_table(items, mask):
    """The items in their order in a table that began with the mask, when they came one after the other."""
    hashes = _hashes(items)
    if 0 <= min(hashes) and max(hashes) <= _mask(len(items), mask):
        # Each has a place of its own.
        return [item for _, _, item in sorted(zip(hashes, range(len(items)), items))]
    if len(items) > _MOST:
        return items
    return [items[place] for place in _table(hashes, mask) if place is not None]


def _hashes(items):
    return [item if type(item) is int and 0 <= item < 2**60 else hash_of(item) for item in items]


def _table(hashes, mask):
    table = [None] * (mask + 1)
    for place, number in enumerate(hashes):
        table[_free(table, mask, number)] = place
        if (place + 1) * 5 >= mask * 3:
            mask = _mask_grown(place + 1)
            kept, table = [place for place in table if place is not None], [None] * (mask + 1)
            for known in kept:
                table[_free(table, mask, hashes[known])] = known
    return table


def _free(table, mask, number):
    rest = number & 2**64 - 1
    at = rest & mask
    while True:
        for near in range(at, at + 10 if at + 9 <= mask else at + 1):
            if table[near] is None:
                return near
        rest >>= 5
        at = at * 5 + 1 + rest & mask
