"""Calls of the host's library, whose values are plain ones."""


def call(_host_name, *args, **kwargs):
    return _host__(
        _host_name, *[plain(arg) for arg in args], **{name: plain(value) for name, value in kwargs.items()}
    )


def plain(value):
    """A list of what can only be gone through; other values are left as they are."""
    if hasattr(value, '__next__') or type(value).__name__ in _VIEWS:
        return list(value)
    return value


_VIEWS = ['dict_keys', 'dict_values', 'dict_items', 'range', 'deque', 'generator', 'map', 'filter', 'zip']
