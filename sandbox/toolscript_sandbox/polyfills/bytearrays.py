"""Bytes that can be changed."""

from .methods import bytes_of


class bytearray:
    def __init__(self, source=b'', *coding):
        self._values = [0] * source if isinstance(source, int) else list(bytes_of(source, *coding))

    def __bytes__(self): return bytes_of(self._values)
    def __len__(self): return len(self._values)
    def __iter__(self): return iter(self._values)
    def __contains__(self, item): return item in (self._values if isinstance(item, int) else bytes_of(self._values))

    def __getitem__(self, key):
        found = self._values[key]
        return bytearray(found) if isinstance(key, slice) else found

    def __setitem__(self, key, value):
        if not isinstance(key, slice) and not 0 <= value < 256:
            raise ValueError('byte must be in range(0, 256)')
        self._values[key] = list(value) if isinstance(key, slice) else value

    def __delitem__(self, key):
        gone = list(range(len(self._values))[key]) if isinstance(key, slice) else [range(len(self._values))[key]]
        self._values = [value for place, value in enumerate(self._values) if place not in gone]

    def __eq__(self, other):
        return bytes_of(self._values) == (bytes_of(other._values) if isinstance(other, bytearray) else other)

    def __add__(self, other): return bytearray([*self._values, *other])

    def __iadd__(self, other):
        self._values.extend(list(other))
        return self

    def __mul__(self, times): return bytearray(self._values * times)
    def __repr__(self): return f'bytearray({bytes_of(self._values)!r})'
    def append(self, item): self._values.append(item)
    def extend(self, items): self._values.extend(list(items))
    def pop(self, index=-1): return self._values.pop(index)
    def decode(self, *coding): return bytes_of(self._values).decode(*coding)
    def hex(self): return bytes_of(self._values).hex()
    def find(self, sub): return bytes_of(self._values).find(bytes_of([sub]) if isinstance(sub, int) else sub)
