"""Of which kinds an exception is, for handlers, `isinstance` and their kin."""

from .errors import UnicodeError, is_class, is_error_class, own


def _flat(kinds):
    return [kind for part in kinds for kind in _flat(part)] if isinstance(kinds, tuple) else [kinds]


def caught(error, kinds):
    flat = _flat(kinds)
    for kind in flat:
        if not is_error_class(kind):
            raise TypeError('catching classes that do not inherit from BaseException is not allowed')
        if is_a(error, kind):
            return True
    return False


def is_a(value, kinds):
    value = own(value)
    if not hasattr(value, '_lineage') or is_class(value):
        return any([_is_of(value, kind) for kind in _flat(kinds)])
    for kind in _flat(kinds):
        if kind is object:
            return True
        if hasattr(kind, '_lineage'):
            if any([kind is ancestor for ancestor in value._lineage]) or _is_like(value, kind):
                return True
        elif is_error_class(kind) and isinstance(_instance(value), kind):
            return True
    return False


def _is_of(value, kind):
    # Of classes that inherit, and of enumerations, `members` and `enum` tell.
    if hasattr(type(kind), '_has_'):
        return kind._has_(value)
    return isinstance(value, kind) or any([above is kind for above in getattr(type(value), '_line_', ())])


def _instance(error):
    return error._native if hasattr(error, '_native') else error._kind('x')


def _is_like(value, kind):
    return kind is UnicodeError and value._kind in (UnicodeDecodeError, UnicodeEncodeError)


def is_below(cls, kinds):
    if not is_class(cls):
        raise TypeError('issubclass() arg 1 must be a class')
    for kind in _flat(kinds):
        if cls is kind or kind is object or (cls is bool and kind is int):
            return True
        if any([kind is above for above in getattr(cls, '_line_', ())]):
            return True
        if hasattr(cls, '_lineage'):
            if any([kind is ancestor for ancestor in cls._lineage]):
                return True
            if is_error_class(kind) and not hasattr(kind, '_lineage') and isinstance(cls._kind('x'), kind):
                return True
        elif is_error_class(cls) and is_error_class(kind) and not hasattr(kind, '_lineage'):
            if isinstance(cls('x'), kind):
                return True
    return False


class suppress:
    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __enter__(self):
        return None

    def __exit__(self, kind, error, trace):
        return error is not None and any([is_a(error, kind) for kind in self._exceptions])
