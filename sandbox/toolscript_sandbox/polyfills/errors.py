"""Exceptions as scripts know them: objects with all that Python's have, and a builtin exception to travel in their stead.

Monty's own carry one text and nothing else. What is raised here carries a mark (`\0number\0name\0text`), by which a handler finds the
object again, also where a task hands on a copy; where nobody handles it, the host reads name and text from it.
"""

from .wording import said

_MARK = '\0'
_MOST = 2000

_count = [0]
_travelling = {}
_met = []


class Error:
    def __init__(self, *args):
        self.args = args
        _settle(self)

    def __str__(self):
        args = self.args
        if hasattr(self, 'strerror') and len(args) == 2:
            named = '' if self.filename is None else f': {self.filename!r}'
            return f'[Errno {self.errno}] {self.strerror}{named}'
        if len(args) == 1:
            return repr(args[0]) if self._kind is KeyError else str(args[0])
        return str(args) if args else ''

    def __repr__(self):
        args = self.args
        return f'{_name(self)}({", ".join([repr(arg) for arg in args])})'

    def with_traceback(self, trace):
        return self

    def add_note(self, note):
        if not isinstance(note, str):
            raise TypeError(f'note must be a str, not {type(note).__name__!r}')
        if not hasattr(self, '__notes__'):
            self.__notes__ = []
        self.__notes__.append(note)


Error._lineage = []
Error._kind = Exception
Error._kind_name = 'Exception'
Error.__cause__ = None


def _name(error):
    return type(error)._named if error._lineage else error._kind_name


def _settle(error):
    # What builtin exceptions make of their arguments. By its name, the host knows what it is in a result.
    kind, args = error._kind, error.args
    error.__error__ = _name(error)
    if kind is StopIteration:
        error.value = args[0] if args else None
    elif kind is SystemExit:
        error.code = None if not args else args[0] if len(args) == 1 else args
    elif kind is ImportError or kind is ModuleNotFoundError:
        error.msg = args[0] if len(args) == 1 else None
        error.name = error.path = None
    elif kind in _SYSTEM:
        error.errno = error.strerror = error.filename = None
        if 2 <= len(args) <= 5:
            error.errno, error.strerror = args[:2]
            error.filename = args[2] if len(args) > 2 else None
            error.args = args[:2]


_SYSTEM = [
    OSError,
    FileNotFoundError,
    FileExistsError,
    PermissionError,
    IsADirectoryError,
    NotADirectoryError,
    TimeoutError,
]
_NUMBERED = {
    1: PermissionError,
    2: FileNotFoundError,
    13: PermissionError,
    17: FileExistsError,
    20: NotADirectoryError,
    21: IsADirectoryError,
    110: TimeoutError,
}


def made(kind, *args, **names):
    error = Error()
    if kind is OSError and 2 <= len(args) <= 5 and args[0] in _NUMBERED:
        kind = _NUMBERED[args[0]]
    error._kind = kind
    error._kind_name = _named(kind)
    error.args = args
    _settle(error)
    if names and not (kind is ImportError or kind is ModuleNotFoundError):
        raise TypeError(f'{_named(kind)}() takes no keyword arguments')
    for name, value in names.items():
        setattr(error, name, value)
    return error


def called(kind):
    # What may be called with any arguments; Monty's own exceptions take one text.
    if is_class(kind) and not hasattr(kind, '_lineage') and is_error_class(kind):
        return lambda *args, **names: made(kind, *args, **names)
    return kind


def _named(kind):
    name = repr(kind).split("'")[1].split('.')[-1]
    return 'error' if name == 'PatternError' else name


def derived(cls, base, names, named=None):
    # What a class inherits; `base` is a class of the script, or the builtin exception that it stands for.
    own = base if hasattr(base, '_lineage') else Error
    constructs = hasattr(cls, '__init__')
    for name in [*names, '__init__', '__str__', '__repr__', 'with_traceback', 'add_note']:
        if not hasattr(cls, name):
            setattr(cls, name, getattr(own, name))
    cls._lineage = [cls, *(base._lineage if own is base else [])]
    cls._kind = base._kind if own is base else base
    cls._named = cls.__name__.removeprefix('_errors_') if named is None else named
    cls.__cause__ = None
    if constructs:
        _keep_arguments(cls)
    return cls


def _keep_arguments(cls):
    # An exception has its arguments before its `__init__` runs.
    init = cls.__init__

    def constructed(self, *args, **names):
        if not hasattr(self, 'args'):
            self.args = args
            _settle(self)
        return init(self, *args, **names)

    cls.__init__ = constructed


def is_class(value):
    return type(value).__name__ == 'type'


def is_error_class(kind):
    if not is_class(kind):
        return False
    if hasattr(kind, '_lineage'):
        return True
    if hasattr(kind, '__name__'):
        # Monty's own exceptions have none; no object of a class of the script is made to see what it is.
        return False
    try:
        return isinstance(kind('x'), BaseException)
    except Exception:
        return False


def raised(error, *causes):
    if is_class(error) and hasattr(error, '_lineage'):
        error = error()
    for cause in causes:
        if is_error_class(cause):
            cause = made(cause)
        cause = own(cause)
        if cause is not None and not (hasattr(cause, '_lineage') and not is_class(cause)):
            return TypeError('exception causes must derive from BaseException')
        if is_error_class(error):
            error = made(error)
        error = own(error)
        if hasattr(error, '_lineage'):
            error.__cause__ = cause
    if is_class(error) or not hasattr(error, '_lineage'):
        return error
    if hasattr(error, '_native'):
        return error._native
    if not hasattr(error, '_number'):
        _count[0] += 1
        error._number = _count[0]
    _travelling[error._number] = error
    if len(_travelling) > _MOST:
        _travelling.pop(next(iter(_travelling.keys())))
    try:
        text = error._told() if hasattr(error, '_told') else str(error)
    except Exception:
        text = '<exception str() failed>'
    error.__text__ = text
    return error._kind(f'{_MARK}{error._number}{_MARK}{_name(error)}{_MARK}{text}')


