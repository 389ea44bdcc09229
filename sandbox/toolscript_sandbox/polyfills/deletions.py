"""What `del` does, where Monty has no statement for it."""


def item(obj, key):
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

