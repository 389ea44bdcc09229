"""Calls of the host library, with plain values."""


def call(_host_name, *args, **kwargs):
    return _host__(
        _host_name, *[plain(arg) for arg in args], **{name: plain(value) for name, value in kwargs.items()}
    )


def plain(value):
    """Convert values that can only be iterated over to a list, and return other values unchanged."""
    kind = type(value).__name__
    if hasattr(type(value), '_is_data_'):
        return value._value_
    if hasattr(type(value), '__iter__') or hasattr(value, '__next__') or kind in _ITERABLES or kind.endswith('iterator'):
        return list(value)
    return value


_ITERABLES = (
    'dict_keys dict_values dict_items range deque generator map filter zip accumulate chain combinations '
    'combinations_with_replacement compress dropwhile filterfalse groupby islice pairwise permutations product repeat '
    'starmap takewhile zip_longest'
).split()
