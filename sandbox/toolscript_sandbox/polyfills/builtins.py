"""Builtins that Monty lacks, or has in a form that cannot call functions of the host."""

from .functions import given_name, wrapped_in
from .own_names import own_name

EnvironmentError = OSError
IOError = OSError
IndentationError = SyntaxError
GeneratorExit = KeyboardInterrupt


_METHODS = {
    'dict': 'clear copy fromkeys get items keys pop popitem setdefault update values',
    'list': 'append clear copy count extend index insert pop remove reverse sort',
    'str': 'capitalize casefold center count encode endswith find format index isalnum isalpha isdecimal isdigit islower '
    'isnumeric isspace istitle isupper join ljust lower lstrip partition removeprefix removesuffix replace rfind rindex '
    'rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill',
    'set': 'add clear copy difference discard intersection isdisjoint issubset issuperset pop remove union update',
    'tuple': 'count index',
    'datetime': 'isoformat strftime timestamp date time replace weekday astimezone',
    'date': 'isoformat strftime replace weekday',
}
_DUNDERS = {
    '__len__': (str, list, tuple, dict, set, frozenset, bytes, range),
    '__iter__': (str, list, tuple, dict, set, frozenset, bytes, range),
    '__getitem__': (str, list, tuple, dict, bytes, range),
    '__contains__': (str, list, tuple, dict, set, frozenset, bytes, range),
}


_OF_FUNCTIONS = (
    '__annotations__ __call__ __closure__ __code__ __defaults__ __get__ __globals__ __kwdefaults__ __name__ __qualname__'
).split()
_OF_OBJECTS = (
    '__class__ __dir__ __doc__ __eq__ __format__ __ge__ __getattribute__ __gt__ __hash__ __init__ __le__ __lt__ __module__ '
    '__ne__ __new__ __repr__ __setattr__ __sizeof__ __str__'
).split()
_OF_NUMBERS = {'real': (int, float), 'imag': (int, float), 'numerator': (int,), 'denominator': (int,)}


def has_attribute(obj, name):
    if name == '__name__' and type(obj).__name__ in _NAMED:
        return True
    if name in _OF_OBJECTS:
        return name != '__module__' or not isinstance(obj, _WITHOUT_DICT)
    if name in _OF_FUNCTIONS and type(obj).__name__ == 'function':
        return True
    if name == '__call__' and type(obj).__name__ in ('type', 'builtin_function_or_method', 'method'):
        return True
    if isinstance(obj, _OF_NUMBERS.get(name, ())) or (isinstance(obj, range) and name in ('start', 'stop', 'step')):
        return True
    if name == '__dict__':
        return not isinstance(obj, _WITHOUT_DICT) and type(obj).__name__ not in _SLOTTED and not _is_slotted(obj)
    # Monty shows no methods of its own types as attributes.
    if name in _METHODS.get(type(obj).__name__, '').split():
        return True
    return isinstance(obj, _DUNDERS[name]) if name in _DUNDERS else hasattr(obj, name)


_WITHOUT_DICT = (int, float, complex, str, bytes, list, tuple, dict, set, frozenset, range, type(None))
_SLOTTED = (
    'builtin_function_or_method date datetime time timedelta timezone Decimal deque PosixPath slice '
    'dict_keys dict_values dict_items ellipsis '
    '_byte_arrays_bytearray _fractions_Fraction _uuid_UUID _generators_Generator _iterators_Values _iterators_map '
    '_iterators_filter _iterators_zip _iterators_enumerate _iterators_reversed'
).split()
"""Types whose objects have no dict."""


def _is_slotted(obj):
    return hasattr(type(obj), '__slots__')


_OF_FORMATS = ('complex', 'date', 'datetime', 'time', 'Decimal')


def with_format(obj, spec='>'):
    # Python formats only what has formats of its own; Monty pads the text of whatever it is given.
    if type(obj).__name__ == 'Decimal':
        rest = '_' if spec is True else spec[2:] if spec[1:2] in ('<', '>', '=', '^') else spec
        if '_' in rest or '#' in rest:
            raise ValueError('invalid format string')
    if isinstance(obj, (str, int, float)) or type(obj).__name__ in _OF_FORMATS or spec == '':
        return obj
    if hasattr(obj, '__enum__'):
        return obj._value_ if obj._members_._kind in ('IntEnum', 'StrEnum', 'IntFlag') else str(obj)
    raise TypeError(f'unsupported format string passed to {own_name(type(obj).__name__)}.__format__')