def returned(value):
    """The end of a generator that has returned something."""
    return raised(made(StopIteration, value))


def own(error):
    """What the script knows an exception as; anything else is what it is."""
    if not isinstance(error, BaseException):
        return error
    args = error.args
    text = args[0] if args else ''
    if not text.startswith(_MARK):
        text = said(text)
    else:
        known = _travelling.get(int(text.split(_MARK)[1]))
        if known is not None:
            return known
        text = text.split(_MARK, 3)[3]
    for native, known in _met:
        if native is error:
            return known
    known = _of_system(error, text) or _stand_in(error, text if args else None)
    _met.append((error, known))
    if len(_met) > 100:
        _met.pop(0)
    return known


_NATIVE = {
    _named(kind): kind
    for kind in [
        *_SYSTEM,
        ArithmeticError,
        AssertionError,
        AttributeError,
        BaseException,
        Exception,
        ImportError,
        IndexError,
        KeyError,
        KeyboardInterrupt,
        LookupError,
        MemoryError,
        ModuleNotFoundError,
        NameError,
        NotImplementedError,
        OverflowError,
        RecursionError,
        RuntimeError,
        StopIteration,
        SyntaxError,
        SystemExit,
        TypeError,
        UnboundLocalError,
        UnicodeDecodeError,
        UnicodeEncodeError,
        ValueError,
        ZeroDivisionError,
    ]
}


class _Signal:
    """A class of `decimal`, as it is shown in the exceptions of that module."""

    def __init__(self, text):
        self._text = text

    def __repr__(self):
        return self._text


_SIGNALS = ['InvalidOperation', 'DivisionByZero', 'Overflow', 'Inexact', 'Rounded', 'Subnormal', 'Underflow', 'Clamped']
_stand_ins = {}


def known_as(kind, cls):
    # What arrives without a mark as this builtin exception is of that class.
    _stand_ins[_named(kind)] = cls


def _stand_in(error, text):
    # The type of one that Monty raised cannot be called, though it is the builtin's.
    name = _named(type(error))
    args = [] if text is None else [text]
    known = _stand_ins[name](*args) if name in _stand_ins else made(_NATIVE.get(name, type(error)), *args)
    known._native = error
    if name in _SIGNALS and text is not None:
        known.args = ([_Signal(word) for word in text.strip('[]').split(', ')],)
    if name == 'JSONDecodeError':
        known.msg, line, place = text.rpartition(': line ')
        numbers = [int(part.strip('():char')) for part in place.split() if part.strip('():char').isdigit()]
        if len(numbers) == 3:
            known.lineno, known.colno, known.pos = numbers
    if name == 'error' and text is not None:
        _place_in_pattern(known, text)
    if name in ('UnicodeDecodeError', 'UnicodeEncodeError'):
        _place(known, text)
    return known


def _place_in_pattern(error, text):
    # unknown extension ?q at position 5 (line 2, column 1)
    error.msg, _, place = text.rpartition(' at position ')
    numbers = [int(part.strip('(,)')) for part in place.split() if part.strip('(,)').isdigit()]
    if not error.msg:
        error.msg, error.pos, error.lineno, error.colno = text, None, None, None
    else:
        error.pos, error.lineno, error.colno = numbers if len(numbers) > 1 else (numbers[0], 1, numbers[0] + 1)


def _place(error, text):
    # 'ascii' codec can't encode characters in position 1-2: ordinal not in range(128)
    told, _, reason = (text or '').partition(': ')
    words, (first, _, last) = told.split("'"), told.rpartition(' ')[2].partition('-')
    # A tool's has the words of the tool, which need not tell a place.
    if len(words) > 2 and first.isdigit() and (not last or last.isdigit()):
        error.encoding, error.reason = words[1], reason
        error.start, error.end = int(first), int(last or first) + 1


def type_of(value):
    value = own(value)
    if hasattr(value, '_lineage') and not is_class(value) and not value._lineage:
        return value._kind
    return type(value)


class Traceback:
    """Something where Python has where it was raised; there is nothing to be seen in it."""


_TRACE = Traceback()


def told(error):
    # What a context of the snippet's own is told of.
    return (None, None, None) if error is None else (type_of(error), own(error), _TRACE)


def failed(*message):
    raise raised(made(AssertionError, *message))


# What Monty has no class for.


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


class StopAsyncIteration:
    pass


derived(StopAsyncIteration, Exception, [])


class EOFError:
    pass


derived(EOFError, Exception, [])


class UnicodeError:
    pass


derived(UnicodeError, ValueError, [])


class FloatingPointError:
    pass


derived(FloatingPointError, ArithmeticError, [])


class BufferError:
    pass


derived(BufferError, Exception, [])


class SystemError:
    pass


derived(SystemError, Exception, [])


class ReferenceError:
    pass


derived(ReferenceError, Exception, [])


class Warning:
    pass


derived(Warning, Exception, [])


class UserWarning:
    pass


derived(UserWarning, Warning, [])


class DeprecationWarning:
    pass


derived(DeprecationWarning, Warning, [])


class RuntimeWarning:
    pass


derived(RuntimeWarning, Warning, [])


class FutureWarning:
    pass


derived(FutureWarning, Warning, [])


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


def _of_system(error, text):
    # It arrives as an OSError whose text begins with the name.
    if not isinstance(error, OSError):
        return None
    name, colon, rest = text.partition(': ')
    if name not in _system:
        return None
    return _system[name](rest) if colon else _system[name]()
