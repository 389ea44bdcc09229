"""Converts between scripts' exceptions and Monty's, which are the same until the polyfill of exceptions is loaded."""

_views = []
tasks = []
"""Not empty if a `SystemExit` means that a task is cancelled."""


_OF_OS = (FileExistsError, FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError, TimeoutError)
_KINDS = [
    (BaseException, (Exception, SystemExit, KeyboardInterrupt)),
    (Exception, (ArithmeticError, AssertionError, AttributeError, ImportError, LookupError, MemoryError, NameError)),
    (Exception, (OSError, RuntimeError, StopIteration, SyntaxError, TypeError, ValueError)),
    (ArithmeticError, (OverflowError, ZeroDivisionError)),
    (ImportError, (ModuleNotFoundError,)),
    (LookupError, (IndexError, KeyError)),
    (NameError, (UnboundLocalError,)),
    (OSError, _OF_OS),
    (RuntimeError, (NotImplementedError, RecursionError)),
    (ValueError, (UnicodeDecodeError, UnicodeEncodeError)),
]
NATIVE = [(kind, parent) for parent, kinds in _KINDS for kind in kinds]
"""Monty's exceptions, each with its base: Monty knows the kinds of an exception, but not those of its class."""


def use(*functions): _views.append(functions)


def seen(error):
    """Return the exception that a script sees."""
    return _views[0][0](error) if _views and error is not None else error


def carrier(error):
    """Return the exception that Monty raises instead."""
    return _views[0][1](error) if _views else error


def matches(error, kinds):
    """`isinstance(error, kinds)`."""
    return _views[0][2](error, kinds) if _views else isinstance(error, kinds)


def type_of(error):
    """`type(error)`."""
    return _views[0][4](error) if _views else type(error)


def made(name, *args):
    """Return what Monty raises for a new exception: without the polyfill a plain one with the name in a marker."""
    if _views:
        return carrier(_views[0][3](name, *args))
    if name == 'StopIteration':
        return StopIteration
    return (BaseException if name == 'GeneratorExit' else Exception)(f'\0000\0{name}\0')
