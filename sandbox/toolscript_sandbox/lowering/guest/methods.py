"""Methods that Monty's types lack, the object coming first."""

import binascii
from datetime import date, datetime, timedelta, timezone


def is_integer(obj):
    return obj == int(obj) if isinstance(obj, float) else True if isinstance(obj, int) else obj.is_integer()


def bit_length(obj):
    return len(bin(abs(obj))) - 2 if obj else 0


def bit_count(obj):
    return bin(abs(obj)).count('1')


def to_bytes(obj, length=1, byteorder='big', *, signed=False):
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
    digits = list(data) if byteorder == 'big' else list(data)[::-1]
    number = 0
    for digit in digits:
        number = number * 256 + digit
    return number - 256 ** len(digits) if signed and digits and digits[0] > 127 else number


def move_to_end(obj, key, last=True):
    value = obj.pop(key)
    items = list(obj.items())
    obj.clear()
    obj.update(items + [(key, value)] if last else [(key, value)] + items)


def as_integer_ratio(obj):
    if isinstance(obj, int):
        return (obj, 1)
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


def timetuple(obj):
    clock = (obj.hour, obj.minute, obj.second) if isinstance(obj, datetime) else (0, 0, 0)
    first = date(obj.year, 1, 1)
    return (obj.year, obj.month, obj.day, *clock, obj.weekday(), toordinal(obj) - toordinal(first) + 1, -1)


def ctime(obj):
    return obj.strftime('%a %b %d %H:%M:%S %Y')


def utcnow(obj):
    return datetime.now(timezone.utc).replace(tzinfo=None)


def utcfromtimestamp(obj, timestamp):
    return datetime.fromtimestamp(timestamp, timezone.utc).replace(tzinfo=None)


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
        return {ord(key) if isinstance(key, str) else key: value for key, value in x.items()}
    table = {ord(old): ord(new) for old, new in zip(x, y)}
    table.update({ord(character): None for character in z or ''})
    return table


def _bytes(values):
    return binascii.unhexlify(''.join([f'{value:02x}' for value in values]))


def strptime(obj, text, format):
    # Monty wants a whole date.
    missing = [part for part, marks in _DATE if not [mark for mark in marks if mark in format]]
    text = ' '.join([value for value, _ in missing] + [text])
    return obj.strptime(text, ' '.join([directive for _, directive in missing] + [format]))


_DATE = [
    (('1900', '%Y'), ('%Y', '%y', '%c', '%x', '%G')),
    (('1', '%m'), ('%m', '%b', '%B', '%j', '%c', '%x', '%U', '%W', '%V')),
    (('1', '%d'), ('%d', '%j', '%c', '%x', '%U', '%W', '%V')),
]
