"""Exceptions of scripts' own classes, and those of Python that Monty lacks.

Monty raises only builtin exceptions, which carry one text. An exception here is an ordinary object. Instead of it, Monty
raises a builtin exception of the nearest kind with a marker (`\0number\0name\0text`) by which a handler finds the
object. If nothing handles it, the host reads name and text from the marker.
"""

from json import JSONDecodeError

from .carriers import NATIVE, tasks, use

_MAX_RAISED = 2000
_raised = {}
_count = [0]


class Own:
    """The base class of scripts' own exceptions and of those that Monty lacks."""

    def __init__(self, *args): self.args = args

    def __str__(self):
        args = self.args
        if hasattr(self, 'strerror'):
            return f'[Errno {self.errno}] {self.strerror}{"" if self.filename is None else f": {self.filename!r}"}'
        if len(args) == 1:
            return repr(args[0]) if any([kind is KeyError for kind in self._natives]) else str(args[0])
        return str(args) if args else ''

    def __repr__(self): return f'{type(self).__name__}({", ".join([repr(arg) for arg in self.args])})'


Own.args = ()
Own.__cause__ = None
Own._native = BaseException
Own._natives = [BaseException]
Own._own_ = {name: getattr(Own, name) for name in '__init__ __str__ __repr__ args __cause__ _native _natives'.split()}
Own._mro_, Own._below_, Own._is_abc_ = (Own,), [], False


def derive(cls, base, names=''):
    """Add the members of its base to a class of this file, like `derived` for the classes of a script."""
    cls._own_ = {name: getattr(cls, name) for name in names.split()}
    cls._mro_, cls._below_, cls._is_abc_ = (cls, *base._mro_), [], False
    base._below_.append(cls)
    for one in cls._mro_[::-1]:
        for name, member in one._own_.items():
            setattr(cls, name, member)
    cls._native, cls._natives = base._native, base._natives


_LACKING = {
    'ArithmeticError': 'FloatingPointError',
    'BaseException': 'GeneratorExit',
    'ConnectionError': 'BrokenPipeError ConnectionAbortedError ConnectionRefusedError ConnectionResetError',
    'Exception': 'BufferError EOFError ReferenceError StopAsyncIteration SystemError Warning',
    'OSError': 'BlockingIOError ChildProcessError ConnectionError InterruptedError ProcessLookupError',
    'SyntaxError': 'IndentationError',
    'SystemExit': 'CancelledError',
    'ValueError': 'UnicodeError',
    'Warning': 'DeprecationWarning FutureWarning PendingDeprecationWarning RuntimeWarning SyntaxWarning UserWarning',
}
_PARENTS = {name: parent for parent, names in _LACKING.items() for name in names.split()}
_classes = {'BaseException': Own}


def _name(native): return repr(native).split("'")[1].rpartition('.')[2]


def own(kind):
    """Return the class that replaces a builtin exception, by its name or Monty's own class."""
    if not isinstance(kind, str):
        if hasattr(kind, '_native') or type(kind).__name__ != 'type':
            return kind
        kind = _name(kind)
    if kind not in _classes:
        made = type(kind, (), {})
        native = [pair for pair in NATIVE if _name(pair[0]) == kind]
        parent = own(native[0][1] if native else _PARENTS.get(kind, 'Exception'))
        derive(made, parent)
        if native:
            made._native = native[0][0]
            made._natives = [native[0][0], *parent._natives]
        _classes[kind] = made
    return _classes[kind]


def settled(cls):
    """Determine which builtin exceptions a class of the script is, once it has its bases."""
    kinds = []
    for base in cls._mro_[1:]:
        for native in getattr(base, '_natives', ()):
            if native not in kinds:
                kinds.append(native)
    cls._natives = kinds
    # The most derived kind, so that a handler for any of its bases finds it.
    cls._native = kinds[0] if kinds else Exception
    return cls


_OF_ERRNO = {
    **{1: 'PermissionError', 2: 'FileNotFoundError', 13: 'PermissionError', 17: 'FileExistsError'},
    **{20: 'NotADirectoryError', 21: 'IsADirectoryError', 104: 'ConnectionResetError', 110: 'TimeoutError'},
    **{32: 'BrokenPipeError', 111: 'ConnectionRefusedError'},
}


