"""In which order Python goes over a set: that of a table of hashes, where Monty goes by when the items came.

Where an item stands depends on how the set was made: item by item, of other sets, or written out. A set that was made
item by item gets its table when somebody asks; what was made otherwise, and is small, is kept with its table.
Python promises no order, and has another one for texts in each run: these are left alone.
"""

from .first_keys import joined
from .hashes import hash_of
from .sets import with_all_of, with_one_of_both, with_shared, without

_MOST = 3000
_MOST_POPPED = 500
_MOST_KEPT = 200
_MOST_INTEGERS = 1000
_MOST_PLACES = 100000
_ARBITRARY = (str, bytes, type(None))
_SETS = (set, frozenset)
_places = [0]
_left_to_do = [100000]
_tables = {}
"""Sets by their ids, with their tables, and with the place where `pop` looks next."""


class _Table:
    def __init__(self, mask=7):
        self._clear(mask)

    def _clear(self, mask):
        # A place that was left is an empty tuple, so that what stands behind it is found. The last such is taken again.
        self.mask, self.fill, self.used, self.places = mask, 0, 0, [None] * (mask + 1)

    def items(self):
        return [place[0] for place in self.places if place]

    def put(self, item):
        rest = item if type(item) is int and 0 <= item < 2**60 else hash_of(item) & 2**64 - 1
        at, mask, places, free = rest & self.mask, self.mask, self.places, None
        while True:
            for near in range(at, at + 10 if at + 9 <= mask else at + 1):
                place = places[near]
                if place is None:
                    if free is None:
                        self.fill += 1
                        free = near
                    places[free] = (item,)
                    self.used += 1
                    return
                if not place:
                    free = near
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
        self.make_room(other.used)
        if self.fill == 0 and self.mask == other.mask and other.fill == other.used:
            self.places, self.fill, self.used = list(other.places), other.used, other.used
        elif self.fill == 0:
            for item in other.items():
                self.put(item)
        else:
            held = set(self.items())
            self.add([item for item in other.items() if item not in held])
        return self

    def drop(self, item):
        """Take one item away; whether it was there."""
        rest = item if type(item) is int and 0 <= item < 2**60 else hash_of(item) & 2**64 - 1
        at, mask, places = rest & self.mask, self.mask, self.places
        while True:
            for near in range(at, at + 10 if at + 9 <= mask else at + 1):
                place = places[near]
                if place is None:
                    return False
                if place and place[0] == item:
                    places[near] = ()
                    self.used -= 1
                    return True
            rest >>= 5
            at = at * 5 + 1 + rest & mask

    def make_room(self, more):
        """As where the number of items that come is known before."""
        if (self.fill + more) * 5 >= self.mask * 3:
            self.resize((self.used + more) * 2)

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
    _keep(obj, table, place + 1)
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


def left(obj, name, item):
    """`obj.discard(item)` and `obj.remove(item)`: where it was, its place is not used again."""
    if type(obj) is set and item in obj:
        known = _known(obj)
        if known is not None and known[1].used == len(obj) and known[1].drop(item):
            pass
        elif _is_followed(obj):
            table = _table_of(obj)
            table.drop(item)
            _keep(obj, table)
    elif name == 'discard':
        return obj.discard(item)
    return obj.remove(item)


def clear(obj):
    if type(obj) is set:
        _forget(id(obj))
    return obj.clear()


def update(obj, items):
    """`obj.update(items)`, and `obj |= items`."""
    if type(obj) is not set or type(items) not in (set, frozenset, dict) or len(items) > _MOST_INTEGERS:
        return obj.update(items)
    if not _is_followed(obj) or not _is_minded(set(items)):
        return obj.update(items)
    table = _table_of(obj)
    if type(items) is dict:
        table.make_room(len(items))
        table.add([item for item in items if item not in obj])
    else:
        table.merge(_table_of(items))
    obj.update(items)
    _keep(obj, table)