def format_of(obj, spec):
    return format(with_format(obj, spec), spec)


def formatted(obj, *parts):
    """What `format` gives, where classes of the script may have formats of their own."""
    spec = ''.join([str(part) for part in parts])
    return obj.__format__(spec) if hasattr(type(obj), '__format__') else format_of(obj, spec)


def without_slice(obj, part):
    left_out = set(range(len(obj))[part])
    obj[:] = [item for place, item in enumerate(obj) if place not in left_out]


def sliced(obj, part):
    """`xs[a:b:c]`: a range says where it would end."""
    found = obj[part]
    if not isinstance(obj, range) or not isinstance(found, range):
        return found
    step, size = 1 if part.step is None else part.step, len(obj)
    low, high = (0, size) if step > 0 else (-1, size - 1)
    end = (size if step > 0 else -1) if part.stop is None else _within(part.stop, size, low, high)
    begin = (0 if step > 0 else size - 1) if part.start is None else _within(part.start, size, low, high)
    first, every = part_of(obj, 'start'), part_of(obj, 'step')
    return range(first + begin * every, first + end * every, step * every)


def _within(place, size, low, high):
    return min(max(place + size if place < 0 else place, low), high)


class Nothing:
    def __repr__(self):
        return '<object object>'


def addend(target, value):
    return list(value) if type(target) is list else value


def repeated(target, times):
    """What `target *= times` binds the name to."""
    items = target * times
    if type(target) is not list and str(type(target)) != "<class 'collections.deque'>":
        return items
    target.clear()
    target.extend(items)
    return target


def is_set(read):
    try:
        read()
    except NameError:
        return False
    return True


def method_of(obj, name, stand_in):
    # Only classes of the script show their methods as attributes.
    if hasattr(obj, name):
        return getattr(obj, name)
    return lambda *args, **kwargs: stand_in(obj, *args, **kwargs)


def method_value(obj, name, kinds, call):
    # `kinds` are the builtin types that have the method; for syntax (`__len__`), any type may.
    if type(obj).__name__ in kinds.split() or (not kinds and not hasattr(obj, name)):
        return lambda *args, **kwargs: call(obj, *args, **kwargs)
    return getattr(obj, name)


_FILES = ('TextIOWrapper', 'BufferedReader', 'BufferedWriter')


def print_to(*values, sep=None, end=None, file=None, flush=False):
    if type(file).__name__ in _FILES and repr(file) not in ('<stdout>', '<stderr>'):
        text = (' ' if sep is None else sep).join([str(value) for value in values])
        file.write(text + ('\n' if end is None else end))
        return None
    if not hasattr(file, 'write'):
        return print(*values, sep=sep, end=end, file=file)
    for place, value in enumerate(values):
        if place:
            file.write(' ' if sep is None else sep)
        file.write(str(value))
    file.write('\n' if end is None else end)


def part_of(obj, name):
    # Numbers and ranges have no attributes in Monty.
    if isinstance(obj, range) and name in ('start', 'stop', 'step'):
        shown = repr(obj)[6:-1].split(', ')
        found = [int(part) for part in shown] + [1]
        return found[['start', 'stop', 'step'].index(name)]
    if isinstance(obj, (int, float)):
        if name == 'imag':
            return obj * 0 if isinstance(obj, int) else 0.0
        if name == 'real' or (name == 'numerator' and isinstance(obj, int)):
            return obj + 0 if isinstance(obj, int) else obj
        if name == 'denominator' and isinstance(obj, int):
            return 1
    return getattr(obj, name)


def part_or(obj, name, *default):
    """What `getattr` gives for the parts of numbers and ranges."""
    try:
        return part_of(obj, name)
    except AttributeError:
        if default:
            return default[0]
        raise


