"""Fractions: arithmetic is here, because operators cannot call the host; parsing and approximation are on the host."""

from decimal import Decimal
from math import gcd


class Fraction:
    def __init__(self, numerator=0, denominator=1):
        if isinstance(numerator, Fraction) or isinstance(denominator, Fraction):
            made = _of(numerator) / _of(denominator)
            numerator, denominator = made.numerator, made.denominator
        elif not isinstance(numerator, int):
            if denominator != 1:
                raise TypeError('both arguments should be Rational instances')
            numerator, denominator = _read(numerator)
        if denominator == 0:
            raise ZeroDivisionError(f'Fraction({numerator}, 0)')
        common = gcd(numerator, denominator) * (-1 if denominator < 0 else 1)
        self.numerator, self.denominator = numerator // common, denominator // common

    def limit_denominator(self, max_denominator=1000000):
        return Fraction(*_host__('fractions.Fraction', self.numerator, max_denominator, self.denominator))

    def as_integer_ratio(self): return (self.numerator, self.denominator)
    def __str__(self): return str(self.numerator) if self.denominator == 1 else f'{self.numerator}/{self.denominator}'
    def __repr__(self): return f'Fraction({self.numerator}, {self.denominator})'
    def __hash__(self): return hash(float(self)) if _of_float(float(self)) == self else hash((self.numerator, self.denominator))
    def __float__(self): return self.numerator / self.denominator
    def __int__(self): return self.__trunc__()
    def __trunc__(self): return self.__floor__() if self.numerator >= 0 else self.__ceil__()
    def __floor__(self): return self.numerator // self.denominator
    def __ceil__(self): return -(-self.numerator // self.denominator)
    def __bool__(self): return self.numerator != 0
    def __pos__(self): return self
    def __neg__(self): return Fraction(-self.numerator, self.denominator)
    def __abs__(self): return Fraction(abs(self.numerator), self.denominator)

    def __round__(self, ndigits=None):
        if ndigits is not None:
            return Fraction(round(self * 10**ndigits), 1) / 10**ndigits
        whole, rest = divmod(self.numerator, self.denominator)
        return whole + (1 if rest * 2 > self.denominator or rest * 2 == self.denominator and whole % 2 else 0)

    def __add__(self, other): return _calculated(self, other, lambda a, b: a + b, lambda a, b, c, d: Fraction(a * d + c * b, b * d))
    def __sub__(self, other): return _calculated(self, other, lambda a, b: a - b, lambda a, b, c, d: Fraction(a * d - c * b, b * d))
    def __mul__(self, other): return _calculated(self, other, lambda a, b: a * b, lambda a, b, c, d: Fraction(a * c, b * d))
    def __truediv__(self, other): return _calculated(self, other, lambda a, b: a / b, lambda a, b, c, d: Fraction(a * d, b * c))
    def __floordiv__(self, other): return _calculated(self, other, lambda a, b: a // b, lambda a, b, c, d: a * d // (b * c))
    def __radd__(self, other): return self + other
    def __rsub__(self, other): return -self + other
    def __rmul__(self, other): return self * other
    def __rtruediv__(self, other): return _of(other) / self if isinstance(other, int) else other / float(self)
    def __mod__(self, other): return self - other * (self // other)
    def __divmod__(self, other): return (self // other, self % other)
    def __rfloordiv__(self, other): return _of(other) // self if isinstance(other, int) else other // float(self)
    def __rmod__(self, other): return _of(other) % self if isinstance(other, int) else other % float(self)
    def __rdivmod__(self, other): return (other // self, other % self)

    def __pow__(self, power):
        if not isinstance(power, int):
            return float(self) ** float(power)
        top, bottom = (self.numerator, self.denominator) if power >= 0 else (self.denominator, self.numerator)
        return Fraction(top ** abs(power), bottom ** abs(power))

    def __rpow__(self, base): return base ** (self.numerator if self.denominator == 1 else float(self))
    def __eq__(self, other): return _compared(self, other, lambda a, b: a == b)
    def __lt__(self, other): return _compared(self, other, lambda a, b: a < b)
    def __le__(self, other): return _compared(self, other, lambda a, b: a <= b)
    def __gt__(self, other): return _compared(self, other, lambda a, b: a > b)
    def __ge__(self, other): return _compared(self, other, lambda a, b: a >= b)


def _read(given):
    """Return numerator and denominator of a number or text; the host reads what a special method rarely gets."""
    if isinstance(given, float) and given - given == 0:
        return _of_float(given).as_integer_ratio()
    text = str(given).strip() if isinstance(given, (str, Decimal)) else ''
    sign = -1 if text[:1] == '-' else 1
    whole, point, rest = (text[1:] if text[:1] in ('-', '+') else text).partition('/' if '/' in text else '.')
    if not (whole + rest).isdigit() or not text.isascii() or not whole or bool(point) != bool(rest):
        return _host__('fractions.Fraction', given)
    return (sign * int(whole), int(rest)) if point == '/' else (sign * int(whole + rest), 10 ** len(rest))


def _of(number): return number if isinstance(number, Fraction) else Fraction(number)


def _of_float(number):
    """Convert exactly, as CPython does for comparisons; infinities and NaN stay floats."""
    denominator = 1
    while number - number == 0 and number != int(number):
        number, denominator = number * 2, denominator * 2
    return Fraction(int(number), denominator) if number - number == 0 else number


def _calculated(a, b, of_floats, of_parts):
    if isinstance(b, float):
        return of_floats(float(a), b)
    if not isinstance(b, (int, Fraction)):
        return NotImplemented
    b = _of(b)
    return of_parts(a.numerator, a.denominator, b.numerator, b.denominator)


def _compared(a, b, relation):
    b = _of_float(b) if isinstance(b, float) else b
    if isinstance(b, float):
        return relation(0.0, b)
    if not isinstance(b, (int, Fraction)):
        return NotImplemented
    b = _of(b)
    return relation(a.numerator * b.denominator, b.numerator * a.denominator)