def made(kind, *args, **kwargs):
    """Create a builtin exception with other arguments than one text."""
    cls = own(kind)
    if cls is own('OSError') and len(args) > 1:
        cls = own(_OF_ERRNO.get(args[0], cls))
    error = cls(*args)
    for name, value in kwargs.items():
        setattr(error, name, value)
    if cls._native is StopIteration:
        error.value = args[0] if args else None
    elif cls._native is SystemExit:
        error.code = args[0] if args else None
    elif isinstance(cls._native('x'), OSError) and len(args) > 1:
        error.args = error.errno, error.strerror = args[:2]
        error.filename = args[2] if len(args) > 2 else None
    return error


def error_part(error, name):
    """Parse `errno`, `strerror` or `filename` from the text of an error of a host function: `[Errno 2] No such file: 'a.csv'`."""
    is_own = any([kind is OSError for kind in getattr(error, '_natives', ())])
    if hasattr(error, name) or not (is_own or isinstance(error, OSError)):
        return getattr(error, name)
    text = '' if is_own else str(error)
    if not text.startswith('[Errno '):
        return None
    number, _, rest = text[7:].partition('] ')
    message, _, paths = rest.partition(': ')
    path = paths.partition("' -> '")[0][1:].removesuffix(paths[:1]) or None
    return {'errno': int(number), 'strerror': message, 'filename': path}[name]


def called(kind, *args, **kwargs):
    """Call a variable that may be a builtin exception."""
    is_native = any([kind is native for native, _ in NATIVE])
    return made(kind, *args, **kwargs) if is_native else kind(*args, **kwargs)


def is_own(value): return hasattr(type(value), '_native') and type(value).__name__ != 'type'


def raised(error, *cause):
    """Return what Monty raises for an exception; `cause` is the value after `from`."""
    if hasattr(error, '_native') and not is_own(error):
        error = error()
    if cause and isinstance(error, BaseException):
        error = made(type(error), *error.args)
    if not is_own(error):
        if type(error).__name__ == 'type' or isinstance(error, BaseException):
            return error
        return TypeError('exceptions must derive from BaseException')
    if cause:
        error.__cause__ = caught(cause[0])
    _count[0] += 1
    _raised[_count[0]] = error
    _raised.pop(_count[0] - _MAX_RAISED, None)
    error.__error__ = type(error).__name__
    error.__text__ = text = error.described() if hasattr(error, 'described') else str(error)
    return error._native(f'\0{_count[0]}\0{type(error).__name__}\0{text}')


_key = [None]


def key(value):
    """Note the key of a lookup: Monty's `KeyError` has only its text."""
    _key[0] = value
    return value


def caught(error):
    """Return the exception that a handler sees."""
    if error is None or is_own(error) or not isinstance(error, BaseException):
        return error
    text = error.args[0] if error.args and isinstance(error.args[0], str) else ''
    if tasks and isinstance(error, SystemExit) and text[:1] != '\0':
        return own('CancelledError')(*error.args)
    if text[:1] == '\0':
        number = text.split('\0')[1]
        return _raised.get(int(number), error)
    if isinstance(error, KeyError) and not isinstance(_key[0], str) and text in (str(_key[0]), repr(_key[0])):
        return own('KeyError')(_key[0])
    if isinstance(error, JSONDecodeError) and ' (char ' in text:
        return _of_json(error)
    if isinstance(error, StopIteration):
        return made(StopIteration, *([text] if text else []))
    if isinstance(error, ValueError) and ' for object of type ' in text and text.split("'")[-2] not in _FORMATTED:
        return TypeError(text)
    # A tool raised it, and Monty lacks the type.
    name, colon, rest = text.partition(': ')
    if colon and name in _PARENTS and name != 'GeneratorExit' and isinstance(error, (OSError, RuntimeError, ValueError, ArithmeticError)):
        return own(name)(rest)
    return error


# The types whose formats Python knows; for others, such as `None`, it raises a `TypeError`.
_FORMATTED = 'str int float bool complex'.split()


def _of_json(error):
    """Parse the attributes of a `json.JSONDecodeError` from its text: `...: line 1 column 2 (char 1)`."""
    made_of = own('JSONDecodeError')
    if not hasattr(made_of, '_of_json'):
        derive(made_of, own('ValueError'))
        made_of._of_json, made_of._native, made_of._natives = True, JSONDecodeError, [JSONDecodeError, ValueError, Exception]
    found = made_of(*error.args)
    found.msg, _, place = str(error).rpartition(': line ')
    line, _, rest = place.partition(' column ')
    column, _, char = rest.partition(' (char ')
    found.lineno, found.colno, found.pos = int(line), int(column), int(char.rstrip(')'))
    return found


