"""Items, asked for in a way that keeps a missing key as what it is."""

from .errors import made, raised


def item(obj, key):
    try:
        return obj[key]
    except KeyError as error:
        if error.args != (repr(key),):
            raise
    raise raised(made(KeyError, key))


def taken(obj, key):
    try:
        return obj.pop(key)
    except KeyError as error:
        if error.args != (repr(key),):
            raise
    raise raised(made(KeyError, key))


def removed(obj, key):
    try:
        return obj.remove(key)
    except KeyError as error:
        if error.args != (repr(key),):
            raise
    raise raised(made(KeyError, key))
