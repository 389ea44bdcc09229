"""What heirs of `list`, `dict` and `OrderedDict` have: each object keeps a value of the builtin type, `__kept__`.

The methods are given builtin values, too: `dict.get(config, 'host')` may be asked of either.
"""

from .errors import made, raised
from .missing_keys import item, taken
from .ordering import in_order


def born(cls, stand_in, kind):
    """Lets objects of a class have what they keep before anything else, and the class know its builtin type."""
    start = cls.__init__

    def filled(self, /, *args, **kwargs):
        if not hasattr(self, '__kept__'):
            object.__setattr__(self, '__kept__', kind())
        start(self, *args, **kwargs)

    cls.__init__ = filled
    above = [one for one in cls._line_ if one is not stand_in]
    cls._line_ = (*above, kind)
    cls._bases_ = tuple([kind if one is stand_in else one for one in cls._bases_])


def plain(obj):
    """What an heir keeps, where nothing is asked of it that its class says otherwise."""
    if not hasattr(obj, '__kept__') or type(obj).__name__ == 'type':
        return obj
    kind, own = type(obj), _PLAIN[type(obj.__kept__).__name__]
    if hasattr(kind, '_ordered_'):
        return kind._plain_(obj)
    return obj.__kept__ if all([getattr(kind, name) is own[name] for name in own]) else obj


def given(owner, method, obj):
    """What a method is given: an heir as it is, where the method is one of the script's."""
    return obj if hasattr(owner, method) else plain(obj)


def unshared(obj):
    """What `copy.copy` gave: Monty's copies have the very values that were copied."""
    if hasattr(obj, '__kept__') and type(obj).__name__ != 'type':
        object.__setattr__(obj, '__kept__', obj.__kept__.copy())
    return obj


def chosen(obj, keys):
    """What `template % obj` asks for."""
    return {key: obj[key] for key in keys} if hasattr(obj, '__kept__') and isinstance(obj.__kept__, dict) else obj


def formatted(template, mapping):
    """`template.format_map(mapping)`."""
    if not hasattr(mapping, '__kept__') or not isinstance(mapping.__kept__, dict):
        return template.format_map(mapping)
    found = {}
    for name in _names(template):
        if name not in found:
            if name == '' or name.isdigit():
                raise ValueError('Format string contains positional fields')
            found[name] = mapping[name]
    return template.format(**found)


def _names(template):
    """What a template asks for, those in the formats of others included."""
    names, place = [], 0
    while place < len(template):
        char = template[place]
        if char in '{}' and template[place : place + 2] == char * 2:
            place += 2
        elif char == '{':
            end = place + 1
            while end < len(template) and template[end] not in '.[!:}':
                end += 1
            names.append(template[place + 1 : end])
            place = end
            depth = 1
            while place < len(template) and depth:
                if template[place] == '{':
                    names += _names(template[place : template.find('}', place) + 1])
                    depth += 1
                elif template[place] == '}':
                    depth -= 1
                place += 1
        else:
            place += 1
    return names


def raw(obj):
    return obj.__kept__ if hasattr(obj, '__kept__') else obj


def _is_heir(obj, kind):
    return isinstance(obj, kind) or (hasattr(obj, '__kept__') and isinstance(obj.__kept__, kind))


def unequal(self, other):
    same = list_equal(self, other) if isinstance(raw(self), list) else dict_equal(self, other)
    return same if same is NotImplemented else not same


def size(self):
    return len(raw(self))


def walked(self):
    return iter(raw(self))


def backwards(self):
    return iter(list(raw(self))[::-1])


def shown(self):
    return repr(raw(self))


def emptied(self):
    raw(self).clear()


def copied(self):
    return raw(self).copy()


def has(self, value):
    return value in raw(self)


# Lists


def list_made(self, /, *args, **kwargs):
    if kwargs:
        raise TypeError(f'list() takes no keyword arguments')
    if len(args) > 1:
        raise TypeError(f'list expected at most 1 argument, got {len(args)}')
    raw(self)[:] = list(*args)


def at(self, place):
    return raw(self)[place]


def put(self, place, value):
    raw(self)[place] = list(value) if isinstance(place, slice) else value


