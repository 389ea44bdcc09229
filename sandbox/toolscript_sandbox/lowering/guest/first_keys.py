"""Dicts that keep the first of keys that are equal and of different types."""

from collections import Counter

_others = set()
"""Whole numbers that were keys as floats or bools."""


def first_key(obj, key):
    """The key that a dict has already, where it is equal to this one and another number."""
    kind = type(key)
    if kind is int:
        if key not in _others:
            return key
    elif kind is bool or (kind is float and not key % 1):
        _others.add(key)
    else:
        return key
    if isinstance(obj, dict) and key in obj:
        return [known for known in obj if known == key][0]
    return key


def made_of(pairs):
    found = {}
    for key, value in pairs:
        found[first_key(found, key)] = value
    return found


def firsts(items):
    """What a `Counter` counts."""
    if isinstance(items, (dict, str, bytes)):
        return items
    known = {}
    return [known.setdefault(item, item) if type(item) in _NUMBERS else item for item in items]


def pairs(items):
    """What a dict is made of."""
    if isinstance(items, dict):
        return items
    items = list(items)
    keys = firsts([_key(item) for item in items])
    return [(key, item[1]) if type(key) in _NUMBERS else item for key, item in zip(keys, items)]


def known_pairs(items, obj):
    """What a dict is updated with."""
    if not isinstance(obj, dict):
        return items
    if isinstance(obj, Counter) and not isinstance(items, dict):
        return [first_key(obj, item) for item in firsts(items)]
    if type(items) is dict:
        return {first_key(obj, key): value for key, value in items.items()}
    return items if isinstance(items, dict) else [(first_key(obj, key), value) for key, value in pairs(items)]


def _key(item):
    return item[0] if isinstance(item, (list, tuple)) and len(item) == 2 else None


_NUMBERS = (int, float, bool)
