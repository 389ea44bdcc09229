"""Methods that Monty's types lack, the object coming first."""

import binascii
import math
import time
from collections import namedtuple
from datetime import date, datetime, timedelta, timezone


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
    return _bytes(digits if byteorder == 'little' else digits[::-1])


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


def shuffle(obj, x):
    # What `random.shuffle` does, with the numbers of a generator of the script's own.
    for place in range(len(x) - 1, 0, -1):
        other = obj.randrange(place + 1)
        x[place], x[other] = x[other], x[place]


def _within(obj, start, end):
    """Whether a place between the two can hold an empty text: Monty does not ask."""
    size = len(obj)
    first = 0 if start is None else start if start >= 0 else max(0, start + size)
    last = size if end is None else min(end, size) if end >= 0 else max(0, end + size)
    return first <= last


def find_between(obj, sub, start=None, end=None):
    return obj.find(sub, start, end) if _may_hold(obj, sub, start, end) else -1


def rfind_between(obj, sub, start=None, end=None):
    return obj.rfind(sub, start, end) if _may_hold(obj, sub, start, end) else -1


def count_between(obj, sub, start=None, end=None):
    return obj.count(sub, start, end) if _may_hold(obj, sub, start, end) else 0


def startswith_between(obj, prefix, start=None, end=None):
    return _may_hold(obj, prefix, start, end) and obj.startswith(prefix, start, end)


def endswith_between(obj, suffix, start=None, end=None):
    return _may_hold(obj, suffix, start, end) and obj.endswith(suffix, start, end)


def index_between(obj, sub, start=None, end=None):
    if _may_hold(obj, sub, start, end):
        if start is None:
            return obj.index(sub)
        return obj.index(sub, start) if end is None else obj.index(sub, start, end)
    raise ValueError('substring not found' if isinstance(obj, str) else 'subsection not found')


def rindex_between(obj, sub, start=None, end=None):
    if _may_hold(obj, sub, start, end):
        return obj.rindex(sub, start, end)
    raise ValueError('substring not found' if isinstance(obj, str) else 'subsection not found')


def _may_hold(obj, sub, start, end):
    if not isinstance(obj, (str, bytes)):
        return True
    return not isinstance(sub, (str, bytes, tuple)) or _within(obj, start, end)


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


def encode(obj, encoding='utf-8', errors='strict'):
    """To encodings of which Monty knows nothing: Latin-1, and UTF-8 with a mark before it."""
    if not isinstance(obj, str) or _is_native(encoding):
        return obj.encode(encoding, errors)
    if 'sig' in encoding:
        return b'\xef\xbb\xbf' + obj.encode('utf-8', errors)
    values = []
    for place, character in enumerate(obj):
        if ord(character) < 256:
            values.append(ord(character))
        elif errors == 'strict':
            raise UnicodeEncodeError(_unknown_character(obj, place))
        elif errors == 'replace':
            values.append(63)
        elif errors == 'xmlcharrefreplace':
            values.extend(list(f'&#{ord(character)};'.encode()))
        elif errors == 'backslashreplace':
            code = ord(character)
            values.extend(list((f'\\u{code:04x}' if code < 65536 else f'\\U{code:08x}').encode()))
        elif errors != 'ignore':
            raise LookupError(f'unknown error handler name {errors!r}')
    return _bytes(values)


_LATIN = ['utf-8-sig', 'latin-1', 'latin1', 'iso-8859-1', 'iso8859-1', 'l1', 'latin']


def _is_native(encoding):
    return not isinstance(encoding, str) or encoding.lower().replace('_', '-') not in _LATIN


def _unknown_character(text, place):
    end = place + 1
    while end < len(text) and ord(text[end]) > 255:
        end += 1
    if end > place + 1:
        return f"'latin-1' codec can't encode characters in position {place}-{end - 1}: ordinal not in range(256)"
    code = ord(text[place])
    shown = f'\\u{code:04x}' if code < 65536 else f'\\U{code:08x}'
    return f"'latin-1' codec can't encode character '{shown}' in position {place}: ordinal not in range(256)"


def decode(obj, encoding='utf-8', errors='strict'):
    if not isinstance(obj, bytes) or _is_native(encoding):
        return obj.decode(encoding, errors)
    if 'sig' in encoding:
        return obj.removeprefix(b'\xef\xbb\xbf').decode('utf-8', errors)
    return ''.join([chr(byte) for byte in obj])


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


