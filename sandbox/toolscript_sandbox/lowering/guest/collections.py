"""What Monty's `collections` lacks."""


def OrderedDict(*args, **kwargs):
    return dict(*args, **kwargs)


def pop_item(obj, last=True):
    if last or not obj:
        return obj.popitem()
    key = next(iter(obj))
    return (key, obj.pop(key))


class ChainMap:
    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __getitem__(self, key):
        for layer in self.maps:
            if key in layer:
                return layer[key]
        raise KeyError(key if isinstance(key, str) else repr(key))

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __contains__(self, key):
        return any([key in layer for layer in self.maps])

    def _merged(self):
        merged = {}
        for layer in reversed(self.maps):
            merged.update(layer)
        return merged

    def __iter__(self):
        return iter(list(self._merged()))

    def get(self, key, default=None):
        return self._merged().get(key, default)

    def keys(self):
        return self._merged().keys()

    def values(self):
        return self._merged().values()

    def items(self):
        return self._merged().items()

    def new_child(self, m=None):
        return ChainMap({} if m is None else m, *self.maps)
