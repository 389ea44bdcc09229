"""What functions are given, which Monty's do not hold: it is kept beside them."""

from .builtins import callable


class _Attributes:
    pass


_beside = {}


def held(obj):
    """Where the attributes of an object are."""
    if type(obj).__name__ != 'function':
        return obj
    if obj not in _beside:
        _beside[obj] = _Attributes()
    return _beside[obj]


def having(obj, name):
    """The same, where it has that attribute."""
    found = held(obj)
    if found is not obj and not hasattr(found, name):
        raise AttributeError(f"'function' object has no attribute '{name}'")
    return found


def given(obj, name):
    """The same, where it is given that attribute."""
    found = held(obj)
    if found is not obj:
        found._given_ = [*getattr(found, '_given_', ()), name]
    return found


def carried_over(wrapper, wrapped, name):
    """The wrapper, with what `functools.wraps` gives it."""
    source = _beside.get(wrapped) if type(wrapped).__name__ == 'function' else None
    for key in getattr(source, '_given_', ()):
        setattr(given(wrapper, key), key, getattr(source, key))
    if name is not None:
        held(wrapper).__name__ = name
    return wrapper


def named_like(wrapper, wrapped):
    """The wrapper, which has the name of what it wraps."""
    held(wrapper)._wrapped = wrapped
    return wrapper


def wrapped_in(obj):
    """What a function has its name of; None where it has one of its own."""
    return getattr(_beside.get(obj), '_wrapped', None) if type(obj).__name__ == 'function' else None


def given_name(obj):
    """The name that a function was given; None where it has its own."""
    if type(obj).__name__ != 'function' or obj not in _beside:
        return None
    return getattr(_beside[obj], '__name__', None)


def called(value, function):
    """What is called where a variable has the name of a function of the host: its own value, if that can be."""
    return value if callable(value) else function
