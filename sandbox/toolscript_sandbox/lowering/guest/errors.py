"""Exceptions that a script defines: instances of its classes, with a builtin exception to travel in their stead."""

_travelling = []


class Error:
    def __init__(self, *args):
        self.args = args

    def __str__(self):
        args = getattr(self, 'args', ())
        return '' if not args else str(args[0]) if len(args) == 1 else str(args)

    def __repr__(self):
        return f'{type(self).__name__}({", ".join([repr(arg) for arg in getattr(self, "args", ())])})'

    def with_traceback(self, trace):
        return self

    def add_note(self, note):
        return None


def derived(cls, base, names):
    # What a class inherits; `base` is a class of the script, or the builtin exception that it stands for.
    own = base if hasattr(base, '_lineage') else Error
    for name in [*names, '__init__', '__str__', '__repr__', 'with_traceback', 'add_note']:
        if not hasattr(cls, name) or name in names:
            setattr(cls, name, getattr(own, name))
    cls._lineage = [cls, *(base._lineage if own is base else [])]
    cls._stand_in = base._stand_in if own is base else base


def raised(error):
    if type(error).__name__ == 'type' and hasattr(error, '_lineage'):
        error = error()
    if not hasattr(error, '_lineage'):
        return error
    stand_in = error._stand_in(str(error))
    _travelling.append((stand_in, error))
    if len(_travelling) > 100:
        _travelling.pop(0)
    return stand_in


def own(error):
    # A task hands on a copy of what it raised, so that only kind and text are left to tell.
    for stand_in, traveller in _travelling[::-1]:
        if stand_in is error:
            return traveller
    for stand_in, traveller in _travelling[::-1]:
        if repr(stand_in) == repr(error):
            return traveller
    return _of_system(error)


def caught(error, kinds):
    lineage = getattr(own(error), '_lineage', [])
    for kind in kinds if isinstance(kinds, tuple) else (kinds,):
        if hasattr(kind, '_lineage'):
            if any([kind is ancestor for ancestor in lineage]):
                return True
        elif isinstance(error, kind):
            return True
    return False


# What Monty has no class for arrives as an OSError whose text begins with the name.


class ConnectionError:
    pass


derived(ConnectionError, OSError, [])


class ConnectionAbortedError:
    pass


derived(ConnectionAbortedError, ConnectionError, [])


class ConnectionRefusedError:
    pass


derived(ConnectionRefusedError, ConnectionError, [])


class ConnectionResetError:
    pass


derived(ConnectionResetError, ConnectionError, [])


class BrokenPipeError:
    pass


derived(BrokenPipeError, ConnectionError, [])


class BlockingIOError:
    pass


derived(BlockingIOError, OSError, [])


class ChildProcessError:
    pass


derived(ChildProcessError, OSError, [])


class InterruptedError:
    pass


derived(InterruptedError, OSError, [])


class ProcessLookupError:
    pass


derived(ProcessLookupError, OSError, [])

_system = {
    'ConnectionError': ConnectionError,
    'ConnectionAbortedError': ConnectionAbortedError,
    'ConnectionRefusedError': ConnectionRefusedError,
    'ConnectionResetError': ConnectionResetError,
    'BrokenPipeError': BrokenPipeError,
    'BlockingIOError': BlockingIOError,
    'ChildProcessError': ChildProcessError,
    'InterruptedError': InterruptedError,
    'ProcessLookupError': ProcessLookupError,
}


def _of_system(error):
    if not isinstance(error, OSError):
        return error
    name, colon, text = str(error).partition(': ')
    if name not in _system:
        return error
    return _system[name](text) if colon else _system[name]()