def take_away(obj, items):
    """`obj -= items`, where both are sets."""
    if not _is_followed(obj):
        return False
    table = _table_of(obj)
    for item in [item for item in obj if item in items]:
        table.drop(item)
        obj.remove(item)
    if table.fill - table.used > table.mask // 4:
        table.resize(_grown(table.used))
    _keep(obj, table)
    return True


def changed_to(obj, result):
    """A set that gets the items of another one, and their places."""
    known = _known(result)
    obj.clear()
    obj.update(result)
    _forget(id(obj))
    if known is not None:
        _keep(obj, known[1])


def joined_with(target, value):
    """What `target |= value` leaves in the target; the other signs follow."""
    if type(target) is set and type(value) in _SETS:
        update(target, value)
        return target
    return with_all_of(target, value)


def shared_with(target, value):
    if type(target) is not set or not _is_followed(target) or not _is_minded(value):
        return with_shared(target, value)
    changed_to(target, both(target, value))
    return target


def rid_of(target, value):
    if type(target) is set and type(value) in _SETS and take_away(target, value):
        return target
    return without(target, value)


def odd_with(target, value):
    if type(target) is not set or not _is_followed(target) or not _is_minded(value):
        return with_one_of_both(target, value)
    table = _table_of(target)
    for item in list(ordered(value)):
        if item in target:
            table.drop(item)
            target.remove(item)
        else:
            table.add([item])
            target.add(item)
    _keep(target, table)
    return target


def difference_update(obj, *others):
    for other in others:
        if type(obj) is set:
            rid_of(obj, set(other))
        else:
            obj.difference_update(other)


def intersection_update(obj, *others):
    for other in others:
        if type(obj) is not set:
            obj.intersection_update(other)
        elif type(other) in _SETS:
            shared_with(obj, other)
        else:
            found = [item for item in list({item: None for item in other}) if item in obj]
            changed_to(obj, _kept(set, _Table().add(found)) if _is_minded(set(found)) else set(found))


def symmetric_difference_update(obj, other):
    if type(obj) is set:
        odd_with(obj, other if type(other) in _SETS else made(set, other))
    else:
        obj.symmetric_difference_update(other)


def made(kind, *given):
    """`set(x)` and `frozenset(x)`."""
    if len(given) == 1 and type(given[0]) is dict and _is_minded(set(given[0])):
        table = _Table()
        table.make_room(len(given[0]))
        return _kept(kind, table.add(given[0]))
    if len(given) != 1 or not _is_minded(given[0]):
        return kind(*given)
    if kind is frozenset and type(given[0]) is frozenset:
        return given[0]
    return _kept(kind, _copy_of(given[0]))


def copied(obj):
    return made(type(obj), obj) if type(obj) in _SETS else obj.copy()


def union(a, b):
    if not _is_minded(a) or not _is_minded(b):
        return joined(a, b)
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


def differing(obj, items):
    """`a.symmetric_difference(b)`."""
    if type(obj) not in _SETS:
        return obj.symmetric_difference(items)
    return either(obj, items if type(items) in _SETS else made(set, items))


def _is_followed(obj):
    """Whether a change of it is minded: many changes of large sets would take too long."""
    if _left_to_do[0] <= 0 or not _is_minded(obj):
        return False
    _left_to_do[0] -= len(obj) + 8
    return True


def _is_minded(obj):
    """Whether it is a set whose order is Python's, and small enough to be kept."""
    if type(obj) not in _SETS or len(obj) > _MOST_INTEGERS:
        return False
    if len(obj) > _MOST_KEPT and {type(item) for item in obj} != {int}:
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
    if _is_minded(obj):
        _keep(obj, table)
    return obj


def _keep(obj, table, start=None):
    if start is None:
        known = _known(obj)
        start = 0 if known is None else known[2]
    _forget(id(obj))
    _tables[id(obj)] = (obj, table, start, table.mask)
    _places[0] += table.mask
    while _places[0] > _MOST_PLACES and len(_tables) > 1:
        _forget(next(iter(_tables)))


def _forget(key):
    known = _tables.pop(key, None)
    if known is not None:
        _places[0] -= known[3]


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