def move_to_end(obj, key, last=True):
    value = obj.pop(key)
    items = list(obj.items())
    obj.clear()
    obj.update(items + [(key, value)] if last else [(key, value)] + items)


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


def translate(obj, table):
    if isinstance(obj, bytes):
        return _bytes([table[byte] for byte in obj])
    return ''.join([_translated(character, table) for character in obj])


def _translated(character, table):
    new = table.get(ord(character), character)
    return '' if new is None else chr(new) if isinstance(new, int) else new


def format_map(obj, mapping):
    return obj.format(**mapping)


def _replace_in(target, values):
    target.clear()
    target.update(values)


def difference_update(obj, *others):
    for other in others:
        _replace_in(obj, obj.difference(other))


def intersection_update(obj, *others):
    for other in others:
        _replace_in(obj, obj.intersection(other))


def symmetric_difference_update(obj, other):
    _replace_in(obj, obj.symmetric_difference(other))


def toordinal(obj):
    return (date(obj.year, obj.month, obj.day) - date(1, 1, 1)).days + 1


def isocalendar(obj):
    day = date(obj.year, obj.month, obj.day)
    thursday = day + timedelta(days=3 - day.weekday())
    week = (thursday - date(thursday.year, 1, 1)).days // 7 + 1
    return _IsoDate(thursday.year, week, day.weekday() + 1)


class _IsoDate:
    def __init__(self, year, week, weekday):
        self.year, self.week, self.weekday = year, week, weekday

    def __getitem__(self, place):
        return (self.year, self.week, self.weekday)[place]

    def __iter__(self):
        return iter([self.year, self.week, self.weekday])

    def __repr__(self):
        return f'datetime.IsoCalendarDate(year={self.year}, week={self.week}, weekday={self.weekday})'


def timetuple(obj, isdst=-1):
    clock = (obj.hour, obj.minute, obj.second) if isinstance(obj, datetime) else (0, 0, 0)
    first = date(obj.year, 1, 1)
    return _StructTime(
        obj.year, obj.month, obj.day, *clock, obj.weekday(), toordinal(obj) - toordinal(first) + 1, isdst
    )


_StructTime = namedtuple('struct_time', 'tm_year tm_mon tm_mday tm_hour tm_min tm_sec tm_wday tm_yday tm_isdst')


def ctime(obj):
    return f'{obj.strftime("%a %b")} {obj.day:2d} {obj.strftime("%H:%M:%S")} {obj.year:04d}'


def strftime(obj, format):
    # Years of less than four digits are written as they are.
    if not isinstance(obj, date) or obj.year > 999 or not isinstance(format, str):
        return obj.strftime(format)
    parts, place = [], 0
    while place < len(format):
        two = format[place : place + 2]
        place += 2 if two[0] == '%' else 1
        if two == '%Y':
            parts.append(str(obj.year))
        elif two == '%c':
            parts.append(f'{obj.strftime("%a %b")} {obj.day:2d} {obj.strftime("%H:%M:%S")} {obj.year}')
        elif two == '%F':
            parts.append(f'{obj.year}{obj.strftime("-%m-%d")}')
        elif two == '%G':
            parts.append(str(int(obj.strftime('%G'))))
        elif two == '%C':
            parts.append(str(int(obj.strftime('%C'))))
        else:
            parts.append(two if two[0] == '%' else two[0])
    return obj.strftime(''.join(parts))


_PARTS = {
    'datetime': ['year', 'month', 'day', 'hour', 'minute', 'second', 'microsecond', 'tzinfo'],
    'date': ['year', 'month', 'day'],
    'time': ['hour', 'minute', 'second', 'microsecond', 'tzinfo'],
}


def replaced(obj, *args, **options):
    names = _PARTS.get(type(obj).__name__)
    if names is None:
        return obj.replace(*args, **options)
    if len(args) > len(names):
        raise TypeError(f'replace() takes at most {len(names)} arguments ({len(args)} given)')
    return obj.replace(**dict(zip(names, args)), **options)


def utcnow(obj):
    return datetime.now(timezone.utc).replace(tzinfo=None)


def utcfromtimestamp(obj, timestamp):
    return fromtimestamp(datetime, timestamp, timezone.utc).replace(tzinfo=None)


