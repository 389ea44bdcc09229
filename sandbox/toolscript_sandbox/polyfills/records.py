"""What named tuples with methods have besides their fields."""


def made(cls):
    cls._fields = tuple(cls.__dataclass_fields__)
    defaults = {name: getattr(cls, name) for name in cls._fields if hasattr(cls, name)}
    cls._field_defaults = defaults
    cls._make = lambda items: cls(*items)
    cls._line_, cls._is_record = (tuple,), True


def parts(self):
    return tuple([getattr(self, name) for name in type(self).__dataclass_fields__])


def walked(self):
    return iter(parts(self))


def at(self, place):
    return parts(self)[place]


def size(self):
    return len(type(self).__dataclass_fields__)


def plain(other):
    return parts(other) if hasattr(type(other), '_is_record') else other


def equal(self, other):
    return parts(self) == plain(other)


def hashed(self):
    return hash(parts(self))


def has(self, value):
    return value in parts(self)


def less(self, other):
    return parts(self) < plain(other)


def at_most(self, other):
    return parts(self) <= plain(other)


def greater(self, other):
    return parts(self) > plain(other)


def at_least(self, other):
    return parts(self) >= plain(other)


def joined(self, other):
    return parts(self) + plain(other)


def repeated(self, times):
    return parts(self) * times


def index(self, *args):
    return parts(self).index(*args)


def count(self, value):
    return parts(self).count(value)


def as_dict(self):
    return {name: getattr(self, name) for name in type(self).__dataclass_fields__}


def replaced(self, /, **changes):
    unknown = [name for name in changes if name not in type(self).__dataclass_fields__]
    if unknown:
        raise ValueError(f'Got unexpected field names: {unknown!r}')
    return type(self)(**{**as_dict(self), **changes})
