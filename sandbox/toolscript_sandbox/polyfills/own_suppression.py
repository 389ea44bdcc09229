"""`suppress` in scripts whose exceptions are objects."""

from .exceptions import is_instance


class suppress:
    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __enter__(self):
        return None

    def __exit__(self, kind, error, trace):
        return error is not None and is_instance(error, self._exceptions)
