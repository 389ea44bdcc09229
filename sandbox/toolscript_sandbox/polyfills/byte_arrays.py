"""`bytearray`, which Monty lacks: a list of numbers below 256 that looks like bytes."""

import binascii


def _bytes(values):
    return binascii.unhexlify(''.join([f'{value:02x}' for value in values]))


def _checked(value):
    if not isinstance(value, int):
        raise TypeError(f"'{type(value).__name__}' object cannot be interpreted as an integer")
    if not 0 <= value <= 255:
        raise ValueError('byte must be in range(0, 256)')
    return int(value)


def _values(source):
    if isinstance(source, bytearray):
        return list(source._values)
    if isinstance(source, str):
        raise TypeError('string argument without an encoding')
    return [_checked(value) for value in source]


class bytearray:
    def __init__(self, source=b'', encoding=None, errors='strict'):
        if isinstance(source, str):
            if encoding is None:
                raise TypeError('string argument without an encoding')
            source = source.encode(encoding, errors)
        if isinstance(source, int):
            if source < 0:
                raise ValueError('negative count')
            self._values = [0] * source
        else:
            self._values = _values(source)

    def fromhex(text):
        return bytearray(bytes.fromhex(text))

    def __bytes__(self):
        return _bytes(self._values)

    def __repr__(self):
        return f'bytearray({_bytes(self._values)!r})'

    def __len__(self):
        return len(self._values)

    def __iter__(self):
        return iter(self._values)

    def __getitem__(self, place):
        if isinstance(place, slice):
            found = bytearray()
            found._values = self._values[place]
            return found
        if not -len(self._values) <= place < len(self._values):
            raise IndexError('bytearray index out of range')
        return self._values[place]

    def __setitem__(self, place, value):
        if isinstance(place, slice):
            self._values[place] = _values(value)
        elif not -len(self._values) <= place < len(self._values):
            raise IndexError('bytearray index out of range')
        else:
            self._values[place] = _checked(value)

    def __delitem__(self, place):
        if isinstance(place, slice):
            left_out = set(range(len(self._values))[place])
            self._values = [value for at, value in enumerate(self._values) if at not in left_out]
        elif not -len(self._values) <= place < len(self._values):
            raise IndexError('bytearray index out of range')
        else:
            self._values.pop(place)

    def __contains__(self, value):
        return _checked(value) in self._values if isinstance(value, int) else _plain(value) in _bytes(self._values)

    def __eq__(self, other):
        if isinstance(other, bytearray):
            return self._values == other._values
        return _bytes(self._values) == other if isinstance(other, bytes) else NotImplemented

    def __lt__(self, other):
        return self._values < _values(other)

    def __le__(self, other):
        return self._values <= _values(other)

    def __gt__(self, other):
        return self._values > _values(other)

    def __ge__(self, other):
        return self._values >= _values(other)

    def __add__(self, other):
        return _made(self._values + _values(_joinable(other)))

    def __radd__(self, other):
        return other + _bytes(self._values) if isinstance(other, bytes) else NotImplemented

    def __iadd__(self, other):
        self._values += _values(_joinable(other))
        return self

    def __mul__(self, count):
        return _made(self._values * count)

    def __rmul__(self, count):
        return _made(self._values * count)

    def __imul__(self, count):
        self._values = self._values * count
        return self

    def append(self, item):
        self._values.append(_checked(item))

    def extend(self, items):
        self._values += _values(items)

    def insert(self, index, item):
        self._values.insert(index, _checked(item))

    def pop(self, index=-1):
        if not self._values:
            raise IndexError('pop from empty bytearray')
        return self._values.pop(index)

    def remove(self, value):
        if value not in self._values:
            raise ValueError('value not found in bytearray')
        self._values.remove(value)

    def reverse(self):
        self._values.reverse()

    def clear(self):
        self._values = []

    def copy(self):
        return _made(list(self._values))

    def count(self, sub, *ends):
        if isinstance(sub, int):
            return self._values[slice(*ends) if ends else slice(None)].count(sub)
        return _bytes(self._values).count(_plain(sub), *ends)

    def find(self, sub, *ends):
        return _bytes(self._values).find(_one(sub), *ends)

    def rfind(self, sub, *ends):
        return _bytes(self._values).rfind(_one(sub), *ends)

    def index(self, sub, *ends):
        return _bytes(self._values).index(_one(sub), *ends)

    def startswith(self, prefix, *ends):
        return _bytes(self._values).startswith(_plain(prefix), *ends)

    def endswith(self, suffix, *ends):
        return _bytes(self._values).endswith(_plain(suffix), *ends)

    def decode(self, encoding='utf-8', errors='strict'):
        return _bytes(self._values).decode(encoding, errors)

    def hex(self, *separator):
        return _bytes(self._values).hex(*separator)

    def join(self, parts):
        return bytearray(_bytes(self._values).join([_plain(part) for part in parts]))

    def replace(self, old, new, *count):
        return bytearray(_bytes(self._values).replace(_plain(old), _plain(new), *count))

    def split(self, *args):
        return [bytearray(part) for part in _bytes(self._values).split(*args)]

    def strip(self, *args):
        return bytearray(_bytes(self._values).strip(*args))

    def upper(self):
        return bytearray(_bytes(self._values).upper())

    def lower(self):
        return bytearray(_bytes(self._values).lower())

    def isdigit(self):
        return _bytes(self._values).isdigit()

    def isalpha(self):
        return _bytes(self._values).isalpha()


def _made(values):
    found = bytearray()
    found._values = values
    return found


def _plain(value):
    return _bytes(value._values) if isinstance(value, bytearray) else value


def _one(sub):
    return _bytes([_checked(sub)]) if isinstance(sub, int) else _plain(sub)


def _joinable(other):
    if not isinstance(other, (bytes, bytearray)):
        raise TypeError(f"can't concat {type(other).__name__} to bytearray")
    return other
