"""`hash` of numbers, and of tuples and frozen sets of them, as Python computes it; that of texts is another one in each run."""

_PRIME = 2**61 - 1
_WORD = 2**64 - 1


def hash_of(obj):
    kind = type(obj)
    if kind is int or kind is bool:
        return _signed(abs(obj) % _PRIME, obj)
    if kind is float:
        return _of_float(obj)
    if hasattr(kind, '_is_record'):
        return hash_of(tuple(obj))
    if isinstance(obj, tuple):
        return hash(obj) if _is_arbitrary(obj) else _of_tuple([hash_of(item) for item in obj])
    if kind is frozenset:
        return hash(obj) if _is_arbitrary(obj) else _of_set([hash_of(item) for item in obj])
    return hash(obj)


def _is_arbitrary(items):
    return any([isinstance(item, (str, bytes, type(None))) for item in items])


def _signed(number, obj):
    number = number if obj >= 0 else -number
    return -2 if number == -1 else number


def _of_float(obj):
    if obj != obj:
        return hash(obj)
    if obj - obj != 0:
        return 314159 if obj > 0 else -314159
    number, shift = abs(obj), 0
    while number != int(number):
        number *= 2
        shift += 1
    # A half is 2 ** 60, since 2 ** 61 is 1 among the rests.
    return _signed(int(number) * 2 ** (-shift % 61) % _PRIME, obj)


def _of_tuple(hashes):
    found = 2870177450012600261
    for number in hashes:
        found = found + (number & _WORD) * 14029467366897019727 & _WORD
        found = (found << 31 | found >> 33) & _WORD
        found = found * 11400714785074694791 & _WORD
    found = found + (len(hashes) ^ 2870177450012600261 ^ 3527539) & _WORD
    return 1546275796 if found == _WORD else _as_int(found)


def _of_set(hashes):
    found = 0
    for number in hashes:
        number &= _WORD
        found ^= (number ^ 89869747 ^ number << 16) * 3644798167 & _WORD
    found ^= (len(hashes) + 1) * 1927868237 & _WORD
    found ^= found >> 11 ^ found >> 25
    found = found * 69069 + 907133923 & _WORD
    return 590923713 if found == _WORD else _as_int(found)


def _as_int(word):
    return word - 2**64 if word >> 63 else word
