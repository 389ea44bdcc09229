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
