"""Dicts that keep the first of keys that are equal and look otherwise: `1`, `True` and `Decimal(1)`, a tuple and a named one."""

from collections import Counter
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal

_ALIKE = {str, int, type(None), bytes, date, timedelta, timezone, range, type, type(len), type(lambda: 0)}
"""Kinds whose equal values look alike."""
_unlike = set()
"""Keys that another one may be equal to and look otherwise: a text or number with such a key is looked for, too."""
_firsts = {}
"""For dicts that have such keys: each key by itself, as the dict has it."""


def first_key(obj, key):
    """The key that a dict has already, where it is equal to this one and may look otherwise."""
    if _is_alike(key):
        return key
    try:
        if not isinstance(obj, dict) or key not in obj:
            return _noted(obj, key)
    except TypeError:
        # It cannot be hashed, which the dict itself says better.
        return key
    if key != key:
        raise NotImplementedError('a dict cannot have two nans as keys here: leave them out first, if key == key')
    number = id(obj)
    if number not in _firsts or _firsts[number][0] is not obj:
        if len(_firsts) > 200:
            _firsts.clear()
        _firsts[number] = (obj, {})
    firsts = _firsts[number][1]
    if key not in firsts:
        firsts.clear()
        for known in obj:
            firsts[known] = known
    return firsts[key]


def seen(key):
    """A key, of which is known from now on that equal ones may look otherwise."""
    if not _is_alike(key) and key == key:
        try:
            _unlike.add(tuple(key) if isinstance(key, tuple) else key)
        except TypeError:
            pass
    return key


def _noted(obj, key):
    """A key that is new to the dict."""
    seen(key)
    number = id(obj)
    if number in _firsts:
        firsts = _firsts[number][1]
        firsts.pop(key, None)
        firsts[key] = key
    return key


def _is_alike(key):
    """Whether every key that is equal to this one looks like it."""
    kind = type(key)
    if kind in _ALIKE:
        return key not in _unlike
    if kind is float:
        return bool(key % 1) and key == key and key not in _unlike
    if kind is tuple:
        return all([_is_alike(part) for part in key]) and not (_unlike and key in _unlike)
    if kind is datetime or kind is time:
        return key.tzinfo is None
    # What its class says of it, classes of dates and numbers do without.
    return not hasattr(kind, '__eq__') and not isinstance(key, _UNLIKE)


_UNLIKE = (bool, complex, Decimal, frozenset, tuple)


def made_of(pairs):
    found = {}
    for key, value in pairs:
        found[first_key(found, key)] = value
    return found


def made_of_parts(parts):
    """What `{**first, key: value}` makes: each part is a dict alone, or a key and its value."""
    found = {}
    for part in parts:
        if len(part) == 2:
            found[first_key(found, part[0])] = part[1]
        elif not found or not isinstance(part[0], dict) or all([type(key) is str for key in part[0]]):
            found = {**found, **part[0]}
        else:
            for key, value in part[0].items():
                found[first_key(found, key)] = value
    return found


def joined(a, b):
    """`a | b`."""
    return made_of_parts([(a,), (b,)]) if type(a) is dict and type(b) is dict else a | b


def joined_in_place(a, b):
    """`a |= b`."""
    if type(a) is dict:
        a.update(known_pairs(b, a))
        return a
    a |= b
    return a


def firsts(items):
    """What a `Counter` counts."""
    if isinstance(items, (dict, str, bytes)):
        return items
    known = {}
    return [item if type(item) is str else known.setdefault(seen(item), item) for item in items]


def pairs(items):
    """What a dict is made of."""
    if isinstance(items, dict):
        return items
    items = list(items)
    keys = firsts([_key(item) for item in items])
    return [item if key is None else (key, item[1]) for key, item in zip(keys, items)]


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
