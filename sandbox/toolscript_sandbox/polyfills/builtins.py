"""Builtin functions that Monty lacks, or that take fewer arguments in Monty."""

from .methods import bytes_of, decode
from .natives import pow as _pow
from .natives import print as _print
from .natives import round as _round


class object:
    def __repr__(self): return '<object object>'


def callable(obj):
    if hasattr(type(obj), '__call__'):
        return True
    return type(obj).__name__ in ('function', 'builtin_function_or_method', 'type', 'method', 'partial', 'cell')


def of_reals(function, *args, **kwargs):
    """Call a function of `math` with floats of fractions, which Monty's does not take."""
    return function(*[float(arg) if hasattr(type(arg), '__float__') else arg for arg in args], **kwargs)


def round(number, ndigits=None):
    # Monty rounds the text of a float. Python rounds its value, like formatting does.
    if hasattr(type(number), '__round__'):
        return number.__round__() if ndigits is None else number.__round__(ndigits)
    if not isinstance(number, float) or not isinstance(ndigits, int) or ndigits < 0 or number - number != 0:
        return _round(number) if ndigits is None else _round(number, ndigits)
    return number if ndigits > 340 else float(f'{number:.{ndigits}f}')


def pow(base, exp, mod=None):
    if mod is None or not isinstance(base, int) or not isinstance(exp, int) or exp >= 0:
        return _pow(base, exp) if mod is None else _pow(base, exp, mod)
    old, new, left, right = base % mod, mod, 1, 0
    while new:
        ratio = old // new
        old, new, left, right = new, old - ratio * new, right, left - ratio * right
    if abs(old) != 1:
        raise ValueError('base is not invertible for the given modulus')
    return _pow(left * old % mod, -exp, mod)


def print_to(*values, sep=None, end=None, file=None, flush=False):
    """`print(..., file=f)`, because Monty only prints to its own streams."""
    if file is None:
        return _print(*values, sep=sep, end=end)
    file.write((' ' if sep is None else sep).join([str(value) for value in values]) + ('\n' if end is None else end))


def absent_attribute(module, name):
    raise AttributeError(f"module '{module}' has no attribute '{name}'")


def absent_import(module, name):
    raise ImportError(f"cannot import name '{name}' from '{module}'")


def absent_builtin(module, name):
    raise NameError(f"name '{name}' is not defined")


class bytearray:
    def __init__(self, source=b'', *coding):
        self._values = [0] * source if isinstance(source, int) else list(bytes_of(source, *coding))

    def __bytes__(self): return bytes_of(self._values)
    def __len__(self): return len(self._values)
    def __iter__(self): return iter(self._values)
    def __contains__(self, item): return item in (self._values if isinstance(item, int) else bytes_of(self._values))

    def __getitem__(self, key):
        found = self._values[key]
        return bytearray(found) if isinstance(key, slice) else found

    def __setitem__(self, key, value):
        if not isinstance(key, slice) and not 0 <= value < 256:
            raise ValueError('byte must be in range(0, 256)')
        self._values[key] = list(value) if isinstance(key, slice) else value

    def __delitem__(self, key):
        gone = list(range(len(self._values))[key]) if isinstance(key, slice) else [range(len(self._values))[key]]
        self._values = [value for place, value in enumerate(self._values) if place not in gone]

    def __eq__(self, other):
        return bytes_of(self._values) == (bytes_of(other._values) if isinstance(other, bytearray) else other)

    def __add__(self, other): return bytearray([*self._values, *other])
    def __radd__(self, other): return other + bytes_of(self._values)
    def __mul__(self, times): return bytearray(self._values * times)
    def __repr__(self): return f'bytearray({bytes_of(self._values)!r})'
    def append(self, item): self._values.append(item)
    def extend(self, items): self._values.extend(list(items))
    def pop(self, index=-1): return self._values.pop(index)
    def decode(self, *coding): return decode(bytes_of(self._values), *coding)
    def hex(self): return bytes_of(self._values).hex()
    def find(self, sub): return bytes_of(self._values).find(bytes_of([sub]) if isinstance(sub, int) else sub)
