"""Time zones, based on a table of changes that the host provides once per zone.

Monty supports only fixed offsets. So a moment in a zone has the offset of that moment, named after its zone
('CEST\\x1fEurope/Berlin': name, zone), and the functions here, which replace those of Python's `datetime`, look up the
zone. Only `ZoneInfo(key)` and `available_timezones()` call the host.
"""

from bisect import bisect_right
from datetime import date, datetime, timedelta, timezone

from .datetime import datetime_utcfromtimestamp

ZoneInfoNotFoundError = KeyError
_changes = {}
_EPOCH = datetime(1970, 1, 1)
_MARK = '\x1f'


class ZoneInfo:
    def __init__(self, key):
        if key not in _changes:
            _changes[key] = _host__('zoneinfo.changes', key)
        self.key = key

    def __eq__(self, other): return isinstance(other, ZoneInfo) and self.key == other.key
    def __hash__(self): return hash(self.key)
    def __str__(self): return self.key
    def utcoffset(self, dt, /): return placed(dt.replace(tzinfo=None), self).utcoffset()
    def __repr__(self): return f'zoneinfo.ZoneInfo(key={self.key!r})'


def load(*keys):
    """Load the zones that a script names before it needs them."""
    for key in keys:
        try:
            ZoneInfo(key)
        except Exception:
            pass


def available_timezones(): return set(_host__('zoneinfo.available_timezones'))


def _seconds(wall, seconds):
    """Return the seconds since 1970. If clocks change until the table ends, use an earlier year with the same calendar after it."""
    year = wall.year
    if year > 2099 and seconds and seconds[-1] > 4070908800:
        leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        alike = [y for y in range(2071, 2099) if (y % 4 == 0) == leap and date(y, 1, 1).weekday() == date(year, 1, 1).weekday()]
        wall = wall.replace(year=alike[0])
    gap = wall - _EPOCH
    return gap.days * 86400 + gap.seconds


def local(moment, zone):
    """Convert a moment in UTC without an offset to a zone."""
    seconds, numbers, kinds = _changes[zone.key]
    second = _seconds(moment, seconds)
    place = bisect_right(seconds, second)
    offset, _, name = kinds[numbers[place - 1] if place else 0]
    return (moment + timedelta(seconds=offset)).replace(tzinfo=_offset(offset, name, zone.key))


def _by_clocks(wall, key, fold):
    """Return the kind of time that applies at this clock time, even in hours that the clocks skip."""
    seconds, numbers, kinds = _changes[key]
    second = _seconds(wall, seconds)
    place = bisect_right(seconds, second - 172800)
    found = kinds[numbers[place - 1] if place else 0]
    while place < len(seconds):
        after = kinds[numbers[place]]
        ways = (found[0], after[0])
        if seconds[place] + (min(ways) if fold else max(ways)) > second:
            break
        found, place = after, place + 1
    return found


def placed(wall, zone, fold=0):
    """Return the moment at which the clocks of a zone show this."""
    found = _by_clocks(wall, zone.key, fold)
    return wall.replace(tzinfo=_offset(found[0], found[2], zone.key))


def _offset(seconds, name, key): return timezone(timedelta(seconds=seconds), f'{name}{_MARK}{key}')


def _parts(obj):
    """Return name and zone of a moment; None if it has no zone."""
    if not isinstance(obj, datetime) or obj.tzinfo is None:
        return None
    parts = obj.tzinfo.tzname(None).split(_MARK)
    return parts if len(parts) == 2 else None


def _fold(obj, key):
    """Return 1 if the clocks show this time for the second time."""
    wall = obj.replace(tzinfo=None)
    return 0 if _by_clocks(wall, key, 0)[0] == obj.utcoffset().total_seconds() else 1


def tzinfo_of(obj):
    parts = _parts(obj)
    return obj.tzinfo if parts is None else ZoneInfo(parts[1])


def name_of(obj, *moment):
    obj = placed(moment[0].replace(tzinfo=None), obj) if moment and isinstance(obj, ZoneInfo) else obj
    parts = _parts(obj)
    return obj.tzname(*moment) if parts is None else parts[0]


def dst_of(obj, *moment):
    obj = placed(moment[0].replace(tzinfo=None), obj) if moment and isinstance(obj, ZoneInfo) else obj
    parts = _parts(obj)
    if parts is None:
        return obj.dst(*moment)
    return timedelta(seconds=_by_clocks(obj.replace(tzinfo=None), parts[1], _fold(obj, parts[1]))[1])


def with_plain_name(obj):
    """Return the moment with its offset named as people see it."""
    parts = _parts(obj)
    return obj if parts is None else obj.replace(tzinfo=timezone(obj.utcoffset(), parts[0]))


def strftime(obj, format): return with_plain_name(obj).strftime(format)


def made(*args, tzinfo=None, **given):
    args, tzinfo = (args[:7], args[7]) if len(args) > 7 else (args, tzinfo)
    return placed(datetime(*args, **given), tzinfo) if isinstance(tzinfo, ZoneInfo) else datetime(*args, tzinfo=tzinfo, **given)


def now(obj, tz=None):
    if isinstance(tz, ZoneInfo):
        return local(datetime.now(timezone.utc).replace(tzinfo=None), tz)
    return obj.now() if tz is None else obj.now(tz)


def fromtimestamp(obj, timestamp, tz=None):
    moment = datetime_utcfromtimestamp(timestamp)
    if isinstance(tz, ZoneInfo):
        return local(moment, tz)
    return moment if tz is None else moment.replace(tzinfo=timezone.utc).astimezone(tz)


def combine(obj, date, time, tzinfo=None):
    if isinstance(tzinfo, ZoneInfo):
        return placed(datetime.combine(date, time.replace(tzinfo=None)), tzinfo)
    return datetime.combine(date, time) if tzinfo is None else datetime.combine(date, time).replace(tzinfo=tzinfo)


def astimezone(obj, tz=None):
    if isinstance(tz, ZoneInfo):
        return local(obj.astimezone(timezone.utc).replace(tzinfo=None), tz)
    return obj.astimezone() if tz is None else obj.astimezone(tz)


def replace(obj, *args, **given):
    parts = _parts(obj)
    if parts is None and not isinstance(given.get('tzinfo'), ZoneInfo):
        return obj.replace(*args, **given)
    zone = given.pop('tzinfo') if 'tzinfo' in given else tzinfo_of(obj)
    wall = obj.replace(tzinfo=None).replace(*args, **given)
    if not isinstance(zone, ZoneInfo):
        return wall.replace(tzinfo=zone)
    return placed(wall, zone, _fold(obj, parts[1]) if parts is not None else 0)


def plus(a, b):
    if isinstance(b, datetime) and isinstance(a, timedelta):
        a, b = b, a
    parts = _parts(a)
    return a + b if parts is None else placed(a.replace(tzinfo=None) + b, ZoneInfo(parts[1]))


def minus(a, b):
    parts = _parts(a)
    if parts is None:
        return a - b
    if not isinstance(b, datetime):
        return placed(a.replace(tzinfo=None) - b, ZoneInfo(parts[1]))
    others = _parts(b)
    # Within one zone Python compares clock times.
    same = others is not None and others[1] == parts[1]
    return a.replace(tzinfo=None) - b.replace(tzinfo=None) if same else a - b
