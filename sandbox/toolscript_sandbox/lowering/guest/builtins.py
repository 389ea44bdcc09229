"""Builtins that Monty lacks, or has in a form that cannot call functions of the host."""

import binascii

EnvironmentError = OSError
IOError = OSError
IndentationError = SyntaxError
StopAsyncIteration = StopIteration
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


def has_attribute(obj, name):
    # Monty shows no methods of its own types as attributes.
    if name in _METHODS.get(type(obj).__name__, '').split():
        return True
    return isinstance(obj, _DUNDERS[name]) if name in _DUNDERS else hasattr(obj, name)


def addend(target, value):
    return list(value) if type(target) is list else value


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


def name_of(obj):
    if hasattr(obj, '_named'):
        return obj._named
    try:
        return obj.__name__
    except AttributeError:
        shown = repr(obj)
    # "<class 'ValueError'>", "<function 'f' at 0xc>"
    return shown.split("'")[1] if shown.count("'") > 1 else type(obj).__name__


def variables_of(obj, names):
    own = getattr(type(obj), '__dataclass_fields__', None)
    return {name: getattr(obj, name) for name in [*(own or []), *names] if hasattr(obj, name)}


def bytes_of(source=b'', *rest):
    if rest or isinstance(source, (str, bytes, int)):
        return bytes(source, *rest)
    return binascii.unhexlify(''.join([f'{byte:02x}' for byte in source]))


def callable(obj):
    return type(obj).__name__ in ('function', 'builtin_function_or_method', 'type', 'method', 'partial', 'cell')


def ascii(obj):
    return ''.join([c if ord(c) < 128 else _escaped(ord(c)) for c in repr(obj)])


def _escaped(code):
    if code < 256:
        return f'\\x{code:02x}'
    return f'\\u{code:04x}' if code < 65536 else f'\\U{code:08x}'


def issubclass(cls, classinfo):
    classes = classinfo if isinstance(classinfo, tuple) else (classinfo,)
    return any([cls is candidate or candidate is object or (cls is bool and candidate is int) for candidate in classes])


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


def less(a, b):
    try:
        return a < b
    except TypeError as error:
        return _asked(error, (a, '__lt__', b), (b, '__gt__', a))


def greater(a, b):
    try:
        return a > b
    except TypeError as error:
        return _asked(error, (a, '__gt__', b), (b, '__lt__', a))


def at_most(a, b):
    try:
        return a <= b
    except TypeError as error:
        return _asked(error, (a, '__le__', b), (b, '__ge__', a)) if _has(a, '__le__') else less(a, b) or a == b


def at_least(a, b):
    try:
        return a >= b
    except TypeError as error:
        return _asked(error, (a, '__ge__', b), (b, '__le__', a)) if _has(a, '__ge__') else less(b, a) or a == b


def _has(obj, method):
    return hasattr(obj, method)


def _asked(error, *ways):
    for obj, method, other in ways:
        if hasattr(obj, method):
            return getattr(obj, method)(other)
    raise error


def max_by_less(items, *rest, key=None, **default):
    ordered = sorted_by_less((items, *rest) if rest else items, key, True)
    return ordered[0] if ordered else max([], **default)


def min_by_less(items, *rest, key=None, **default):
    ordered = sorted_by_less((items, *rest) if rest else items, key)
    return ordered[0] if ordered else min([], **default)


def truth(obj):
    return bool(obj.__bool__() if hasattr(obj, '__bool__') else length(obj) if hasattr(obj, '__len__') else obj)


def sorted_by_less(iterable, key=None, reverse=False):
    keyed = [((item if key is None else key(item)), item) for item in iterable]
    if reverse:
        keyed = keyed[::-1]
    keyed = _merged(keyed)
    return [item for _, item in (keyed[::-1] if reverse else keyed)]


def _merged(keyed):
    if len(keyed) < 2:
        return keyed
    half = len(keyed) // 2
    left, right = _merged(keyed[:half]), _merged(keyed[half:])
    result, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if less(right[j][0], left[i][0]):
            result.append(right[j])
            j += 1
        else:
            result.append(left[i])
            i += 1
    return result + left[i:] + right[j:]