def taken_out(self, place):
    items = raw(self)
    if isinstance(place, slice):
        for index in sorted(range(len(items))[place], reverse=True):
            items.pop(index)
    else:
        if not -len(items) <= place < len(items):
            raise IndexError('list assignment index out of range')
        items.pop(place)


def list_equal(self, other):
    return raw(self) == raw(other) if _is_heir(other, list) else NotImplemented


def less(self, other):
    return raw(self) < raw(other) if _is_heir(other, list) else NotImplemented


def at_most(self, other):
    return raw(self) <= raw(other) if _is_heir(other, list) else NotImplemented


def greater(self, other):
    return raw(self) > raw(other) if _is_heir(other, list) else NotImplemented


def at_least(self, other):
    return raw(self) >= raw(other) if _is_heir(other, list) else NotImplemented


def joined(self, other):
    if not _is_heir(other, list):
        raise TypeError(f'can only concatenate list (not "{type(other).__name__}") to list')
    return raw(self) + raw(other)


def joined_to(self, other):
    return raw(other) + raw(self) if _is_heir(other, list) else NotImplemented


def joined_in_place(self, other):
    raw(self).extend(list(other))
    return self


def repeated(self, times):
    return raw(self) * times


def repeated_in_place(self, times):
    # A class that says what `*` means is asked that here, too.
    if type(self).__mul__ is not repeated:
        return type(self).__mul__(self, times)
    raw(self)[:] = raw(self) * times
    return self


def append(self, value, /):
    raw(self).append(value)


def extend(self, iterable, /):
    raw(self).extend(list(iterable))


def insert(self, index, value, /):
    raw(self).insert(index, value)


def pop(self, *place):
    return raw(self).pop(*place)


def remove(self, value, /):
    raw(self).remove(value)


def index(self, value, *bounds):
    found = raw(self)
    try:
        return found.index(value, *bounds)
    except ValueError:
        raise ValueError(f'{value!r} is not in list')


def count(self, value, /):
    return raw(self).count(value)


def sort(self, /, *, key=None, reverse=False):
    raw(self)[:] = in_order(raw(self), key=key, reverse=reverse)


def reverse(self):
    raw(self).reverse()


# Dicts


def _pairs(other):
    """What `update` takes."""
    if hasattr(other, '__kept__') or isinstance(other, dict):
        return raw(other)
    return {key: other[key] for key in list(other.keys())} if hasattr(other, 'keys') else other


def dict_made(self, /, *args, **kwargs):
    if len(args) > 1:
        raise TypeError(f'dict expected at most 1 argument, got {len(args)}')
    update(self, *args, **kwargs)


def value_of(self, key):
    items = raw(self)
    if key in items:
        return items[key]
    kind = type(self)
    if items is not self and hasattr(kind, '__missing__'):
        return kind.__missing__(self, key)
    return item(items, key)


def stored(self, key, value):
    raw(self)[key] = value


def dropped(self, key):
    taken(raw(self), key)


def dict_equal(self, other):
    return raw(self) == raw(other) if _is_heir(other, dict) else NotImplemented


def merged(self, other):
    return {**raw(self), **raw(other)} if _is_heir(other, dict) else NotImplemented


def merged_to(self, other):
    return {**raw(other), **raw(self)} if _is_heir(other, dict) else NotImplemented


def merged_in_place(self, other):
    update(self, other)
    return self


def get(self, key, default=None, /):
    return raw(self).get(key, default)


def setdefault(self, key, default=None, /):
    return raw(self).setdefault(key, default)


def take(self, key, *default):
    return raw(self).pop(key, *default) if default else taken(raw(self), key)


def popitem(self):
    return raw(self).popitem()


def keys(self):
    return raw(self).keys()


def values(self):
    return raw(self).values()


def items(self):
    return raw(self).items()


def update(self, /, *args, **kwargs):
    if len(args) > 1:
        raise TypeError(f'update expected at most 1 argument, got {len(args)}')
    items = raw(self)
    for other in args:
        items.update(_pairs(other))
    items.update(kwargs)


def from_keys(cls, iterable, value=None):
    made = cls()
    for key in iterable:
        made[key] = value
    return made


_PLAIN = {'list': {'__iter__': walked, '__getitem__': at, '__len__': size}, 'dict': {'__iter__': walked}}
"""What asks for items, of lists and of dicts."""
