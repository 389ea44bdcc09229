"""Augmented assignments, which change lists and sets in place, and `del`."""


def iadd(target, value):
    if type(target).__name__ in ('list', 'deque', '_builtins__bytearray'):
        target.extend(value)
        return target
    return _own(target, value, lambda a, b: a + b)


def imul(target, value, times=lambda a, b: a * b):
    if type(target) is list:
        target[:] = target * value
        return target
    return _own(target, value, times)


def isub(target, value): return _own(target, value, lambda a, b: a - b)


def ior(target, value):
    if type(target) is dict:
        target.update({key: value[key] for key in value.keys()} if hasattr(type(value), 'keys') else value)
        return target
    return _own(target, value, lambda a, b: a | b)


def iand(target, value): return _own(target, value, lambda a, b: a & b)
def ixor(target, value): return _own(target, value, lambda a, b: a ^ b)


def _own(target, value, compute):
    found = compute(target, value)
    if type(target) is not set:
        return found
    found = list(found)
    target.clear()
    target.update(found)
    return target


def in_place(target, value, name, other, *rest):
    """`target += value` if a class defines `__iadd__`."""
    found = getattr(target, name)(value) if hasattr(type(target), name) else NotImplemented
    return other(target, value, *rest) if found is NotImplemented else found


def delete(obj, key):
    """`del obj[key]`."""
    kind = type(obj)
    if hasattr(kind, '__delitem__') and kind.__name__ != 'type':
        obj.__delitem__(key)
    elif isinstance(key, slice):
        gone = set(range(len(obj))[key])
        obj[:] = [value for place, value in enumerate(obj) if place not in gone]
    elif kind.__name__ == 'Counter':
        obj.pop(key, None)
    elif isinstance(obj, (list, dict)):
        obj.pop(key)
    elif kind.__name__ == 'deque':
        if not -len(obj) <= key < len(obj):
            raise IndexError('deque index out of range')
        key %= len(obj)
        obj.rotate(-key)
        obj.popleft()
        obj.rotate(key)
    else:
        raise TypeError(f"'{kind.__name__}' object doesn't support item deletion")
