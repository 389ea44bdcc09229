"""Methods of numbers that Monty's types lack, the object coming first."""

import math

from .byte_values import bytes_of


def is_integer(obj):
    # Integers have it since Python 3.12.
    return obj - obj == 0 and obj == int(obj) if isinstance(obj, float) else obj.is_integer()


def bit_length(obj):
    return len(bin(abs(obj))) - 2 if _number(obj, 'bit_length') else 0


def bit_count(obj):
    return bin(abs(_number(obj, 'bit_count'))).count('1')


def _number(obj, method):
    if not isinstance(obj, int):
        raise AttributeError(f'{type(obj).__name__!r} object has no attribute {method!r}')
    return obj


def to_bytes(obj, length=1, byteorder='big', *, signed=False):
    _number(obj, 'to_bytes')
    _ordered(byteorder)
    if length < 0:
        raise ValueError('length argument must be non-negative')
    if obj < 0:
        if not signed:
            raise OverflowError("can't convert negative int to unsigned")
        obj += 256**length
    digits = []
    for _ in range(length):
        digits.append(obj % 256)
        obj //= 256
    if obj:
        raise OverflowError('int too big to convert')
    return bytes_of(digits if byteorder == 'little' else digits[::-1])


def from_bytes(obj, data, byteorder='big', *, signed=False):
    _ordered(byteorder)
    digits = list(data) if byteorder == 'big' else list(data)[::-1]
    if any([not 0 <= digit < 256 for digit in digits]):
        raise ValueError('bytes must be in range(0, 256)')
    number = 0
    for digit in digits:
        number = number * 256 + digit
    return number - 256 ** len(digits) if signed and digits and digits[0] > 127 else number


def _ordered(byteorder):
    if byteorder not in ('little', 'big'):
        raise ValueError("byteorder must be either 'little' or 'big'")


def fromhex(obj, text):
    return _float_of(text) if obj is float else obj.fromhex(text)


def _float_of(text):
    body = text.strip().lower()
    sign = -1 if body.startswith('-') else 1
    body = body[1:] if body[:1] in ('+', '-') else body
    if body in ('nan', 'inf', 'infinity'):
        return sign * float(body)
    digits, mark, exponent = body.removeprefix('0x').partition('p')
    whole, _, part = digits.partition('.')
    power = exponent.removeprefix('-').removeprefix('+')
    right = whole + part and all([digit in '0123456789abcdef' for digit in whole + part])
    if not right or (mark and not (power.isascii() and power.isdigit() and len(exponent) - len(power) < 2)):
        raise ValueError('invalid hexadecimal floating-point string')
    number, shift = int(whole + part, 16), (int(exponent) if mark else 0) - 4 * len(part)
    if not number:
        return sign * 0.0
    if shift + len(bin(number)) > 1100:
        raise OverflowError('hexadecimal value too large to represent as a float')
    if shift + len(bin(number)) < -1100:
        return sign * 0.0
    try:
        return sign * (float(number << shift) if shift >= 0 else number / (1 << -shift))
    except OverflowError:
        raise OverflowError('hexadecimal value too large to represent as a float')


def hex(obj, *separator):
    if not isinstance(obj, float):
        return obj.hex(*separator)
    if obj != obj or obj - obj != 0:
        return repr(obj)
    sign = '-' if math.copysign(1.0, obj) < 0 else ''
    if obj == 0:
        return f'{sign}0x0.0p+0'
    part, exponent = math.frexp(abs(obj))
    exponent -= 1
    scale = max(0, -1022 - exponent)
    exponent += scale
    digits = int(math.ldexp(part, 53 - scale))
    return f'{sign}0x{digits >> 52}.{digits & (2**52 - 1):013x}p{exponent:+d}'


def conjugate(obj):
    return +obj if isinstance(obj, (int, float)) else obj.conjugate()


def as_integer_ratio(obj):
    if isinstance(obj, int):
        return (int(obj), 1)
    if not isinstance(obj, float):
        return obj.as_integer_ratio()
    if obj != obj:
        raise ValueError('cannot convert NaN to integer ratio')
    if obj - obj != 0:
        raise OverflowError('cannot convert Infinity to integer ratio')
    denominator = 1
    while obj != int(obj):
        obj *= 2
        denominator *= 2
    return (int(obj), denominator)
