"""Fractions: their arithmetic here, since operators cannot ask the host; reading and approximating on the host."""

from math import floor, gcd


class Fraction:
    def __init__(self, numerator=0, denominator=None):
        if isinstance(numerator, Fraction) or isinstance(denominator, Fraction):
            made = _of(numerator) / (1 if denominator is None else _of(denominator))
            numerator, denominator = made.numerator, made.denominator
        elif not isinstance(numerator, int):
            if denominator is not None:
                raise TypeError('both arguments should be Rational instances')
            numerator, denominator = _host__('fractions.Fraction', numerator)
        denominator = 1 if denominator is None else denominator
        if denominator == 0:
            raise ZeroDivisionError(f'Fraction({numerator}, 0)')
        common = gcd(numerator, denominator) * (-1 if denominator < 0 else 1)
        self.numerator, self.denominator = numerator // common, denominator // common

    def limit_denominator(self, max_denominator=1000000):
        return Fraction(*_host__('fractions.Fraction', self.numerator, max_denominator, self.denominator))

    def as_integer_ratio(self): return (self.numerator, self.denominator)
    def is_integer(self): return self.denominator == 1
    def __str__(self): return str(self.numerator) if self.denominator == 1 else f'{self.numerator}/{self.denominator}'
    def __repr__(self): return f'Fraction({self.numerator}, {self.denominator})'
    def __hash__(self): return hash(self.numerator) if self.denominator == 1 else hash(float(self)) if Fraction(*_ratio(float(self))) == self else hash((self.numerator, self.denominator))
    def __float__(self): return self.numerator / self.denominator
    def __int__(self): return self.__trunc__()
    def __trunc__(self): return self.numerator // self.denominator if self.numerator >= 0 else -(-self.numerator // self.denominator)
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

    def __add__(self, other): return _calculated(self, other, _plus)
    def __radd__(self, other): return _calculated(other, self, _plus)
    def __sub__(self, other): return _calculated(self, other, _minus)
    def __rsub__(self, other): return _calculated(other, self, _minus)
    def __mul__(self, other): return _calculated(self, other, _times)
    def __rmul__(self, other): return _calculated(other, self, _times)
    def __truediv__(self, other): return _calculated(self, other, _over)
    def __rtruediv__(self, other): return _calculated(other, self, _over)
    def __floordiv__(self, other): return _calculated(self, other, _floored)
    def __rfloordiv__(self, other): return _calculated(other, self, _floored)
    def __mod__(self, other): return _calculated(self, other, _rest)
    def __rmod__(self, other): return _calculated(other, self, _rest)
    def __divmod__(self, other): return (self // other, self % other)

    def __pow__(self, power):
        if isinstance(power, Fraction) and power.denominator == 1:
            power = power.numerator
        if not isinstance(power, int):
            return float(self) ** float(power)
        top, bottom = (self.numerator, self.denominator) if power >= 0 else (self.denominator, self.numerator)
        return Fraction(top ** abs(power), bottom ** abs(power))

    def __rpow__(self, base): return base ** (self.numerator if self.denominator == 1 else float(self))
    def __eq__(self, other): return _compared(self, other, lambda a, b: a == b, False)
    def __lt__(self, other): return _compared(self, other, lambda a, b: a < b, NotImplemented)
    def __le__(self, other): return _compared(self, other, lambda a, b: a <= b, NotImplemented)
    def __gt__(self, other): return _compared(self, other, lambda a, b: a > b, NotImplemented)
    def __ge__(self, other): return _compared(self, other, lambda a, b: a >= b, NotImplemented)


def _of(number): return number if isinstance(number, Fraction) else Fraction(number)
def _plus(a, b): return a + b if isinstance(a, float) else Fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)
def _minus(a, b): return a - b if isinstance(a, float) else Fraction(a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator)
def _times(a, b): return a * b if isinstance(a, float) else Fraction(a.numerator * b.numerator, a.denominator * b.denominator)
def _over(a, b): return a / b if isinstance(a, float) else Fraction(a.numerator * b.denominator, a.denominator * b.numerator)
def _floored(a, b): return a // b if isinstance(a, float) else a.numerator * b.denominator // (a.denominator * b.numerator)
def _rest(a, b): return a % b if isinstance(a, float) else a - b * _floored(a, b)


def _calculated(a, b, operation):
    if isinstance(a, float) or isinstance(b, float):
        return operation(float(a), float(b))
    if not isinstance(a, (int, Fraction)) or not isinstance(b, (int, Fraction)):
        return NotImplemented
    return operation(_of(a), _of(b))


def _compared(a, b, relation, otherwise):
    if isinstance(b, float):
        # Exact, as CPython compares.
        b = Fraction(*_ratio(b)) if b - b == 0 else b
    if isinstance(b, float):
        return relation(0.0, b)
    if not isinstance(b, (int, Fraction)):
        return otherwise
    b = _of(b)
    return relation(a.numerator * b.denominator, b.numerator * a.denominator)


def _ratio(number):
    """The float as numerator and denominator."""
    denominator = 1
    while number != floor(number):
        number, denominator = number * 2, denominator * 2
    return int(number), denominator


def _from_float(number): return Fraction(number)


Fraction.from_float = _from_float
Fraction.from_decimal = _from_float