def _flat(kinds): return [kind for part in kinds for kind in _flat(part)] if isinstance(kinds, tuple) else [kinds]


def matches(error, kinds):
    """Return whether a handler for these kinds handles the exception."""
    return is_instance(caught(error), kinds)


def is_instance(value, kinds):
    for kind in _flat(kinds):
        if not is_own(value):
            if hasattr(kind, '_native'):
                if kind is _classes.get('UnicodeError') and isinstance(value, (UnicodeDecodeError, UnicodeEncodeError)):
                    return True
                continue
            if isinstance(value, kind):
                return True
        elif kind is object or any([kind is above for above in type(value)._mro_]):
            return True
        elif not hasattr(kind, '_native') and any([kind is native for native in type(value)._natives]):
            return True
    return False


def is_any(value, kinds, other):
    """`isinstance` with computed classes; `other` is for values that are no exceptions."""
    return is_instance(value, kinds) if is_own(value) or isinstance(value, BaseException) else other(value, kinds)


class Group:
    """The members that `ExceptionGroup` adds."""

    def __init__(self, message, exceptions):
        self.args = (message, exceptions)
        self.message, self.exceptions = message, tuple(exceptions)

    def __str__(self):
        count = len(self.exceptions)
        return f'{self.message} ({count} sub-exception{"" if count == 1 else "s"})'

    def described(self):
        # The message if nothing handles the group, which includes its exceptions.
        lines = [str(self)]
        for error in self.exceptions:
            name = type(error).__name__ if is_own(error) else _name(type(error))
            lines += [f'  {line}' for line in f'{name}: {error.described() if hasattr(error, "described") else error}'.split('\n')]
        return '\n'.join(lines)

    def split(self, kinds):
        is_kind = isinstance(kinds, tuple) or type(kinds).__name__ == 'type'
        fits = is_instance if is_kind else lambda error, asked: asked(error)
        if fits(self, kinds):
            return (self, None)
        inside, outside = [], []
        for error in self.exceptions:
            if hasattr(error, 'exceptions'):
                matched, rest = error.split(kinds)
                inside += [matched] if matched is not None else []
                outside += [rest] if rest is not None else []
            elif fits(error, kinds):
                inside.append(error)
            else:
                outside.append(error)
        return (self.derive(inside) if inside else None, self.derive(outside) if outside else None)

    def subgroup(self, kinds): return self.split(kinds)[0]
    def derive(self, exceptions): return type(self)(self.message, exceptions)


derive(Group, own('Exception'), '__init__ __str__ described split subgroup derive')
settled(Group)


def group_class(name):
    if name not in _classes:
        made = type(name, (), {})
        derive(made, Group if name == 'BaseExceptionGroup' else group_class('BaseExceptionGroup'))
        settled(made)
        _classes[name] = made
    return _classes[name]


def grouped(error):
    """Return the group that `except*` splits."""
    error = caught(error)
    return error if hasattr(error, 'exceptions') else group_class('ExceptionGroup')('', [error])


def cause(error):
    """`error.__cause__`."""
    return getattr(error, '__cause__', None)


def type_of(obj):
    """`type(obj)`, because errors that Monty raised have another type, and errors that a polyfill made another class."""
    if is_own(obj):
        kind = type(obj)
        return kind._native if _classes.get(kind.__name__) is kind and _name(kind._native) == kind.__name__ else kind
    if not isinstance(obj, BaseException):
        return getattr(type(obj), '_enum_', type(obj))
    return ([kind for kind, _ in NATIVE if _name(kind) == _name(type(obj))] or [type(obj)])[0]


def text_of(error):
    """Return the last line of `traceback.format_exc()`, which is all that is promised."""
    error = caught(error)
    text = str(error)
    name = type(error).__name__ if is_own(error) else _name(type(error))
    return f'Traceback (most recent call last):\n{name}: {text}\n' if text else f'Traceback (most recent call last):\n{name}\n'


# Used here so that a session with `own` or `key` has them too.
use(caught, raised, is_instance, made, type_of, own, key)
