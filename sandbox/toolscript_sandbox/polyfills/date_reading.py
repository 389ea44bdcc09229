"""Texts read as dates, in every form that `fromisoformat` and `strptime` know."""

from datetime import date, datetime, timedelta, timezone

from .date_methods import fromisocalendar


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