def combine(obj, day, clock, tzinfo=None):
    zone = clock.tzinfo if tzinfo is None else tzinfo
    return datetime(
        day.year, day.month, day.day, clock.hour, clock.minute, clock.second, clock.microsecond, tzinfo=zone
    )


def fromordinal(obj, ordinal):
    day = date(1, 1, 1) + timedelta(days=ordinal - 1)
    return datetime(day.year, day.month, day.day) if obj is datetime else day


def maketrans(obj, x, y=None, z=None):
    if y is None:
        if any([isinstance(key, str) and len(key) != 1 for key in x]):
            raise ValueError('string keys in translate table must be of length 1')
        return {ord(key) if isinstance(key, str) else key: value for key, value in x.items()}
    if len(x) != len(y):
        raise ValueError('the first two maketrans arguments must have equal length')
    table = {ord(old): ord(new) for old, new in zip(x, y)}
    table.update({ord(character): None for character in z or ''})
    return table


def _bytes(values):
    return binascii.unhexlify(''.join([f'{value:02x}' for value in values]))


def fromtimestamp(obj, timestamp, tz=None):
    if obj is not date and obj is not datetime:
        return obj.fromtimestamp(timestamp) if tz is None else obj.fromtimestamp(timestamp, tz)
    part, whole = math.modf(timestamp)
    seconds, micro = int(whole), round(part * 1e6)
    if micro < 0 or micro > 999999:
        seconds, micro = seconds + micro // 1000000, micro % 1000000
    if obj is datetime and tz is not None:
        moment = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=seconds)
        return moment.replace(microsecond=micro).astimezone(tz)
    local = time.localtime(seconds)
    if obj is date:
        return date(local.tm_year, local.tm_mon, local.tm_mday)
    clock = (local.tm_hour, local.tm_min, min(local.tm_sec, 59))
    return datetime(local.tm_year, local.tm_mon, local.tm_mday, *clock, micro)


def today(obj):
    return datetime.now() if obj is datetime else obj.today()


def fromisocalendar(obj, year, week, day):
    if obj is not date and obj is not datetime:
        return obj.fromisocalendar(year, week, day)
    if not 1 <= day <= 7:
        raise ValueError(f'Invalid weekday: {day} (range is [1, 7])')
    fourth = date(year, 1, 4)
    found = fourth + timedelta(days=7 * (week - 1) + day - 1 - fourth.weekday())
    thursday = found + timedelta(days=4 - day)
    if week < 1 or thursday.year != year:
        raise ValueError(f'Invalid week: {week}')
    return datetime(found.year, found.month, found.day) if obj is datetime else found


def utctimetuple(obj):
    return timetuple(obj if obj.tzinfo is None else obj.astimezone(timezone.utc).replace(tzinfo=None), 0)


def fromisoformat(obj, text):
    if (obj is not datetime and obj is not date) or not isinstance(text, str):
        return obj.fromisoformat(text)
    try:
        return obj.fromisoformat(text)
    except ValueError:
        found = _iso(text) if obj is datetime or 7 <= len(text) <= 10 else None
    if found is None:
        raise ValueError(f'Invalid isoformat string: {text!r}')
    return found if obj is datetime else found.date()


def _iso(text):
    """The forms that Monty does not read: without separators, of weeks, cut short, with a comma."""
    if not text.isascii() or len(text) < 7:
        return None
    week = text[4:5] == 'W' or text[4:6] == '-W'
    dashes = text[4] == '-'
    if week:
        size = (8 if dashes else 7) + (2 if dashes and text[8:9] == '-' and not text[10:11].isdigit() else 0)
        size += 1 if not dashes and text[7:8].isdigit() and (len(text) == 8 or not text[8].isdigit()) else 0
    else:
        size = 10 if dashes else 8
    day, clock = text[:size], text[size + 1 :]
    if len(text) == size + 1:
        return None
    digits = day.replace('-', '').replace('W', '')
    if not digits.isdigit():
        return None
    if week:
        y, w, d = digits[:4], digits[4:6], digits[6:]
        if day not in (f'{y}-W{w}', f'{y}-W{w}-{d}', f'{y}W{w}{d}') or len(w) != 2 or len(d) > 1:
            return None
        day = fromisocalendar(date, int(digits[:4]), int(digits[4:6]), int(digits[6:] or '1'))
    elif len(digits) == 8 and len(day) == (10 if dashes else 8) and (not dashes or day[7] == '-'):
        day = date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    else:
        return None
    zone = None
    for mark in ('+', '-', 'Z'):
        if mark in clock:
            clock, _, rest = clock.partition(mark)
            if mark == 'Z':
                if rest:
                    return None
                zone = timezone.utc
            else:
                parts = _iso_clock(rest)
                if parts is None:
                    return None
                gap = timedelta(hours=parts[0], minutes=parts[1], seconds=parts[2], microseconds=parts[3])
                zone = timezone.utc if not gap else timezone(gap if mark == '+' else -gap)
            break
    parts = _iso_clock(clock) if clock else (0, 0, 0, 0) if zone is None else None
    return None if parts is None else datetime(day.year, day.month, day.day, *parts, tzinfo=zone)


