"""Operators as functions."""

from .classes import get
from .comparisons import at_least, at_most, greater, less, truth
from .methods import part


def itemgetter(*items):
    if len(items) == 1:
        return lambda obj: obj[items[0]]
    return lambda obj: tuple([obj[item] for item in items])


def _attribute(obj, path):
    for name in path.split('.'):
        obj = part(obj, name, get)
    return obj


def attrgetter(*attrs):
    if len(attrs) == 1:
        return lambda obj: _attribute(obj, attrs[0])
    return lambda obj: tuple([_attribute(obj, path) for path in attrs])


add = lambda a, b: a + b
sub = lambda a, b: a - b
mul = lambda a, b: a * b
truediv = lambda a, b: a / b
floordiv = lambda a, b: a // b
mod = lambda a, b: a % b
pow = lambda a, b: a**b
neg = lambda a: -a
and_ = lambda a, b: a & b
or_ = lambda a, b: a | b
xor = lambda a, b: a ^ b
eq = lambda a, b: a == b
ne = lambda a, b: a != b
lt, le, gt, ge = less, at_most, greater, at_least
not_ = lambda a: not truth(a)
contains = lambda a, b: b in a
getitem = lambda a, b: a[b]
