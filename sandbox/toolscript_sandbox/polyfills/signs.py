"""Operators of builtin types as methods (`int.__add__`, `d.__setitem__`), which Monty's types only have as syntax."""


def meant(name):
    """What the method of that name does with its object and the rest."""
    return _ACTS[name] if name in _ACTS else _compared(name) if name in _COMPARING else _computed(name)


def _compared(name):
    def asked(obj, other):
        is_set = isinstance(obj, (set, frozenset)) and isinstance(other, (set, frozenset))
        return _COMPARING[name](obj, other) if is_set or _is_like(obj, other) else NotImplemented

    return asked


def _computed(name):
    def asked(obj, other):
        if isinstance(obj, (int, float)) and not _is_like(obj, other):
            return NotImplemented
        if isinstance(obj, (str, bytes, list, tuple)):
            return _COMPUTING[name](obj, other)
        try:
            return _COMPUTING[name](obj, other)
        except TypeError:
            return NotImplemented

    return asked


def _is_like(obj, other):
    if isinstance(obj, int):
        return isinstance(other, int)
    if isinstance(obj, float):
        return isinstance(other, (int, float))
    return isinstance(other, type(obj))


def _stored(obj, key, value):
    obj[key] = value


def _removed(obj, key):
    if isinstance(obj, dict):
        obj.pop(key)
    else:
        obj[:] = [item for place, item in enumerate(obj) if place not in _places(obj, key)]


def _places(obj, key):
    return list(range(len(obj)))[key] if isinstance(key, slice) else [range(len(obj))[key]]


_ACTS = {
    '__getitem__': lambda obj, key: obj[key],
    '__setitem__': _stored,
    '__delitem__': _removed,
    '__contains__': lambda obj, item: item in obj,
    '__len__': lambda obj: len(obj),
    '__next__': lambda obj: next(obj),
    '__iter__': lambda obj: iter(obj),
    '__neg__': lambda obj: -obj,
    '__pos__': lambda obj: +obj,
    '__invert__': lambda obj: ~obj,
    '__abs__': lambda obj: abs(obj),
    '__int__': lambda obj: int(obj),
    '__float__': lambda obj: float(obj),
    '__bool__': lambda obj: bool(obj),
    '__str__': lambda obj: str(obj),
    '__repr__': lambda obj: repr(obj),
    '__hash__': lambda obj: hash(obj),
    '__format__': lambda obj, spec: format(obj, spec),
}
_COMPARING = {
    '__eq__': lambda obj, other: obj == other,
    '__ne__': lambda obj, other: obj != other,
    '__lt__': lambda obj, other: obj < other,
    '__le__': lambda obj, other: obj <= other,
    '__gt__': lambda obj, other: obj > other,
    '__ge__': lambda obj, other: obj >= other,
}
_COMPUTING = {
    '__add__': lambda obj, other: obj + other,
    '__sub__': lambda obj, other: obj - other,
    '__mul__': lambda obj, other: obj * other,
    '__truediv__': lambda obj, other: obj / other,
    '__floordiv__': lambda obj, other: obj // other,
    '__mod__': lambda obj, other: obj % other,
    '__pow__': lambda obj, other: obj**other,
    '__and__': lambda obj, other: obj & other,
    '__or__': lambda obj, other: obj | other,
    '__xor__': lambda obj, other: obj ^ other,
    '__lshift__': lambda obj, other: obj << other,
    '__rshift__': lambda obj, other: obj >> other,
    '__radd__': lambda obj, other: other + obj,
    '__rsub__': lambda obj, other: other - obj,
    '__rmul__': lambda obj, other: other * obj,
}
