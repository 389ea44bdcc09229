"""Zones of time, over a table of changes that the host gives once per zone.

Monty knows fixed offsets only. So a moment in a zone has the offset that holds then, named after its zone
('CEST\\x1fEurope/Berlin\\x1f0': name, zone, fold), and what Python's `datetime` asks its zone is asked by the functions
here, in whose place the dialect puts them. Only `ZoneInfo(key)` and `available_timezones()` ask the host.
"""

from bisect import bisect_right
from datetime import date, datetime, timedelta, timezone

from .datetime import datetime_utcfromtimestamp

ZoneInfoNotFoundError = KeyError
_changes = {}
_EPOCH = datetime(1970, 1, 1)
_MARK = '\x1f'
_PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second', 'microsecond', 'tzinfo']


class ZoneInfo:
    def __init__(self, key):
        if key not in _changes:
            _changes[key] = _host__('zoneinfo.changes', key)
        self.key = key

    def __eq__(self, other): return isinstance(other, ZoneInfo) and self.key == other.key
    def __hash__(self): return hash(self.key)
    def __str__(self): return self.key
    def __repr__(self): return f'zoneinfo.ZoneInfo(key={self.key!r})'
    def utcoffset(self, dt, /): return None if dt is None else placed(dt.replace(tzinfo=None), self, fold_of(dt)).utcoffset()
    def tzname(self, dt, /): return None if dt is None else name_of(placed(dt.replace(tzinfo=None), self, fold_of(dt)))
    def dst(self, dt, /): return None if dt is None else dst_of(placed(dt.replace(tzinfo=None), self, fold_of(dt)))


def load(*keys):
    """Zones that a script names, before it needs them."""
    for key in keys:
        try:
            ZoneInfo(key)
        except Exception:
            pass


def available_timezones(): return set(_host__('zoneinfo.available_timezones'))


def _seconds(wall, seconds):
    """Since 1970. Later than the table knows, in an earlier year with the same calendar, where its clocks change up to its end."""
    year = wall.year
    if year > 2099 and seconds and seconds[-1] > 4070908800:
        leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        alike = [y for y in range(2071, 2099) if (y % 4 == 0) == leap and date(y, 1, 1).weekday() == date(year, 1, 1).weekday()]
        wall = wall.replace(year=alike[0])
    gap = wall - _EPOCH
    return gap.days * 86400 + gap.seconds


def local(moment, zone):
    """The moment, given in UTC without an offset, in a zone."""
    seconds, numbers, kinds = _changes[zone.key]
    second = _seconds(moment, seconds)
    place = bisect_right(seconds, second)
    offset, _, name = kinds[numbers[place - 1] if place else 0]
    before = kinds[numbers[place - 2] if place > 1 else 0][0]
    fold = 1 if place and offset < before and second - seconds[place - 1] < before - offset else 0
    return (moment + timedelta(seconds=offset)).replace(tzinfo=_offset(offset, name, zone.key, fold))


def _by_clocks(wall, key, fold):
    """The kind that holds where the clocks show this, in hours that no clock shows too."""
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
    """What the clocks of a zone show."""
    found = _by_clocks(wall, zone.key, fold)
    return wall.replace(tzinfo=_offset(found[0], found[2], zone.key, fold))


def _offset(seconds, name, key, fold): return timezone(timedelta(seconds=seconds), f'{name}{_MARK}{key}{_MARK}{fold}')


def _parts(obj):
    """Name, zone and fold of a moment; None where it has no zone."""
    if not isinstance(obj, datetime) or obj.tzinfo is None:
        return None
    parts = obj.tzinfo.tzname(None).split(_MARK)
    return parts if len(parts) == 3 else None


def fold_of(obj):
    parts = _parts(obj)
    return 0 if parts is None else int(parts[2])


def tzinfo_of(obj):
    parts = _parts(obj)
    return obj.tzinfo if parts is None else ZoneInfo(parts[1])


def name_of(obj, *moment):
    if moment:
        return obj.tzname(*moment)
    parts = _parts(obj)
    return obj.tzname() if parts is None else parts[0]


def dst_of(obj):
    parts = _parts(obj)
    return obj.dst() if parts is None else timedelta(seconds=_by_clocks(obj.replace(tzinfo=None), parts[1], int(parts[2]))[1])


def with_plain_name(obj):
    """The moment with an offset that has the name that people see."""
    parts = _parts(obj)
    return obj if parts is None else obj.replace(tzinfo=timezone(obj.utcoffset(), parts[0]))


def strftime(obj, format): return with_plain_name(obj).strftime(format)


def made(*args, tzinfo=None, fold=0, **given):
    args, tzinfo = (args[:7], args[7]) if len(args) > 7 else (args, tzinfo)
    return placed(datetime(*args, **given), tzinfo, fold) if isinstance(tzinfo, ZoneInfo) else datetime(*args, tzinfo=tzinfo, **given)


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
    if not isinstance(obj, datetime):
        return obj.replace(*args, **given)
    given = {**dict(zip(_PARTS, args)), **given}
    zone, fold = given.pop('tzinfo', tzinfo_of(obj)), given.pop('fold', fold_of(obj))
    wall = obj.replace(tzinfo=None).replace(**given)
    return placed(wall, zone, fold) if isinstance(zone, ZoneInfo) else wall.replace(tzinfo=zone)


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
    # In one zone Python compares what the clocks show.
    same = others is not None and others[1] == parts[1]
    return a.replace(tzinfo=None) - b.replace(tzinfo=None) if same else a - b


def text_of(obj): return obj if isinstance(obj, str) else _with_zones(str(obj))


def _with_zones(text):
    head = 'tzinfo=datetime.timezone(datetime.timedelta('
    first, *rest = text.split(head)
    for part in rest:
        inner, _, after = part.partition('), ')
        marked, _, after = after.partition(')')
        if marked.count('\\x1f') == 2 and marked.strip('\'"') and ')' not in inner:
            _, key, fold = marked.strip('\'"').split('\\x1f')
            first += f'{"fold=1, " if fold == "1" else ""}tzinfo=zoneinfo.ZoneInfo(key={key!r}){after}'
        else:
            first += head + part
    return first
