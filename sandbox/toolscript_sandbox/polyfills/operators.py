"""Assignments with an operator, which change lists and sets in place."""


def _own(target, value, name):
    """What a class of the script says, or NotImplemented."""
    kind = type(target)
    if kind.__name__ != 'type' and hasattr(kind, name):
        return getattr(kind, name)(target, value)
    return NotImplemented


def add(target, value):
    if type(target) is list:
        target.extend(value)
        return target
    said = _own(target, value, '__iadd__')
    return target + value if said is NotImplemented else said


def multiply(target, value):
    if type(target) is list:
        target[:] = target * value
        return target
    said = _own(target, value, '__imul__')
    return target * value if said is NotImplemented else said


def subtract(target, value):
    said = _own(target, value, '__isub__')
    return _kept(target, target - value) if said is NotImplemented else said


def union(target, value):
    if type(target) is dict:
        target.update(value)
        return target
    said = _own(target, value, '__ior__')
    return _kept(target, target | value) if said is NotImplemented else said


def intersect(target, value):
    return _kept(target, target & value)


def differ(target, value):
    return _kept(target, target ^ value)


def _kept(target, found):
    if type(target) is not set:
        return found
    found = list(found)
    target.clear()
    target.update(found)
    return target
