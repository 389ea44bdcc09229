"""Assignments with an operator, which change lists and sets in place."""


def add(target, value):
    if type(target) is list:
        target.extend(value)
        return target
    return _own(target, value, '__iadd__', lambda a, b: a + b)


def multiply(target, value, times=lambda a, b: a * b):
    if type(target) is list:
        target[:] = target * value
        return target
    return _own(target, value, '__imul__', times)


def subtract(target, value): return _own(target, value, '__isub__', lambda a, b: a - b)


def union(target, value):
    if type(target) is dict:
        target.update(value)
        return target
    return _own(target, value, '__ior__', lambda a, b: a | b)


def intersect(target, value): return _own(target, value, '__iand__', lambda a, b: a & b)
def differ(target, value): return _own(target, value, '__ixor__', lambda a, b: a ^ b)


def _own(target, value, name, compute):
    kind = type(target)
    if kind is set:
        found = list(compute(target, value))
        target.clear()
        target.update(found)
        return target
    if kind.__name__ != 'type' and hasattr(kind, name):
        said = getattr(kind, name)(target, value)
        if said is not NotImplemented:
            return said
    return compute(target, value)
