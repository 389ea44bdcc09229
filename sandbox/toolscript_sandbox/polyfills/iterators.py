"""Iterators that compute a value when somebody asks for it, as Python's builtins do."""

import itertools

from .builtins import truth

_END = ['no more']


class Values:
    """Of a generator expression: the step makes a list of none or one of each item."""

    def __init__(self, step, items):
        self._step, self._items = step, iter(items)

    def __iter__(self):
        return self

    def __next__(self):
        while True:
            found = self._step(next(self._items))
            if found:
                return found[0]

    def send(self, value):
        return next(self)

    def close(self):
        self._items = iter([])


def flat(iterators):
    return itertools.chain.from_iterable(iterators)


class Until:
    """Ends the loops of a comprehension as soon as one value is as wanted: true, false, or (None) any at all."""

    def __init__(self, wanted):
        self._wanted = wanted
        self.is_over = False

    def over(self, items):
        return _Ended(self, iter(items))

    def saw(self, value):
        self.is_over = self._wanted is None or bool(truth(value)) is self._wanted
        return value


class _Ended:
    def __init__(self, until, items):
        self._until, self._items = until, items

    def __iter__(self):
        return self

    def __next__(self):
        if self._until.is_over:
            raise StopIteration
        return next(self._items)


def any_until(until, values):
    return until.is_over


def all_until(until, values):
    return not until.is_over


def next_until(until, values, *default):
    return next(iter(values), *default)


def any_of(values):
    # Only what is asked with `next` can wait for a function of the host.
    while True:
        value = next(values, _END)
        if value is _END:
            return False
        if value:
            return True


def all_of(values):
    while True:
        value = next(values, _END)
        if value is _END:
            return True
        if not value:
            return False


def sum_in(step, items, start=0):
    if isinstance(start, (str, bytes)):
        return sum([], start)
    total = start
    for item in items:
        for value in step(item):
            total = total + value
    return total


def min_in(step, items, default=_END):
    least = _END
    for item in items:
        for value in step(item):
            if least is _END or value < least:
                least = value
    return least if least is not _END else min([]) if default is _END else default


def max_in(step, items, default=_END):
    most = _END
    for item in items:
        for value in step(item):
            if most is _END or value > most:
                most = value
    return most if most is not _END else max([]) if default is _END else default


def any_in(step, items):
    for item in items:
        for value in step(item):
            if value:
                return True
    return False


def all_in(step, items):
    for item in items:
        for value in step(item):
            if not value:
                return False
    return True


class map:
    def __init__(self, function, *iterables):
        self._function = function
        self._iterators = [iter(items) for items in iterables]

    def __iter__(self):
        return self

    def __next__(self):
        if len(self._iterators) == 1:
            return self._function(next(self._iterators[0]))
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
            item = next(items, _END)
            if item is _END:
                if self._strict:
                    self._unequal(place)
                raise StopIteration
            found.append(item)
        if not found:
            raise StopIteration
        return tuple(found)

    def _unequal(self, place):
        before = ' 1' if place == 1 else f's 1-{place}'
        if place:
            raise ValueError(f'zip() argument {place + 1} is shorter than argument{before}')
        for other, items in enumerate(self._iterators):
            if other and next(items, _END) is not _END:
                before = ' 1' if other == 1 else f's 1-{other}'
                raise ValueError(f'zip() argument {other + 1} is longer than argument{before}')


class enumerate:
    def __init__(self, iterable, start=0):
        self._items, self._place = iter(iterable), start - 1

    def __iter__(self):
        return self

    def __next__(self):
        item = next(self._items)
        self._place += 1
        return (self._place, item)


class _Listed:
    """Of a list that may grow meanwhile: once it has come to the end, it stays there."""

    def __init__(self, items):
        self._items, self._place = items, -1

    def __iter__(self):
        return self

    def __next__(self):
        self._place += 1
        if self._items is not None and self._place < len(self._items):
            return self._items[self._place]
        self._items = None
        raise StopIteration


def iter_of(obj):
    return _Listed(obj) if type(obj) is list else iter(obj)


class _Reversed:
    def __init__(self, items):
        self._items, self._place = items, _length(items)

    def __iter__(self):
        return self

    def __next__(self):
        self._place -= 1
        if 0 <= self._place < _length(self._items):
            return self._items[self._place]
        self._place = 0
        raise StopIteration


def _length(items):
    return items.__len__() if hasattr(type(items), '__len__') else len(items)


def reversed(sequence):
    if hasattr(sequence, '__reversed__'):
        return sequence.__reversed__()
    if isinstance(sequence, list) or hasattr(sequence, '__getitem__'):
        return _Reversed(sequence)
    if isinstance(sequence, (set, frozenset)) or hasattr(sequence, '__next__'):
        raise TypeError(f"'{type(sequence).__name__}' object is not reversible")
    return iter([*sequence][::-1])
