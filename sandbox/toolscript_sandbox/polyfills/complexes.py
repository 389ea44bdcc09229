"""Complex numbers beside real ones, which Python 3.11 makes complex first: that tells in the signs of zeros.

Powers with small whole exponents are multiplied out, and others made of lengths and angles, in Python's order.
"""

import math


def plus(a, b):
    return complex(a) + b if type(b) is complex and type(a) in _REAL else a + complex(b) if _is_mixed(a, b) else a + b


def minus(a, b):
    return complex(a) - b if type(b) is complex and type(a) in _REAL else a - complex(b) if _is_mixed(a, b) else a - b


def times(a, b):
    return complex(a) * b if type(b) is complex and type(a) in _REAL else a * complex(b) if _is_mixed(a, b) else a * b


def over(a, b):
    return complex(a) / b if type(b) is complex and type(a) in _REAL else a / complex(b) if _is_mixed(a, b) else a / b


def power(a, b):
    if type(a) is not complex and type(b) is not complex:
        return a**b
    elif type(a) not in _NUMBERS or type(b) not in _NUMBERS:
        return a**b
    a, b = complex(a), complex(b)
    if b.imag == 0 and math.isfinite(b.real) and b.real == math.floor(b.real) and abs(b.real) <= 100:
        found = _multiplied_out(a, abs(int(b.real)))
        found = found if b.real > 0 else _inverse(found)
    elif b == 0:
        found = complex(1)
    elif a == 0:
        if b.imag != 0 or b.real < 0:
            raise ZeroDivisionError('0.0 to a negative or complex power')
        found = complex(0)
    else:
        found = _by_angle(a, b)
    if math.isinf(found.real) or math.isinf(found.imag):
        raise OverflowError('complex exponentiation')
    return found


def _multiplied_out(a, exponent):
    found, mask = complex(1), 1
    while mask <= exponent:
        if exponent & mask:
            found = found * a
        mask <<= 1
        a = a * a
    return found


def _inverse(a):
    if a == 0:
        raise ZeroDivisionError('0.0 to a negative or complex power')
    return complex(1) / a


def _by_angle(a, b):
    length, angle = abs(a), math.atan2(a.imag, a.real)
    try:
        size, phase = math.pow(length, b.real), angle * b.real
        if b.imag != 0:
            size /= math.exp(angle * b.imag)
            phase += b.imag * math.log(length)
    except (OverflowError, ZeroDivisionError):
        raise OverflowError('complex exponentiation')
    return complex(size * math.cos(phase), size * math.sin(phase))


def _is_mixed(a, b):
    return type(a) is complex and type(b) in _REAL


_REAL = (int, float, bool)
_NUMBERS = (*_REAL, complex)
