"""Methods of sets (and `update` of dicts) with several arguments, or with none."""


def union(obj, *others):
    result, others = _split(obj, others)
    for other in others:
        result = result.union(other)
    return result


def intersection(obj, *others):
    result, others = _split(obj, others)
    for other in others:
        result = result.intersection(other)
    return result


def difference(obj, *others):
    result, others = _split(obj, others)
    for other in others:
        result = result.difference(other)
    return result


def update(obj, *others):
    for other in others:
        obj.update(other)


def _split(obj, others):
    # `set.union(*groups)` names the type and gives the set as the first argument.
    return (others[0].copy(), others[1:]) if obj is set else (obj.copy(), others)


def with_all_of(target, value):
    if type(target) is set and isinstance(value, (set, frozenset)):
        target.update(value)
    else:
        target |= value
    return target


def with_shared(target, value):
    return _replaced(target, target & value, value)


def without(target, value):
    return _replaced(target, target - value, value)


def with_one_of_both(target, value):
    return _replaced(target, target ^ value, value)


def _replaced(target, result, value):
    if type(target) is not set or not isinstance(value, (set, frozenset)):
        return result
    target.clear()
    target.update(result)
    return target


def with_item(obj, key, changed, value):
    obj[key] = changed(obj[key], value)


def with_attribute(obj, name, changed, value):
    setattr(obj, name, changed(getattr(obj, name), value))
