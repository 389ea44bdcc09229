"""In which order Python goes over a set: that of a table of hashes, where Monty goes by when the items came.

Where an item stands depends on how the set was made: item by item, of other sets, or written out. A set that was made
item by item gets its table when somebody asks; what was made otherwise, and is small, is kept with its table.
Python promises no order, and has another one for texts in each run: these are left alone.
"""

from .hashes import hash_of

_MOST = 3000
_MOST_POPPED = 500
_MOST_KEPT = 200
_ARBITRARY = (str, bytes, type(None))
_SETS = (set, frozenset)
_tables = {}
"""Sets by their ids, with their tables, and with the place where `pop` looks next."""


class _Table:
    def __init__(self, mask=7):
        self._clear(mask)

    def _clear(self, mask):
        # A place that was left is an empty tuple, so that what stands behind it is found.
        self.mask, self.fill, self.used, self.places = mask, 0, 0, [None] * (mask + 1)

    def items(self):
        return [place[0] for place in self.places if place]

    def put(self, item):
        rest = item if type(item) is int and 0 <= item < 2**60 else hash_of(item) & 2**64 - 1
        at, mask, places = rest & self.mask, self.mask, self.places
        while True:
            for near in range(at, at + 10 if at + 9 <= mask else at + 1):
                if places[near] is None:
                    places[near] = (item,)
                    self.fill += 1
                    self.used += 1
                    return
            rest >>= 5
            at = at * 5 + 1 + rest & mask

    def add(self, items):
        for item in items:
            self.put(item)
            if self.fill * 5 >= self.mask * 3:
                self.resize(_grown(self.used))
        return self

    def resize(self, size):
        items = self.items()
        self._clear(_mask_above(size))
        for item in items:
            self.put(item)

    def merge(self, other):
        if (self.fill + other.used) * 5 >= self.mask * 3:
            self.resize((self.used + other.used) * 2)
        if self.fill == 0 and self.mask == other.mask and other.fill == other.used:
            self.places, self.fill, self.used = list(other.places), other.used, other.used
        elif self.fill == 0:
            for item in other.items():
                self.put(item)
        else:
            held = set(self.items())
            self.add([item for item in other.items() if item not in held])
        return self

    def leave(self, is_gone):
        self.places = [() if place and is_gone(place[0]) else place for place in self.places]
        self.used = len([place for place in self.places if place])
        return self


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
    if len(items) < 2 or isinstance(next(iter(items)), _ARBITRARY):
        return items
    kinds, known = {type(item) for item in items}, _known(items)
    mask = _mask(len(items)) if known is None else known[1].mask
    if kinds == {int} and 0 <= min(items) and max(items) <= mask:
        # Each has a place of its own.
        return sorted(items)
    return _table_of(items).items() if len(items) <= _MOST and kinds.isdisjoint(_ARBITRARY) else items


def popped(obj):
    if type(obj) is not set or len(obj) > _MOST_POPPED or any([isinstance(item, _ARBITRARY) for item in obj]):
        return obj.pop()
    if not obj:
        raise KeyError('pop from an empty set')
    known, table = _known(obj), _table_of(obj)
    place = 0 if known is None else known[2] & table.mask
    while not table.places[place]:
        place = place + 1 & table.mask
    _tables[id(obj)] = (obj, table, place + 1)
    item = table.places[place][0]
    obj.remove(item)
    return item


def written(*items):
    """A set that is written out in numbers: Python keeps it as a constant, and makes the set of that."""
    return _kept(set, _Table().merge(_constant(items)))


def walked(*items):
    """What a loop goes over where the set is written out there."""
    return _constant(items).items()


def _constant(items):
    # Made, and made once more of what that gives.
    return _Table().add(_Table().add(list(set(items))).items())


def made(kind, *given):
    """`set(x)` and `frozenset(x)`."""
    if len(given) != 1 or not _is_minded(given[0]):
        return kind(*given)
    if kind is frozenset and type(given[0]) is frozenset:
        return given[0]
    return _kept(kind, _copy_of(given[0]))


def copied(obj):
    return made(type(obj), obj) if type(obj) in _SETS else obj.copy()


def union(a, b):
    if not _is_minded(a) or not _is_minded(b):
        return a | b
    return _kept(type(a), _copy_of(a).merge(_table_of(b)))


def united(obj, items):
    """`a.union(b)`."""
    if type(items) in _SETS:
        return union(obj, items)
    if not _is_minded(obj):
        return obj.union(items)
    items = list({item: None for item in items if item not in obj})
    return _kept(type(obj), _copy_of(obj).add(items)) if _is_minded(set(items)) else obj.union(items)


def minus(a, b):
    if not _is_minded(a):
        return a - b
    if len(a) // 4 <= len(b):
        return _kept(type(a), _Table().add([item for item in ordered(a) if item not in b]))
    # Where little is taken away, Python takes it away from a copy.
    table = _copy_of(a).leave(lambda item: item in b)
    if table.fill - table.used > table.mask // 4:
        table.resize(_grown(table.used))
    return _kept(type(a), table)


def both(a, b):
    if not _is_minded(a) or not _is_minded(b):
        return a & b
    few, many = (a, b) if len(b) > len(a) else (b, a)
    return _kept(type(a), _Table().add([item for item in ordered(few) if item in many]))


def either(a, b):
    if not _is_minded(a) or not _is_minded(b):
        return a ^ b
    table = _copy_of(b)
    for item in ordered(a):
        if item in b:
            table.leave(lambda other: other == item)
        else:
            table.add([item])
    return _kept(type(a), table)


def _is_minded(obj):
    """Whether it is a set whose order is Python's, and small enough to be kept."""
    if type(obj) not in _SETS or len(obj) > _MOST_KEPT:
        return False
    return not any([isinstance(item, _ARBITRARY) for item in obj])


def _copy_of(obj):
    return _Table().merge(_table_of(obj))


def _table_of(obj):
    known = _known(obj)
    if known is None:
        return _Table().add(obj)
    table, kept = known[1].leave(lambda item: item not in obj), set()
    kept.update(table.items())
    return table.add([item for item in obj if item not in kept])


def _known(obj):
    known = _tables.get(id(obj))
    return known if known is not None and known[0] is obj else None


def _kept(kind, table):
    obj = kind(table.items())
    if len(obj) <= _MOST_KEPT:
        _tables[id(obj)] = (obj, table, 0)
        if len(_tables) > _MOST_KEPT:
            _tables.pop(next(iter(_tables)))
    return obj


def _mask(size):
    """The last place of the table of a set that was made of so many items, one by one."""
    mask = 7
    while size * 5 >= mask * 3:
        mask = _mask_above(_grown((mask * 3 + 4) // 5))
    return mask


def _grown(size):
    return size * (2 if size > 50000 else 4)


def _mask_above(size):
    mask = 7
    while mask < size:
        mask = mask * 2 + 1
    return mask
