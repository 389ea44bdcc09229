"""The Python that scripts follow, of which Monty would say that it is a newer one, and how deep functions may go."""

from collections import namedtuple

_version_info = namedtuple('version_info', ['major', 'minor', 'micro', 'releaselevel', 'serial'])
version_info = _version_info(3, 11, 0, 'final', 0)
version = '3.11.0 (Monty)'
platform = 'linux'

_asked = [1000]


def getrecursionlimit():
    return _asked[0]


def setrecursionlimit(limit, /):
    if not isinstance(limit, int):
        raise TypeError(f"'{type(limit).__name__}' object cannot be interpreted as an integer")
    if limit < 1:
        raise ValueError('recursion limit must be greater or equal than 1')
    _asked[0] = limit
