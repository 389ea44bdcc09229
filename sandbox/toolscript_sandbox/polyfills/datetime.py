"""Methods of dates and times that Monty's types lack, the object or its class coming first."""

from collections import namedtuple
from datetime import date, datetime, time, timedelta, timezone

MINYEAR, MAXYEAR, UTC = 1, 9999, timezone.utc
_EPOCH = datetime(1970, 1, 1)
_StructTime = namedtuple('struct_time', 'tm_year tm_mon tm_mday tm_hour tm_min tm_sec tm_wday tm_yday tm_isdst')
_IsoDate = namedtuple('IsoCalendarDate', 'year week weekday')


def _day(obj): return date(obj.year, obj.month, obj.day)
def toordinal(obj): return (_day(obj) - date(1, 1, 1)).days + 1
def fromordinal(cls, ordinal): return _of_class(cls, date(1, 1, 1) + timedelta(days=ordinal - 1))
def fromisocalendar(cls, year, week, day): return _of_class(cls, _host__('datetime.date.fromisocalendar', year, week, day))
def utcnow(cls): return datetime.now(timezone.utc).replace(tzinfo=None)
def today(cls): return date.today() if cls is date else datetime.now()
def ctime(obj): return f'{obj.strftime("%a %b")} {obj.day:2d} {obj.strftime("%H:%M:%S")} {obj.year:04d}'
def _of_class(cls, day): return day if cls is date else datetime(day.year, day.month, day.day)


def utcfromtimestamp(cls, timestamp):
    whole = int(timestamp // 1)
    return _EPOCH + timedelta(seconds=whole, microseconds=round((timestamp - whole) * 1000000))


def isocalendar(obj):
    day = _day(obj)
    thursday = day + timedelta(days=3 - day.weekday())
    return _IsoDate(thursday.year, (thursday - date(thursday.year, 1, 1)).days // 7 + 1, day.weekday() + 1)


def timetuple(obj, isdst=-1):
    clock = (obj.hour, obj.minute, obj.second) if isinstance(obj, datetime) else (0, 0, 0)
    day = _day(obj)
    return _StructTime(obj.year, obj.month, obj.day, *clock, day.weekday(), (day - date(obj.year, 1, 1)).days + 1, isdst)


def utctimetuple(obj): return timetuple(obj if obj.tzinfo is None else obj.astimezone(timezone.utc), 0)


def fromisoformat(cls, text):
    """By Monty where it reads the text, so in key functions too."""
    if isinstance(text, str) and _is_plain(text, cls):
        return cls.fromisoformat(text)
    kind = 'date' if cls is date else 'time' if cls is time else 'datetime'
    return _host__(f'datetime.{kind}.fromisoformat', text)


def _is_plain(text, cls):
    shape = ''.join(['0' if char in '0123456789' else char for char in text])
    return shape == '0000-00-00' if cls is date else cls is datetime and shape in (
        '0000-00-00', '0000-00-00T00:00:00', '0000-00-00 00:00:00', '0000-00-00T00:00', '0000-00-00T00:00:00+00:00'
    )


def strptime(cls, text, format):
    """By Monty for the most frequent formats, so in key functions too."""
    if format in ('%Y-%m-%d', '%Y-%m-%d %H:%M:%S', '%Y-%m-%dT%H:%M:%S', '%Y-%m-%d %H:%M', '%d/%m/%Y', '%m/%d/%Y') and isinstance(text, str) and _is_digits(text, format):
        return datetime.strptime(text, format)
    return _host__('datetime.datetime.strptime', text, format)


def _is_digits(text, format):
    shape = ''.join(['0' if char in '0123456789' else char for char in text])
    return shape == format.replace('%Y', '0000').replace('%m', '00').replace('%d', '00').replace('%H', '00').replace('%M', '00').replace('%S', '00')
