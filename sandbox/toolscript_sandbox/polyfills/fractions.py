"""Numbers that are exactly one integer over another."""

import math
from decimal import Decimal


class Fraction:
    def __init__(self, numerator=0, denominator=None):
        if denominator is None:
            above, below = _ratio(numerator)
        else:
            if not _is_rational(numerator) or not _is_rational(denominator):
                raise TypeError('both arguments should be Rational instances')
            (a, b), (c, d) = _parts(numerator), _parts(denominator)
            above, below = a * d, b * c
        if below == 0:
            raise ZeroDivisionError(f'Fraction({above}, 0)')
        divisor = math.gcd(above, below) * (-1 if below < 0 else 1)
        self.numerator, self.denominator = above // divisor, below // divisor
        self.real, self.imag = self, 0

    def __repr__(self):
        return f'Fraction({self.numerator}, {self.denominator})'

    def __str__(self):
        return str(self.numerator) if self.denominator == 1 else f'{self.numerator}/{self.denominator}'

    def __hash__(self):
        if self.denominator == 1:
            return hash(self.numerator)
        near = _float(self.numerator, self.denominator)
        return hash(near) if near is not None and self == near else hash((self.numerator, self.denominator))

    def __eq__(self, other):
        if isinstance(other, (float, Decimal)):
            return other - other == 0 and _ratio(other) == (self.numerator, self.denominator)
        return _is_rational(other) and _parts(other) == (self.numerator, self.denominator)

    def __lt__(self, other):
        return _order(self, other, lambda a, b: a < b)

    def __le__(self, other):
        return _order(self, other, lambda a, b: a <= b)

    def __gt__(self, other):
        return _order(self, other, lambda a, b: a > b)

    def __ge__(self, other):
        return _order(self, other, lambda a, b: a >= b)

    def __bool__(self):
        return self.numerator != 0

    def __add__(self, other):
        return _with(self, other, lambda a, b: a + b, _sum)

    def __radd__(self, other):
        return _with(other, self, lambda a, b: a + b, _sum)

    def __sub__(self, other):
        return _with(self, other, lambda a, b: a - b, _difference)

    def __rsub__(self, other):
        return _with(other, self, lambda a, b: a - b, _difference)

    def __mul__(self, other):
        return _with(self, other, lambda a, b: a * b, _product)

    def __rmul__(self, other):
        return _with(other, self, lambda a, b: a * b, _product)

    def __truediv__(self, other):
        return _with(self, other, lambda a, b: a / b, _quotient)

    def __rtruediv__(self, other):
        return _with(other, self, lambda a, b: a / b, _quotient)

    def __floordiv__(self, other):
        return _with(self, other, lambda a, b: a // b, _floor)

    def __rfloordiv__(self, other):
        return _with(other, self, lambda a, b: a // b, _floor)

    def __mod__(self, other):
        return _with(self, other, lambda a, b: a % b, _rest)

    def __rmod__(self, other):
        return _with(other, self, lambda a, b: a % b, _rest)

    def __divmod__(self, other):
        return (self // other, self % other)

    def __rdivmod__(self, other):
        return (other // self, other % self)

    def __pow__(self, other):
        if _is_rational(other):
            power, below = _parts(other)
            if below != 1:
                return float(self) ** float(other)
            if power >= 0:
                return Fraction(self.numerator**power, self.denominator**power)
            if not self.numerator:
                raise ZeroDivisionError(f'Fraction({self.denominator**-power}, 0)')
            return Fraction(self.denominator**-power, self.numerator**-power)
        return float(self) ** other

    def __rpow__(self, other):
        if self.denominator == 1 and self.numerator >= 0:
            return other**self.numerator
        return Fraction(other) ** self if isinstance(other, int) and self.denominator == 1 else other ** float(self)

    def __neg__(self):
        return Fraction(-self.numerator, self.denominator)

    def __pos__(self):
        return Fraction(self.numerator, self.denominator)

    def __abs__(self):
        return Fraction(abs(self.numerator), self.denominator)

    def __int__(self):
        return self.__trunc__()

    def __float__(self):
        return self.numerator / self.denominator

    def __trunc__(self):
        return -(-self.numerator // self.denominator) if self.numerator < 0 else self.numerator // self.denominator

    def __floor__(self):
        return self.numerator // self.denominator

    def __ceil__(self):
        return -(-self.numerator // self.denominator)

    def __round__(self, ndigits=None):
        if ndigits is None:
            whole, rest = divmod(self.numerator, self.denominator)
            return whole + (2 * rest > self.denominator or (2 * rest == self.denominator and whole % 2 == 1))
        shift = 10 ** abs(ndigits)
        if ndigits > 0:
            return Fraction((self * shift).__round__(), shift)
        return Fraction((self / shift).__round__() * shift)

    def as_integer_ratio(self):
        return (self.numerator, self.denominator)

    def conjugate(self):
        return self

    def limit_denominator(self, max_denominator=1000000):
        if max_denominator < 1:
            raise ValueError('max_denominator should be at least 1')
        if self.denominator <= max_denominator:
            return Fraction(self)
        p0, q0, p1, q1 = 0, 1, 1, 0
        n, d = self.numerator, self.denominator
        while True:
            a = n // d
            q2 = q0 + a * q1
            if q2 > max_denominator:
                break
            p0, q0, p1, q1 = p1, q1, p0 + a * p1, q2
            n, d = d, n - a * d
        k = (max_denominator - q0) // q1
        if 2 * d * (q0 + k * q1) <= self.denominator:
            return Fraction(p1, q1)
        return Fraction(p0 + k * p1, q0 + k * q1)


def _of(kinds, name):
    def made(value):
        if not isinstance(value, kinds):
            raise TypeError(f'Fraction.{name}() only takes {name.partition("_")[2]}s, not {value!r}')
        return Fraction(value)

    return made


Fraction.from_float = _of((float, int), 'from_float')
Fraction.from_decimal = _of((Decimal, int), 'from_decimal')


def _is_rational(value):
    return isinstance(value, (int, Fraction))


def _parts(value):
    return (value.numerator, value.denominator) if isinstance(value, Fraction) else (int(value), 1)


def _float(above, below):
    try:
        return above / below
    except OverflowError:
        return None


def _ratio(value):
    if _is_rational(value):
        return _parts(value)
    if isinstance(value, Decimal):
        return value.as_integer_ratio()
    if isinstance(value, float):
        if value != value:
            raise ValueError('cannot convert NaN to integer ratio')
        if value - value != 0:
            raise OverflowError('cannot convert Infinity to integer ratio')
        part, power = math.frexp(value)
        above, power = int(part * 2**53), power - 53
        below = 1
        if power >= 0:
            return (above * 2**power, 1)
        below = 2**-power
        divisor = math.gcd(above, below)
        return (above // divisor, below // divisor)
    if isinstance(value, str):
        return _read(value)
    raise TypeError('argument should be a string or a Rational instance')


def _read(text):
    body = text.strip()
    sign = -1 if body[:1] == '-' else 1
    body = body[1:] if body[:1] in ('+', '-') else body
    above, slash, below = body.partition('/')
    if slash:
        if _are_digits(above) and _are_digits(below):
            return (sign * int(above), int(below))
        raise ValueError(f'Invalid literal for Fraction: {text!r}')
    number, mark, power = body.lower().partition('e')
    exponent = power[1:] if power[:1] in ('+', '-') else power
    whole, dot, part = number.partition('.')
    right = (whole or part) and (not whole or _are_digits(whole)) and (not part or _are_digits(part))
    if not right or (mark and not _are_digits(exponent)):
        raise ValueError(f'Invalid literal for Fraction: {text!r}')
    part = part.replace('_', '')
    shift = (int(power) if mark else 0) - len(part)
    digits = int((whole or '0').replace('_', '') + part)
    return (sign * digits * 10**shift, 1) if shift >= 0 else (sign * digits, 10**-shift)


def _are_digits(text):
    groups = text.split('_')
    return all([group.isdecimal() for group in groups])


def _with(a, b, of_floats, of_fractions):
    for value in (a, b):
        if isinstance(value, (float, complex)):
            return of_floats(a if a is value else float(a), b if b is value else float(b))
        if not _is_rational(value):
            return NotImplemented
    (n, d), (m, e) = _parts(a), _parts(b)
    return of_fractions(n, d, m, e)


def _sum(n, d, m, e):
    return Fraction(n * e + m * d, d * e)


def _difference(n, d, m, e):
    return Fraction(n * e - m * d, d * e)


def _product(n, d, m, e):
    return Fraction(n * m, d * e)


def _quotient(n, d, m, e):
    return Fraction(n * e, d * m)


def _floor(n, d, m, e):
    return (n * e) // (d * m)


def _rest(n, d, m, e):
    return Fraction((n * e) % (m * d), d * e)


def _order(a, b, of):
    if isinstance(b, (float, Decimal)):
        return of(type(b)(0), b) if b - b != 0 else _order(a, Fraction(b), of)
    if not _is_rational(b):
        return NotImplemented
    (n, d), (m, e) = _parts(a), _parts(b)
    return of(n * e, m * d)


def as_float(obj):
    return obj.__float__() if isinstance(obj, Fraction) else obj