def name_of(obj):
    if hasattr(obj, '_named'):
        return obj._named
    given = given_name(obj)
    if given is not None:
        return given
    if (wrapped := wrapped_in(obj)) is not None:
        return name_of(wrapped)
    try:
        return own_name(obj.__name__)
    except AttributeError as error:
        if type(obj).__name__ not in _NAMED:
            raise error
    shown = repr(obj)
    if shown == "<class 're.PatternError'>":
        return 'error'
    if shown == '<bound method>':
        raise NotImplementedError('the name of a method that was taken from its object cannot be had here')
    # "<class 'ValueError'>", "<function 'f' at 0xc>", "<function sqrt at 0xc>", "<built-in function len>"
    if shown.startswith('<function ') and "'" not in shown:
        return shown.split()[1]
    return own_name(shown.split("'")[1] if shown.count("'") > 1 else shown.split()[-1].rstrip('>'))


_NAMED = ('type', 'function', 'builtin_function_or_method', 'coroutine')


def name_or(obj, *default):
    """What `getattr` gives for `__name__`."""
    try:
        return name_of(obj)
    except AttributeError:
        if default:
            return default[0]
        raise


def variables_of(obj, names):
    later = getattr(type(obj), '_later_', ())
    own = [name for name in getattr(type(obj), '__dataclass_fields__', ()) if name not in later]
    given = getattr(obj, '_names_', ())
    # A namespace is made with these, whatever is stored on it later.
    others = [*given, *names] if hasattr(type(obj), '_is_namespace_') else [*names, *given]
    return {name: getattr(obj, name) for name in [*own, *others] if hasattr(obj, name)}


def set_one(obj, name, value):
    """`setattr` that tells `vars` of it."""
    if not hasattr(obj, name):
        obj._names_ = [*getattr(obj, '_names_', ()), name]
    setattr(obj, name, value)


def set_all(obj, *given, **words):
    for name, value in dict(*given, **words).items():
        set_one(obj, name, value)


def callable(obj):
    if hasattr(type(obj), '__call__'):
        return True
    return type(obj).__name__ in ('function', 'builtin_function_or_method', 'type', 'method', 'partial', 'cell')


def ascii(obj):
    return ''.join([c if ord(c) < 128 else _escaped(ord(c)) for c in repr(obj)])


def _escaped(code):
    if code < 256:
        return f'\\x{code:02x}'
    return f'\\u{code:04x}' if code < 65536 else f'\\U{code:08x}'


def issubclass(cls, classinfo):
    classes = classinfo if isinstance(classinfo, tuple) else (classinfo,)
    return any([_is_below(cls, candidate) for candidate in classes])


def _is_below(cls, candidate):
    if cls is candidate or candidate is object or (cls is bool and candidate is int):
        return True
    if type(candidate).__name__ != 'Union':
        return False
    names = repr(candidate).split(' | ')
    return cls.__name__ in names or (cls is bool and 'int' in names)


def pow_with(base, exp, mod):
    if not (isinstance(exp, int) and isinstance(base, int) and isinstance(mod, int)) or exp >= 0 or mod == 0:
        return pow(base, exp, mod)
    old, new, left, right = base % mod, mod, 1, 0
    while new:
        ratio = old // new
        old, new, left, right = new, old - ratio * new, right, left - ratio * right
    if abs(old) != 1:
        raise ValueError('base is not invertible for the given modulus')
    return pow(left * old % mod, -exp, mod)


def _keyed(iterable, key):
    keyed = []
    for place, item in enumerate(iterable):
        keyed.append((key(item), place, item))
    return keyed


def sorted_by(iterable, key, reverse=False):
    # The sort is stable in both directions: equal keys keep their order.
    keyed = sorted(_keyed(iterable, key), key=lambda entry: entry[0], reverse=reverse)
    return [entry[2] for entry in keyed]


def min_by(iterable, key):
    return min(_keyed(iterable, key), key=lambda entry: entry[0])[2]


def max_by(iterable, key):
    return max(_keyed(iterable, key), key=lambda entry: entry[0])[2]


def length(obj):
    try:
        return len(obj)
    except TypeError:
        if not hasattr(obj, '__len__'):
            raise
        return obj.__len__()


def truth(obj):
    return bool(obj.__bool__() if hasattr(obj, '__bool__') else length(obj) if hasattr(obj, '__len__') else obj)
