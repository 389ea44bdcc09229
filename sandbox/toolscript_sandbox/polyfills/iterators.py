"""Iterators that compute values on demand, like Python's builtins."""

from .carriers import carrier

END = ['no more']


class Iterator:
    """Calls a function for each value, which raises `StopIteration` at the end."""

    def __init__(self, step): self._step = step
    def __iter__(self): return self
    def __next__(self): return self._step()
    def close(self): self._step = _ended

    def throw(self, error):
        self.close()
        raise carrier(error)


def _ended(): raise StopIteration


def iterates(obj, name):
    """Return whether a builtin iterable has `__iter__`, or an iterator `__next__`, which Monty does not show."""
    if name not in ('__iter__', '__next__') or type(obj).__name__ == 'type':
        return False
    try:
        items = iter(obj)
    except TypeError:
        return False
    return name == '__iter__' or items is obj


def Values(step, items):
    """The iterator of a generator expression: the step returns the values of each item."""
    items, found = iter(items), iter([])

    def more():
        nonlocal found
        while True:
            value = next(found, END)
            if value is not END:
                return value
            found = iter(step(next(items)))

    return Iterator(more)


class Until:
    """Stops the loops of a comprehension at the first value that is true, false, or (None) anything."""

    def __init__(self, wanted): self._wanted, self._is_over = wanted, False

    def over(self, items):
        items = iter(items)

        def more():
            if self._is_over:
                raise StopIteration
            return next(items)

        return Iterator(more)

    def saw(self, value):
        self._is_over = self._wanted is None or value is self._wanted
        return value


def map(function, *iterables):
    iterators = [iter(items) for items in iterables]
    return Iterator(lambda: function(*[next(items) for items in iterators]))


def filter(function, iterable):
    items = iter(iterable)

    def more():
        while True:
            item = next(items)
            if item if function is None else function(item):
                return item

    return Iterator(more)


def zip(*iterables, strict=False):
    iterators = [iter(items) for items in iterables]

    def more():
        found = []
        for items in iterators:
            item = next(items, END)
            if item is END:
                if strict and found:
                    raise _uneven(len(found) + 1, 'shorter')
                for place, other in [*enumerate(iterators, 1)] if strict else ():
                    if next(other, END) is not END:
                        raise _uneven(place, 'longer')
                raise StopIteration
            found.append(item)
        if not found:
            raise StopIteration
        return tuple(found)

    return Iterator(more)


def _uneven(place, how):
    return ValueError(f'zip() argument {place} is {how} than argument{" 1" if place == 2 else f"s 1-{place - 1}"}')


def enumerate(iterable, start=0):
    items, place = iter(iterable), start - 1

    def more():
        nonlocal place
        item = next(items)
        place += 1
        return (place, item)

    return Iterator(more)


def Items(sequence):
    """The iterator of an object that only has `__getitem__`."""
    place, is_over = -1, False

    def more():
        nonlocal place, is_over
        place += 1
        try:
            if not is_over:
                return sequence[place]
        except IndexError:
            is_over = True
        raise StopIteration

    return Iterator(more)


def reversed(sequence):
    if hasattr(type(sequence), '__reversed__'):
        return sequence.__reversed__()
    if hasattr(type(sequence), '__len__') and hasattr(type(sequence), '__getitem__'):
        return iter([sequence[place] for place in range(sequence.__len__() - 1, -1, -1)])
    if isinstance(sequence, (set, frozenset)) or hasattr(sequence, '__next__'):
        raise TypeError(f"'{type(sequence).__name__}' object is not reversible")
    if not isinstance(sequence, list):
        return iter([*sequence][::-1])
    place = len(sequence)

    def more():
        nonlocal place
        place -= 1
        if 0 <= place < len(sequence):
            return sequence[place]
        place = 0
        raise StopIteration

    return Iterator(more)


def Calls(function, sentinel):
    """`iter(function, sentinel)`."""
    is_over = False

    def more():
        nonlocal is_over
        value = sentinel if is_over else function()
        if value == sentinel:
            is_over = True
            raise StopIteration
        return value

    return Iterator(more)


class Steps:
    """The iterable of a comprehension that calls `more` for each value, which calls `next`, so that a script may wait."""

    def __init__(self, items): self._items, self.value = iter(items), None
    def __iter__(self): return self

    def __next__(self):
        if self.value is END:
            raise StopIteration

    def more(self):
        self.value = next(self._items, END)
        return self.value is not END


def whole(items):
    """Return all values of an iterator as a list, and anything else unchanged."""
    if hasattr(items, 'keys') or not (hasattr(items, '__next__') or hasattr(items, '__iter__')):
        return items
    steps = Steps(items)
    return [steps.value for _ in steps if steps.more()]


def whole_for(taker, items): return whole(items) if isinstance(taker, (str, list, set, frozenset, dict)) else items


def islice(items, *places):
    start, stop, step = (0, *places, 1) if len(places) == 1 else (*places, 1)[:3]
    items, place, following = iter(items), 0, start or 0

    def more():
        nonlocal place, following
        while place < following:
            next(items)
            place += 1
        if stop is not None and place >= stop:
            raise StopIteration
        item = next(items)
        place, following = place + 1, following + (step or 1)
        following = following if stop is None else min(following, stop)
        return item

    return Iterator(more)
