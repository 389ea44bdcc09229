"""What Monty's paths lack. All paths have the same class."""

from pathlib import Path

PurePath = Path
PurePosixPath = Path
PosixPath = Path


def call(_obj, _name, *args, **kwargs):
    """Call a method: paths have theirs here, other objects have their own."""
    if type(_obj).__name__ == 'PosixPath':
        return _METHODS[_name](_obj, *args, **kwargs)
    return getattr(_obj, _name)(*args, **kwargs)


def read(obj, name):
    """Read an attribute."""
    if type(obj).__name__ != 'PosixPath':
        return getattr(obj, name)
    if name == 'parents':
        return tuple(_parents(obj))
    return '/' if name != 'drive' and obj.is_absolute() else ''


def _parents(path):
    found = []
    while path.parent != path:
        path = path.parent
        found.append(path)
    return found


def _relative_to(path, *other):
    start = Path(*other)
    if not _is_relative_to(path, start):
        raise ValueError(f'{str(path)!r} is not in the subpath of {str(start)!r}')
    return Path(*path.parts[len(start.parts) :])


def _is_relative_to(path, *other):
    start = Path(*other)
    return path.parts[: len(start.parts)] == start.parts


_METHODS = {'relative_to': _relative_to, 'is_relative_to': _is_relative_to}
