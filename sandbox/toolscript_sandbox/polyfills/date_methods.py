"""Methods of dates and times that Monty's types lack, the object coming first."""

import math
import time
from collections import namedtuple
from datetime import date, datetime, timedelta, timezone


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
