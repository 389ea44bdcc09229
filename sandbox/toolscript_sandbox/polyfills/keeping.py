"""Short descriptions of variables."""

_SIZED = [str, bytes, list, tuple, dict, set, frozenset]
_SAMPLE = 20
_DEPTH = 4


def size_facts(value):
    """Return the type's name, the length (or None), and the approximate size in bytes."""
    kind = type(value)
    return [kind.__name__, len(value) if kind in _SIZED else None, _weight(value, _DEPTH)]


def _weight(value, depth):
    kind = type(value)
    if kind is str or kind is bytes:
        return len(value)
    if kind not in _SIZED or not depth or not value:
        return 16
    parts = _first(value.items() if kind is dict else value)
    return len(value) * (8 + sum([_weight(part, depth - 1) for part in parts]) // len(parts))


def _first(values):
    found = []
    for value in values:
        found.append(value)
        if len(found) == _SAMPLE:
            break
    return found
