"""Builtin functions that Monty lacks, or has for fewer arguments."""

import math
import sys

from .bytearrays import bytearray
from .methods import bytes_of
from .natives import hasattr as _hasattr
from .natives import pow as _pow
from .natives import print as _print
from .natives import round as _round

bytes = bytes_of


class object:
    def __repr__(self): return '<object object>'


def callable(obj):
    if _hasattr(type(obj), '__call__'):
        return True
    return type(obj).__name__ in ('function', 'builtin_function_or_method', 'type', 'method', 'partial', 'cell')


def ascii(obj): return ''.join([char if ord(char) < 128 else _escaped(ord(char)) for char in repr(obj)])


def _escaped(code):
    if code < 256:
        return f'\\x{code:02x}'
    return f'\\u{code:04x}' if code < 65536 else f'\\U{code:08x}'


def round(number, ndigits=None):
    # Monty rounds the text of a float. Python rounds its value, as formats do.
    if _hasattr(type(number), '__round__'):
        return number.__round__() if ndigits is None else number.__round__(ndigits)
    if not isinstance(number, float) or not isinstance(ndigits, int) or number - number != 0:
        return _round(number) if ndigits is None else _round(number, ndigits)
    if ndigits >= 0:
        return number if ndigits > 340 else float(f'{number:.{ndigits}f}')
    unit = 10**-ndigits
    times = int(abs(number)) // unit
    over = 2 * (abs(number) - times * unit) - unit
    return math.copysign(float((times + (over > 0 or (over == 0 and times % 2 == 1))) * unit), number)


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
    """`print(..., file=f)`: Monty prints to its own streams only."""
    if file is None or file is sys.stdout or file is sys.stderr:
        return _print(*values, sep=sep, end=end, file=file)
    file.write((' ' if sep is None else sep).join([str(value) for value in values]) + ('\n' if end is None else end))


def write(text):
    """`sys.stdout.write`."""
    _print(text + '', end='')
    return len(text)


def write_error(text):
    """`sys.stderr.write`."""
    _print(text + '', end='', file=sys.stderr)
    return len(text)


def writelines(lines):
    for line in lines:
        write(line)


def flush(): return None


def hasattr(obj, name):
    """`hasattr`, where Monty's types show no methods as attributes."""
    if _hasattr(obj, name):
        return True
    return name in _METHODS.get(type(obj).__name__, '').split()


_TEXT = '__iter__ __len__ __getitem__ __contains__ split join strip lower upper encode format replace startswith endswith'
_LIST = '__iter__ __len__ __getitem__ __contains__ append extend pop index count sort'
_DICT = '__iter__ __len__ __getitem__ __contains__ keys values items get pop update'
_DAY = 'isoformat strftime year month day'
_METHODS = {
    'str': _TEXT,
    'bytes': '__iter__ __len__ __getitem__ __contains__ decode hex',
    'list': _LIST,
    'tuple': '__iter__ __len__ __getitem__ __contains__ index count',
    'dict': _DICT,
    'defaultdict': _DICT,
    'Counter': f'{_DICT} most_common',
    'set': '__iter__ __len__ __contains__ add union',
    'frozenset': '__iter__ __len__ __contains__ union',
    'deque': f'{_LIST} appendleft popleft',
    'range': '__iter__ __len__ __getitem__ __contains__',
    'datetime': f'{_DAY} hour minute timestamp',
    'date': _DAY,
    'function': '__call__ __name__',
    'builtin_function_or_method': '__call__ __name__',
    'type': '__call__ __name__',
    'int': '__add__ __int__ __float__ bit_length',
    'float': '__add__ __int__ __float__ is_integer',
}
