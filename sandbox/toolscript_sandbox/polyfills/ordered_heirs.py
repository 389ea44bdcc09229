"""What heirs of `OrderedDict` have beside, and otherwise than, those of `dict` (`heirs.py`)."""

from .heirs import dict_equal, raw
from .shown import is_ordered


def plain(obj):
    """What takes a mapping asks these for their keys and items."""
    return {key: obj[key] for key in list(obj.keys())}


def made(self, /, *args, **kwargs):
    if len(args) > 1:
        raise TypeError(f'expected at most 1 arguments, got {len(args)}')
    update(self, *args, **kwargs)


def update(self, /, *args, **kwargs):
    if len(args) > 1:
        raise TypeError(f'update() takes at most 1 positional argument ({len(args)} given)')
    for other in args:
        if isinstance(other, dict):
            pairs = list(other.items())
        else:
            pairs = [(key, other[key]) for key in list(other.keys())] if hasattr(other, 'keys') else other
        for key, value in pairs:
            self[key] = value
    for key, value in kwargs.items():
        self[key] = value


def setdefault(self, key, default=None):
    if key in self:
        return self[key]
    self[key] = default
    return default


def popitem(self, last=True):
    items = raw(self)
    if not items:
        raise KeyError('dictionary is empty')
    if last:
        return items.popitem()
    key = next(iter(items))
    return (key, items.pop(key))


def move_to_end(self, key, last=True):
    items = raw(self)
    if key not in items:
        raise KeyError(key)
    others = {} if last else {other: items[other] for other in items if other != key}
    value = items.pop(key)
    if not last:
        items.clear()
    items[key] = value
    items.update(others)


def shown(self):
    pairs = list(self.items())
    return f'{type(self).__name__}({pairs!r})' if pairs else f'{type(self).__name__}()'


def equal(self, other):
    said = dict_equal(self, other)
    orders = is_ordered(other) or getattr(type(other), '_ordered_', False)
    return list(raw(self)) == list(raw(other)) if said is True and orders else said


def unequal(self, other):
    said = equal(self, other)
    return said if said is NotImplemented else not said


def copied(self):
    found = type(self)()
    for key in list(raw(self)):
        found[key] = self[key]
    return found


def merged(self, other):
    if not isinstance(raw(other), dict):
        return NotImplemented
    found = type(self)(self)
    update(found, other)
    return found


def merged_to(self, other):
    if not isinstance(raw(other), dict):
        return NotImplemented
    found = type(self)(other)
    update(found, self)
    return found


def merged_in_place(self, other):
    update(self, other)
    return self
