"""What Monty's `datetime` lacks: `timedelta` with fractions, and constructors of dates."""

import math
import re
from datetime import date, datetime, time, timedelta, timezone

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
def datetime_fromisocalendar(*args, **kwargs): return datetime.combine(date_fromisocalendar(*args, **kwargs), time())


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


def date_fromisocalendar(year, week, day):
    fourth = date(year, 1, 4)
    monday = fourth + timedelta(weeks=week - 1, days=-fourth.weekday())
    if not 1 <= day <= 7 or not 1 <= week or monday > date(year, 12, 28):
        raise ValueError(f'Invalid week {week} or day {day} of {year}')
    return monday + timedelta(days=day - 1)


# The directives of `strptime` that are read here, with what each matches in CPython. Monty drops hours without minutes,
# and accepts years of two digits for `%Y`.
_MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'
_DIRECTIVES = {
    'Y': '[0-9]{4}',
    'y': '[0-9]{2}',
    'm': '1[0-2]|0[1-9]|[1-9]',
    'b': _MONTHS.replace(' ', '|'),
    'B': 'january|february|march|april|may|june|july|august|september|october|november|december',
    'd': '3[01]|[12][0-9]|0[1-9]|[1-9]| [1-9]',
    'a': 'mon|tue|wed|thu|fri|sat|sun',
    'A': 'monday|tuesday|wednesday|thursday|friday|saturday|sunday',
    'H': '2[0-3]|[01][0-9]|[0-9]',
    'I': '1[0-2]|0[1-9]|[1-9]',
    'p': 'am|pm',
    'M': '[0-5][0-9]|[0-9]',
    'S': '6[01]|[0-5][0-9]|[0-9]',
    'f': '[0-9]{1,6}',
    'z': '[+-][0-9]{2}:?[0-5][0-9]|(?-i:Z)',
    'Z': 'utc|gmt',
}
_formats = {}


def _read_format(format):
    """Return the pattern of a format and its directives, or None if the host has to read it."""
    pattern, letters = '', []
    for part in re.findall(r'%.?|\s+|[^%\s]+', format):
        letter = part[1:]
        if part[0] == '%' and letter != '%':
            if letter not in _DIRECTIVES or letter in letters:
                return None
            letters.append(letter)
            pattern += f'({_DIRECTIVES[letter]})'
        else:
            pattern += '%' if letter == '%' else r'\s+' if part.isspace() else re.escape(part)
    twice = any([len([letter for letter in letters if letter in alike]) > 1 for alike in ('Yy', 'mbB', 'HI')])
    return None if twice else (re.compile(pattern, re.IGNORECASE), letters)


def datetime_strptime(text, format):
    for place, value in enumerate((text, format), 1):
        if not isinstance(value, str):
            name = 'None' if value is None else type(value).__name__
            raise TypeError(f'strptime() argument {place} must be str, not {name}')
    if format not in _formats:
        if len(_formats) > 100:
            _formats.clear()
        _formats[format] = _read_format(format)
    known = _formats[format]
    found = known and known[0].fullmatch(text)
    if found is None:
        if known is None or 'z' in known[1] or not text.isascii():
            return _host__('datetime.datetime.strptime', text, format)
        begun = known[0].match(text)
        if begun is not None:
            raise ValueError(f'unconverted data remains: {text[begun.end() :]}')
        raise ValueError(f'time data {text!r} does not match format {format!r}')
    part = dict(zip(known[1], found.groups()))
    year = int(part['y']) + (1900 if part['y'] > '68' else 2000) if 'y' in part else int(part.get('Y', 1900))
    name = part.get('b') or part.get('B')
    month = _MONTHS.index(name.lower()[:3]) // 4 + 1 if name else int(part.get('m', 1))
    hour = int(part['I']) % 12 + 12 * (part.get('p', '').lower() == 'pm') if 'I' in part else int(part.get('H', 0))
    minute, second, micro = int(part.get('M', 0)), int(part.get('S', 0)), int(part.get('f', '').ljust(6, '0'))
    offset = part.get('z', 'Z')
    ahead = timedelta(hours=int(offset[1:3]), minutes=int(offset[-2:])) if offset != 'Z' else timedelta(0)
    zone = timezone(-ahead if offset[0] == '-' else ahead) if 'z' in part else None
    try:
        return datetime(year, month, int(part.get('d', 1)), hour, minute, second, micro, zone)
    except ValueError:
        return _host__('datetime.datetime.strptime', text, format)


def datetime_fromisoformat(text):
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return _host__('datetime.datetime.fromisoformat', text)


def time_fromisoformat(text):
    try:
        return time.fromisoformat(text)
    except ValueError:
        return _host__('datetime.time.fromisoformat', text)
