"""What Monty's `datetime` lacks."""

import datetime
import math

UTC = datetime.timezone.utc
MINYEAR = 1
MAXYEAR = 9999


_FACTORS = [
    ('microseconds', 1),
    ('milliseconds', 1000),
    ('seconds', 1000000),
    ('minutes', 60000000),
    ('hours', 3600000000),
    ('days', 86400000000),
    ('weeks', 604800000000),
]
_ORDER = ['days', 'seconds', 'microseconds', 'milliseconds', 'minutes', 'hours', 'weeks']


def timedelta_of(*args, **kwargs):
    given = {**dict(zip(_ORDER, args)), **kwargs}
    if len(given) != len(args) + len(kwargs) or not any([isinstance(value, float) for value in given.values()]):
        return datetime.timedelta(*args, **kwargs)
    whole, left = 0, 0.0
    for name, factor in _FACTORS:
        value = given.pop(name, 0)
        if isinstance(value, int):
            whole += value * factor
        elif not isinstance(value, float):
            raise TypeError(f'unsupported type for timedelta {name} component: {type(value).__name__}')
        else:
            part, units = math.modf(value)
            whole += int(units) * factor
            part, units = math.modf(factor * part)
            left += part
            whole += int(units)
    if given:
        return datetime.timedelta(*args, **kwargs)
    return _of_microseconds(whole + _to_even(left, whole % 2))


def _to_even(left, odd):
    # As C rounds: halves away from zero, and then to the side that makes the sum even.
    found = _away(left)
    return 2 * _away((left + odd) * 0.5) - odd if abs(found - left) == 0.5 else found


def _away(number):
    return int(math.copysign(math.floor(abs(number) + 0.5), number))


def _of_microseconds(whole):
    days = whole // 86400000000
    if not -999999999 <= days <= 999999999:
        raise OverflowError(f'days={days}; must have magnitude <= 999999999')
    return datetime.timedelta(days=days, microseconds=whole % 86400000000)


def times(a, b):
    if isinstance(a, float) and isinstance(b, datetime.timedelta):
        a, b = b, a
    return _scaled(a, *_ratio(b)) if _is_scaled(a, b) else a * b


def divided(a, b):
    if not _is_scaled(a, b):
        return a / b
    above, below = _ratio(b)
    if not above:
        raise ZeroDivisionError('integer division or modulo by zero')
    return _scaled(a, below, above)


def _is_scaled(a, b):
    return isinstance(a, datetime.timedelta) and isinstance(b, float)


def _ratio(number):
    if number != number:
        raise ValueError('cannot convert NaN to integer ratio')
    if number - number != 0:
        raise OverflowError('cannot convert Infinity to integer ratio')
    part, power = math.frexp(number)
    above, power = int(part * 2**53), power - 53
    return (above * 2**power, 1) if power > 0 else (above, 2**-power)


def _scaled(span, above, below):
    number = (span.days * 86400000000 + span.seconds * 1000000 + span.microseconds) * above
    if below < 0:
        number, below = -number, -below
    whole, rest = divmod(number, below)
    return _of_microseconds(whole + (2 * rest > below or (2 * rest == below and whole % 2)))
