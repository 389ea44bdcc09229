"""What several polyfills use."""


def plain(data):
    """A list of what is given to be gone through; values that cross to the host are left as they are."""
    return data if data is None or isinstance(data, (list, tuple, str, bytes)) else list(data)
