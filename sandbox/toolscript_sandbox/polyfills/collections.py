"""What Monty's `collections` lacks. An `OrderedDict` is a plain dict, which has the extra methods here."""


def OrderedDict(*args, **kwargs): return dict(*args, **kwargs)
def OrderedDict_fromkeys(iterable, value=None): return dict.fromkeys(iterable, value)


class ChainMap:
    def __init__(self, *maps):
        self.maps = list(maps) or [{}]
        if len(maps) > 1:
            self.parents = ChainMap(*maps[1:])

    def _merged(self):
        merged = {}
        for layer in reversed(self.maps):
            merged.update(layer._merged() if isinstance(layer, ChainMap) else layer)
        return merged

    def __getitem__(self, key):
        for layer in self.maps:
            if key in layer:
                return layer[key]
        raise KeyError(key if isinstance(key, str) else repr(key))

    def __setitem__(self, key, value): self.maps[0][key] = value
    def __delitem__(self, key): self.maps[0].pop(key)
    def __contains__(self, key): return any([key in layer for layer in self.maps])
    def __len__(self): return len(self._merged())
    def __iter__(self): return iter(list(self._merged()))
    def __repr__(self): return f'ChainMap({", ".join([repr(layer) for layer in self.maps])})'
    def __eq__(self, other): return self._merged() == (other._merged() if isinstance(other, ChainMap) else other)
    def __or__(self, other): return ChainMap({**self.maps[0], **other}, *self.maps[1:])
    def __ror__(self, other): return ChainMap({**other, **self._merged()})
    def get(self, key, default=None): return self[key] if key in self else default
    def keys(self): return self._merged().keys()
    def values(self): return self._merged().values()
    def items(self): return self._merged().items()
    def new_child(self, m=None): return ChainMap({} if m is None else m, *self.maps)
    def pop(self, key, *default): return self.maps[0].pop(key, *default)
    def popitem(self): return self.maps[0].popitem()
    def clear(self): self.maps[0].clear()
    def copy(self): return ChainMap(dict(self.maps[0]), *self.maps[1:])
    def update(self, *other, **kwargs): self.maps[0].update(*other, **kwargs)

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]
