"""Kinds of numbers, for `isinstance` and `issubclass`."""

from decimal import Decimal


class _Kind:
    def __init__(self, kinds, names=()):
        self._kinds, self._names = kinds, names

    def _has_(self, obj):
        return isinstance(obj, self._kinds) or type(obj).__name__ in self._names

    def _covers_(self, cls):
        return any([cls is kind for kind in (*self._kinds, bool)]) or cls.__name__ in self._names


_FRACTION = ('_fractions_Fraction',)
Number = _Kind((int, float, complex, Decimal), _FRACTION)
Complex = _Kind((int, float, complex), _FRACTION)
Real = _Kind((int, float), _FRACTION)
Rational = _Kind((int,), _FRACTION)
Integral = _Kind((int,))