def _iso_clock(text):
    text = text.replace(',', '.')
    head, dot, part = text.partition('.')
    if dot and not part.isdigit():
        return None
    pieces = head.split(':') if ':' in head else [head[place : place + 2] for place in range(0, len(head), 2)]
    if not 1 <= len(pieces) <= 3 or any([len(piece) != 2 or not piece.isdigit() for piece in pieces]):
        return None
    if dot and len(pieces) < 3:
        return None
    numbers = [int(piece) for piece in pieces] + [0, 0]
    return (*numbers[:3], int((part + '000000')[:6]))


def strptime(obj, text, format):
    if obj is not datetime:
        return obj.strptime(text, format)
    if not isinstance(text, str):
        raise TypeError(f'strptime() argument 1 must be str, not {type(text).__name__}')
    items = _directives(format)
    found = _matched(items, 0, text, 0, {})
    if found is None:
        raise ValueError(f'time data {text!r} does not match format {format!r}')
    end, values = found
    if end < len(text):
        raise ValueError(f'unconverted data remains: {text[end:]}')
    return _moment(values, text, format)


_DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
_MONTHS = [
    'january',
    'february',
    'march',
    'april',
    'may',
    'june',
    'july',
    'august',
    'september',
    'october',
    'november',
    'december',
]
_NUMBERS = {
    'd': (2, 1, 1, 31),
    'H': (2, 1, 0, 23),
    'I': (2, 1, 1, 12),
    'j': (3, 1, 1, 366),
    'm': (2, 1, 1, 12),
    'M': (2, 1, 0, 59),
    'S': (2, 1, 0, 61),
    'f': (6, 1, 0, 999999),
    'Y': (4, 4, 0, 9999),
    'y': (2, 2, 0, 99),
    'w': (1, 1, 0, 6),
    'u': (1, 1, 1, 7),
    'U': (2, 1, 0, 53),
    'W': (2, 1, 0, 53),
    'V': (2, 1, 0, 53),
    'G': (4, 4, 0, 9999),
}
_LONGER = {'c': '%a %b %d %H:%M:%S %Y', 'x': '%m/%d/%y', 'X': '%H:%M:%S'}


def _directives(format):
    items, place = [], 0
    while place < len(format):
        char = format[place]
        place += 1
        if char.isspace():
            if not items or items[-1] != ('space', ''):
                items.append(('space', ''))
        elif char != '%':
            items.append(('text', char))
        elif place >= len(format):
            raise ValueError(f"stray % in format '{format}'")
        else:
            char = format[place]
            place += 1
            if char in _LONGER:
                items += _directives(_LONGER[char])
            elif char == '%':
                items.append(('text', '%'))
            elif char in _NUMBERS or char in 'aAbBpzZ':
                items.append(('value', char))
            else:
                raise ValueError(f"'{char}' is a bad directive in format '{format}'")
    return items


def _matched(items, number, text, place, values):
    """Where a match ends, and what it holds; the longest readings are tried first, as CPython's pattern does."""
    if number == len(items):
        return (place, values)
    kind, char = items[number]
    for end, value in _readings(kind, char, text, place):
        found = _matched(items, number + 1, text, end, values if kind != 'value' else {**values, char: value})
        if found is not None:
            return found
    return None


