"""Operators as functions."""

from .builtins import addend, part_of
from .sets import with_all_of, with_one_of_both, with_shared, without


def itemgetter(*items):
    if len(items) == 1:
        return lambda obj: obj[items[0]]
    return lambda obj: tuple([obj[item] for item in items])


def _attribute(obj, path):
    for name in path.split('.'):
        obj = part_of(obj, name)
    return obj


def attrgetter(*attrs):
    if len(attrs) == 1:
        return lambda obj: _attribute(obj, attrs[0])
    return lambda obj: tuple([_attribute(obj, path) for path in attrs])


def add(a, b):
    return a + b


def sub(a, b):
    return a - b


def mul(a, b):
    return a * b


def truediv(a, b):
    return a / b


def floordiv(a, b):
    return a // b


def mod(a, b):
    return a % b


def pow(a, b):
    return a**b


def neg(a):
    return -a


def pos(a):
    return +a


def abs(a):
    return a.__abs__() if hasattr(a, '__abs__') else -a if a < 0 else a + 0 if isinstance(a, (int, float)) else +a


def and_(a, b):
    return a & b


def or_(a, b):
    return a | b


def xor(a, b):
    return a ^ b


def inv(a):
    return ~a


def invert(a):
    return ~a


def lshift(a, b):
    return a << b


def rshift(a, b):
    return a >> b


def eq(a, b):
    return a == b


def ne(a, b):
    return a != b


def lt(a, b):
    return a < b


def le(a, b):
    return a <= b


def gt(a, b):
    return a > b


def ge(a, b):
    return a >= b


def is_(a, b):
    return a is b


def is_not(a, b):
    return a is not b


def not_(a):
    return not a


def truth(a):
    return bool(a)


def concat(a, b):
    return a + b


def contains(a, b):
    return b in a


def getitem(a, b):
    return a[b]


def setitem(a, b, c):
    a[b] = c


def countOf(a, b):
    return len([item for item in a if item == b])


def indexOf(a, b):
    return list(a).index(b)


def matmul(a, b):
    return a @ b


def delitem(a, b):
    a.pop(b)


def index(a):
    if not isinstance(a, int) and not hasattr(a, '__index__'):
        raise TypeError(f"'{type(a).__name__}' object cannot be interpreted as an integer")
    return int(a)


# Rules write the call of the method that it names.
methodcaller = None


def length_hint(obj, default=0):
    return len(obj)


def call(obj, /, *args, **kwargs):
    return obj(*args, **kwargs)


def iadd(a, b):
    a += addend(a, b)
    return a


def iconcat(a, b):
    a += addend(a, b)
    return a


def isub(a, b):
    return without(a, b)


def imul(a, b):
    a *= b
    return a


def ior(a, b):
    return with_all_of(a, b)


def iand(a, b):
    return with_shared(a, b)


def ixor(a, b):
    return with_one_of_both(a, b)


def itruediv(a, b):
    return a / b


def ifloordiv(a, b):
    return a // b


def imod(a, b):
    return a % b


def ipow(a, b):
    return a**b
