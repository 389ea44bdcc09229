"""What Monty's `datetime` lacks: `timedelta` with fractions, and constructors of dates."""

import math
from datetime import date, datetime, timedelta, timezone

UTC = timezone.utc
MINYEAR = 1
MAXYEAR = 9999
_UNITS = {
    'days': 86400000000,
    'seconds': 1000000,
    'microseconds': 1,
    'milliseconds': 1000,
    'minutes': 60000000,
    'hours': 3600000000,
    'weeks': 604800000000,
}


def span(*args, **kwargs):
    """`timedelta(...)` with fractions, rounded to whole microseconds, with ties to even."""
    given = {**dict(zip(_UNITS, args)), **kwargs}
    if not any([isinstance(value, float) for value in given.values()]) or not set(given) <= set(_UNITS):
        return timedelta(*args, **kwargs)
    whole, rest = 0, 0.0
    for name, value in given.items():
        part, units = math.modf(value) if isinstance(value, float) else (0.0, value)
        whole += int(units) * _UNITS[name]
        part, units = math.modf(part * _UNITS[name])
        whole += int(units)
        rest += part
    # Ties are rounded to an even total of microseconds.
    return _of_microseconds(whole + round(rest + whole % 2) - whole % 2)


def _of_microseconds(whole):
    days, rest = divmod(whole, 86400000000)
    return timedelta(days=days, microseconds=rest)


def _microseconds(value): return (value.days * 86400 + value.seconds) * 1000000 + value.microseconds


def times(a, b):
    if isinstance(a, float) and isinstance(b, timedelta):
        a, b = b, a
    return _scaled(a, b, False) if isinstance(a, timedelta) and isinstance(b, float) else a * b


def divided(a, b): return _scaled(a, b, True) if isinstance(a, timedelta) and isinstance(b, float) else a / b


def _scaled(value, factor, inverse):
    part, power = math.frexp(factor)
    above, below = int(part * 2**53), 2 ** max(0, 53 - power)
    above *= 2 ** max(0, power - 53)
    if inverse:
        above, below = (below, above) if above > 0 else (-below, -above)
    whole, rest = divmod(_microseconds(value) * above, below)
    return _of_microseconds(whole + (2 * rest > below or (2 * rest == below and whole % 2)))


def datetime_utcnow(): return datetime.now(timezone.utc).replace(tzinfo=None)
def datetime_today(): return datetime.now()
def datetime_combine(*args, **tzinfo): return datetime.combine(*args, **tzinfo)


def datetime_fromtimestamp(timestamp, tz=None):
    part, whole = math.modf(timestamp)
    seconds, micro = int(whole), round(part * 1e6)
    seconds, micro = seconds + micro // 1000000, micro % 1000000
    moment = (datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=seconds)).replace(microsecond=micro)
    return moment.replace(tzinfo=None) if tz is None else moment.astimezone(tz)


def datetime_utcfromtimestamp(timestamp): return datetime_fromtimestamp(timestamp, timezone.utc).replace(tzinfo=None)
def date_fromtimestamp(timestamp): return datetime_fromtimestamp(timestamp).date()


def date_fromisoformat(text):
    try:
        return date.fromisoformat(text)
    except ValueError:
        return _host__('datetime.date.fromisoformat', text)


def date_fromordinal(ordinal): return date(1, 1, 1) + timedelta(days=ordinal - 1)


def datetime_strptime(text, format):
    try:
        return datetime.strptime(text, format)
    except ValueError:
        return _host__('datetime.datetime.strptime', text, format)


def datetime_fromisoformat(text):
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return _host__('datetime.datetime.fromisoformat', text)
