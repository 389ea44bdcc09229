"""What Monty's `collections` lacks."""

from .shown import made_ordered


def OrderedDict(*args, **kwargs):
    return made_ordered(*args, **kwargs)


def pop_item(obj, last=True):
    if last or not obj:
        return obj.popitem()
    key = next(iter(obj))
    return (key, obj.pop(key))


def removed_from(obj, key):
    kind = type(obj).__name__
    if kind == 'Counter':
        obj.pop(key, None)
    elif kind != 'deque':
        obj.pop(key)
    elif -len(obj) <= key < len(obj):
        place = key % len(obj)
        obj.rotate(-place)
        obj.popleft()
        obj.rotate(place)
    else:
        raise IndexError('deque index out of range')


def inserted(obj, index, value):
    if type(obj).__name__ != 'deque':
        return obj.insert(index, value)
    if obj.maxlen is not None and len(obj) >= obj.maxlen:
        raise IndexError('deque already at its maximum size')
    place = max(index + len(obj), 0) if index < 0 else min(index, len(obj))
    obj.rotate(-place)
    obj.appendleft(value)
    obj.rotate(place)


def plain(obj):
    """A chain, or an heir of a dict, as the dict that it looks like: Monty copies nothing else."""
    return obj._merged() if isinstance(obj, ChainMap) else getattr(obj, '__kept__', obj)


class ChainMap:
    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __missing__(self, key):
        raise KeyError(key if isinstance(key, str) else repr(key))

    def __getitem__(self, key):
        for layer in self.maps:
            if key in layer:
                return layer[key]
            if hasattr(layer, '__kept__') and hasattr(type(layer), '__missing__'):
                try:
                    return layer[key]
                except KeyError:
                    pass
        return self.__missing__(key)

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        if key not in self.maps[0]:
            raise KeyError(f'Key not found in the first mapping: {key!r}')
        self.maps[0].pop(key)

    def __contains__(self, key):
        return any([key in layer for layer in self.maps])

    def __len__(self):
        return len(self._merged())

    def __bool__(self):
        return len(self._merged()) > 0

    def _merged(self):
        merged = {}
        for layer in reversed(self.maps):
            merged.update(plain(layer))
        return merged

    def __iter__(self):
        return iter(list(self._merged()))

    def __repr__(self):
        return f'ChainMap({", ".join([repr(layer) for layer in self.maps])})'

    def __eq__(self, other):
        other = plain(other)
        return isinstance(other, dict) and self._merged() == other

    def __or__(self, other):
        other = plain(other)
        if not isinstance(other, dict):
            return NotImplemented
        found = self.copy()
        found.maps[0].update(other)
        return found

    def __ror__(self, other):
        return ChainMap({**other, **self._merged()}) if isinstance(other, dict) else NotImplemented

    def get(self, key, default=None):
        return self[key] if key in self else default

    def keys(self):
        return self._merged().keys()

    def values(self):
        return self._merged().values()

    def items(self):
        return self._merged().items()

    def copy(self):
        return ChainMap(self.maps[0].copy(), *self.maps[1:])

    def new_child(self, m=None, **kwargs):
        child = kwargs if m is None else m
        if m is not None:
            child.update(kwargs)
        return ChainMap(child, *self.maps)

    def _parents(self):
        return ChainMap(*self.maps[1:])

    def pop(self, key, *default):
        if key in self.maps[0] or default:
            return self.maps[0].pop(key, *default)
        raise KeyError(f'Key not found in the first mapping: {key!r}')

    def popitem(self):
        if not self.maps[0]:
            raise KeyError('No keys found in the first mapping.')
        return self.maps[0].popitem()

    def clear(self):
        self.maps[0].clear()

    def setdefault(self, key, default=None):
        if key not in self:
            self.maps[0][key] = default
        return self[key]

    def update(self, other=(), **kwargs):
        self.maps[0].update(plain(other))
        self.maps[0].update(kwargs)


def parents_of(obj):
    return obj._parents() if isinstance(obj, ChainMap) else obj.parents
