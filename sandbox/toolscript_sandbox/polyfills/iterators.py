"""Iterators that compute a value when they are asked for it, as Python's builtins do."""

END = ['no more']


class Values:
    """Of a generator expression: for each item, the step gives the values to go over."""

    def __init__(self, step, items):
        self._step, self._items, self._found = step, iter(items), iter([])

    def __iter__(self):
        return self

    def __next__(self):
        while True:
            value = next(self._found, END)
            if value is not END:
                return value
            self._found = iter(self._step(next(self._items)))

    def send(self, value):
        return next(self)

    def close(self):
        self._items = self._found = iter([])


class Until:
    """Ends the loops of a comprehension as soon as one value is as wanted: true, false, or (None) any at all."""

    def __init__(self, wanted):
        self._wanted, self.is_over = wanted, False

    def over(self, items):
        return _Loop(self, iter(items))

    def saw(self, value):
        self.is_over = self._wanted is None or value is self._wanted
        return value


class _Loop:
    def __init__(self, until, items):
        self._until, self._items = until, items

    def __iter__(self):
        return self

    def __next__(self):
        if self._until.is_over:
            raise StopIteration
        return next(self._items)


class map:
    def __init__(self, function, *iterables):
        self._function, self._iterators = function, [iter(items) for items in iterables]

    def __iter__(self):
        return self

    def __next__(self):
        return self._function(*[next(items) for items in self._iterators])


class filter:
    def __init__(self, function, iterable):
        self._function, self._items = function, iter(iterable)

    def __iter__(self):
        return self

    def __next__(self):
        while True:
            item = next(self._items)
            if item if self._function is None else self._function(item):
                return item


class zip:
    def __init__(self, *iterables, strict=False):
        self._iterators, self._strict = [iter(items) for items in iterables], strict

    def __iter__(self):
        return self

    def __next__(self):
        found = []
        for place, items in enumerate(self._iterators):
            item = next(items, END)
            if item is END:
                if self._strict:
                    self._check(place)
                raise StopIteration
            found.append(item)
        if not found:
            raise StopIteration
        return tuple(found)

    def _check(self, place):
        if place:
            raise ValueError(f'zip() argument {place + 1} is shorter than argument{_before(place)}')
        for other, items in enumerate(self._iterators):
            if other and next(items, END) is not END:
                raise ValueError(f'zip() argument {other + 1} is longer than argument{_before(other)}')


def _before(place):
    return ' 1' if place == 1 else f's 1-{place}'


class enumerate:
    def __init__(self, iterable, start=0):
        self._items, self._place = iter(iterable), start - 1

    def __iter__(self):
        return self

    def __next__(self):
        item = next(self._items)
        self._place += 1
        return (self._place, item)


class Items:
    """Of an object that has only `__getitem__`."""

    def __init__(self, items):
        self._items, self._place = items, -1

    def __iter__(self):
        return self

    def __next__(self):
        if self._items is None:
            raise StopIteration
        self._place += 1
        try:
            return self._items[self._place]
        except IndexError:
            self._items = None
        raise StopIteration


class _Reversed:
    def __init__(self, items, length):
        self._items, self._place = items, length

    def __iter__(self):
        return self

    def __next__(self):
        self._place -= 1
        if 0 <= self._place < len(self._items):
            return self._items[self._place]
        self._place = 0
        raise StopIteration


def reversed(sequence):
    if hasattr(sequence, '__reversed__'):
        return sequence.__reversed__()
    if hasattr(type(sequence), '__len__') and hasattr(type(sequence), '__getitem__'):
        return iter([sequence[place] for place in range(sequence.__len__() - 1, -1, -1)])
    if isinstance(sequence, list):
        return _Reversed(sequence, len(sequence))
    if isinstance(sequence, (set, frozenset)) or hasattr(sequence, '__next__'):
        raise TypeError(f"'{type(sequence).__name__}' object is not reversible")
    return iter([*sequence][::-1])


class Steps:
    """What a comprehension goes over while `more` finds another value. To ask for it with `next` lets a script wait."""

    def __init__(self, items):
        self._items, self.value = iter(items), None

    def __iter__(self):
        return self

    def __next__(self):
        if self.value is END:
            raise StopIteration

    def more(self):
        self.value = next(self._items, END)
        return self.value is not END


def whole(items):
    """All values of an iterator as a list; anything else as it is."""
    if hasattr(items, 'keys') or not (hasattr(items, '__next__') or hasattr(items, '__iter__')):
        return items
    steps = Steps(items)
    return [steps.value for _ in steps if steps.more()]


def stopped(items, wanted):
    """The values up to the first one that is true, or false."""
    found, steps = [], Steps(items)
    while steps.more():
        found.append(steps.value)
        if (True if steps.value else False) is wanted:
            break
    return found


class islice:
    def __init__(self, items, *places):
        start, stop, step = [*([0] if len(places) == 1 else []), *places, 1][:3] if len(places) < 3 else places
        self._items, self._place = iter(items), 0
        self._next, self._stop, self._step = start or 0, stop, step or 1

    def __iter__(self):
        return self

    def __next__(self):
        while True:
            if self._stop is not None and self._next >= self._stop:
                raise StopIteration
            item = next(self._items)
            self._place += 1
            if self._place > self._next:
                self._next += self._step
                return item


class Calls:
    """`iter(function, sentinel)`."""

    def __init__(self, function, sentinel):
        self._function, self._sentinel = function, sentinel

    def __iter__(self):
        return self

    def __next__(self):
        if self._function is None:
            raise StopIteration
        value = self._function()
        if value == self._sentinel:
            self._function = None
            raise StopIteration
        return value