def _readings(kind, char, text, place):
    if kind == 'text':
        return [(place + 1, None)] if text[place : place + 1].lower() == char.lower() else []
    if kind == 'space':
        end = place
        while end < len(text) and text[end].isspace():
            end += 1
        return [(stop, None) for stop in range(end, place, -1)]
    if char in _NUMBERS:
        return _number_readings(char, text, place)
    if char in 'zZ':
        return _zone_readings(char, text, place)
    if char == 'p':
        words = ['am', 'pm']
    else:
        words = _DAYS if char in 'aA' else _MONTHS
        words = words if char in 'AB' else [word[:3] for word in words]
    rest = text[place:].lower()
    found = [(place + len(word), index) for index, word in enumerate(words) if rest.startswith(word)]
    return sorted(found, reverse=True)


def _number_readings(char, text, place):
    longest, shortest, low, high = _NUMBERS[char]
    found = []
    for size in range(longest, shortest - 1, -1):
        digits = text[place : place + size]
        if len(digits) == size and digits.isdigit() and low <= int(digits) <= high:
            if char == 'f':
                digits += '0' * (6 - size)
            found.append((place + size, int(digits)))
    if char == 'd' and text[place : place + 1] == ' ' and text[place + 1 : place + 2].isdigit():
        day = int(text[place + 1])
        found += [(place + 2, day)] if day else []
    return found


def _zone_readings(char, text, place):
    if char == 'Z':
        rest = text[place:].lower()
        return [(place + 3, name) for name in ('utc', 'gmt') if rest.startswith(name)]
    if text[place : place + 1] == 'Z':
        return [(place + 1, timedelta())]
    sign = text[place : place + 1]
    if sign not in ('+', '-'):
        return []
    hours = text[place + 1 : place + 3]
    here = place + 3
    here += 1 if text[here : here + 1] == ':' else 0
    minutes = text[here : here + 2]
    if not (len(hours) == 2 and hours.isdigit() and len(minutes) == 2 and minutes.isdigit() and int(minutes) < 60):
        return []
    gap = timedelta(hours=int(hours), minutes=int(minutes))
    return [(here + 2, gap if sign == '+' else -gap)]


def _moment(values, text, format):
    get = lambda key, default=None: values.get(key, default)
    year = get('Y')
    if year is None and get('y') is not None:
        year = get('y') + (2000 if get('y') <= 68 else 1900)
    month = next(iter([values[key] + 1 for key in ('b', 'B') if key in values]), get('m'))
    day, hour = get('d'), get('H', 0)
    weekday = next(iter([values[key] for key in ('a', 'A') if key in values]), None)
    if 'w' in values:
        weekday = (get('w') - 1) % 7
    if 'u' in values:
        weekday = get('u') - 1
    if 'I' in values:
        hour = get('I') % 12 + (12 if get('p') == 1 else 0)
    if get('S', 0) > 59:
        raise ValueError('second must be in 0..59')
    if 'G' in values or 'V' in values:
        if 'G' not in values or 'V' not in values or weekday is None or 'j' in values:
            raise ValueError(f'the ISO directives of {format!r} must come together: %G, %V and a weekday')
        whole = fromisocalendar(date, get('G'), get('V'), weekday + 1)
    else:
        leap = year is None and month == 2 and day == 29
        year = 1904 if leap else 1900 if year is None else year
        week = get('U', get('W'))
        if 'j' in values:
            whole = date(year, 1, 1) + timedelta(days=get('j') - 1)
            if month is not None or day is not None:
                whole = _day(whole.year if month is None else year, month or 1, day or 1) if 'm' in values else whole
        elif week is not None and weekday is not None:
            whole = _week_day(year, week, weekday, 'W' in values)
        else:
            whole = _day(year, month or 1, day or 1)
        if leap:
            raise ValueError('day is out of range for month')
    clock = (hour, get('M', 0), get('S', 0), get('f', 0))
    zone = None
    if 'z' in values:
        zone = timezone.utc if not values['z'] else timezone(values['z'])
    return datetime(whole.year, whole.month, whole.day, *clock, tzinfo=zone)


def _day(year, month, day):
    try:
        return date(year, month, day)
    except ValueError:
        raise ValueError('year 0 is out of range' if year < 1 else 'day is out of range for month')


def _week_day(year, week, weekday, from_monday):
    first = date(year, 1, 1).weekday()
    if not from_monday:
        first, weekday = (first + 1) % 7, (weekday + 1) % 7
    head = (7 - first) % 7
    days = weekday - first if week == 0 else head + 7 * (week - 1) + weekday
    return date(year, 1, 1) + timedelta(days=days)
