"""Zones of time: a moment in one has a fixed offset that is named after its zone, and keeps its rules by that name.

Monty knows offsets only. So what Python's `datetime` asks its zone is asked by the functions here, in whose place rules
put them: they find the zone by the name of the offset ('CEST\x1fEurope/Berlin\x1f0': name, zone, fold). When the
offsets of a zone change the host knows (`_zone__(key, year)`), by its own `zoneinfo`.
"""

from datetime import datetime, timedelta, timezone

ZoneInfoNotFoundError = KeyError

_known = {}
_changes = {}
_EPOCH = datetime(1970, 1, 1)
_MARK = '\x1f'


class ZoneInfo:
    def __init__(self, key):
        if key not in _known:
            _known[key] = True
            try:
                _changes_of(key, 2000)
            except (KeyError, ValueError, TypeError):
                _known.pop(key)
                raise
        self.key = key

    def __eq__(self, other):
        return isinstance(other, ZoneInfo) and self.key == other.key

    def __hash__(self):
        return hash(self.key)

    def __str__(self):
        return self.key

    def __repr__(self):
        return f'zoneinfo.ZoneInfo(key={self.key!r})'

    def utcoffset(self, dt, /):
        return None if dt is None else placed(dt.replace(tzinfo=None), self, _fold_of(dt)).utcoffset()

    def tzname(self, dt, /):
        return None if dt is None else name_of(placed(dt.replace(tzinfo=None), self, _fold_of(dt)))

    def dst(self, dt, /):
        return None if dt is None else dst_of(placed(dt.replace(tzinfo=None), self, _fold_of(dt)))


def available_timezones():
    return set(_zone__())


def _changes_of(key, year):
    # Each as [second, offset, summer time, name]: first what held before all others.
    if (key, year) not in _changes:
        _changes[key, year] = _zone__(key, year)
    return _changes[key, year]


def _seconds(wall):
    gap = wall - _EPOCH
    return gap.days * 86400 + gap.seconds


def _at(moment, key):
    """What holds at a moment in UTC, and whether the clock shows it for the second time."""
    second, before = _seconds(moment), None
    changes = _changes_of(key, moment.year)
    found = changes[0]
    for change in changes[1:]:
        if change[0] <= second:
            before, found = found, change
    fold = before is not None and found[1] < before[1] and second - found[0] < before[1] - found[1]
    return found, 1 if fold else 0


def local(moment, zone):
    """The moment, given in UTC without saying so, in a zone."""
    (_, offset, _, name), fold = _at(moment, zone.key)
    return (moment + timedelta(seconds=offset)).replace(tzinfo=_offset(offset, name, zone.key, fold))


def placed(wall, zone, fold=0):
    """What the clocks of a zone show."""
    found = _by_clocks(wall, zone.key, fold)
    return wall.replace(tzinfo=_offset(found[1], found[3], zone.key, fold))


def _by_clocks(wall, key, fold):
    """What holds where the clocks show this, in hours that no clock shows too."""
    second = _seconds(wall)
    changes = _changes_of(key, wall.year)
    found = changes[0]
    for change in changes[1:]:
        ways = (found[1], change[1])
        if change[0] + (min(ways) if fold else max(ways)) <= second:
            found = change
    return found


def _offset(seconds, name, key, fold):
    return timezone(timedelta(seconds=seconds), f'{name}{_MARK}{key}{_MARK}{fold}')


def _parts(obj):
    """Name, zone and fold of a moment; None where it has no zone."""
    if not isinstance(obj, datetime) or obj.tzinfo is None:
        return None
    parts = obj.tzinfo.tzname(None).split(_MARK)
    return parts if len(parts) == 3 else None


def _fold_of(obj):
    parts = _parts(obj)
    return 0 if parts is None else int(parts[2])


def tzinfo_of(obj):
    parts = _parts(obj)
    return obj.tzinfo if parts is None else ZoneInfo(parts[1])


def fold_of(obj):
    return _fold_of(obj) if isinstance(obj, datetime) else obj.fold


def name_of(obj):
    parts = _parts(obj)
    return obj.tzname() if parts is None else parts[0]


def dst_of(obj):
    parts = _parts(obj)
    if parts is None:
        return obj.dst()
    return timedelta(seconds=_by_clocks(obj.replace(tzinfo=None), parts[1], int(parts[2]))[2])


def shown(obj):
    """The moment with an offset that is named as people name it."""
    parts = _parts(obj)
    return obj if parts is None else obj.replace(tzinfo=timezone(obj.utcoffset(), parts[0]))


def strftime(obj, format):
    return _date_methods_strftime(shown(obj), format)


def timetuple(obj):
    if _parts(obj) is None:
        return _date_methods_timetuple(obj)
    return _date_methods_timetuple(obj, 1 if dst_of(obj) else 0)


def made(*args, tzinfo=None, fold=0, **given):
    args, tzinfo = (args[:7], args[7]) if len(args) > 7 else (args, tzinfo)
    if isinstance(tzinfo, ZoneInfo):
        return placed(datetime(*args, **given), tzinfo, fold)
    return datetime(*args, tzinfo=tzinfo, **given)


def now(obj, tz=None):
    if isinstance(tz, ZoneInfo):
        return local(datetime.now(timezone.utc).replace(tzinfo=None), tz)
    return obj.now() if tz is None else obj.now(tz)


def fromtimestamp(obj, timestamp, tz=None):
    if isinstance(tz, ZoneInfo):
        return local(_date_methods_fromtimestamp(obj, timestamp, timezone.utc).replace(tzinfo=None), tz)
    return _date_methods_fromtimestamp(obj, timestamp, tz)


def combine(obj, date, time, tzinfo=None):
    if isinstance(tzinfo, ZoneInfo):
        return placed(_date_methods_combine(obj, date, time.replace(tzinfo=None)), tzinfo)
    return _date_methods_combine(obj, date, time, tzinfo)


def astimezone(obj, tz=None):
    if isinstance(tz, ZoneInfo):
        return local(obj.astimezone(timezone.utc).replace(tzinfo=None), tz)
    return obj.astimezone() if tz is None else obj.astimezone(tz)


_PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second', 'microsecond', 'tzinfo']


def replace(obj, *args, **given):
    if not isinstance(obj, datetime):
        return obj.replace(*args, **given)
    given = {**dict(zip(_PARTS, args)), **given}
    zone = given.pop('tzinfo', tzinfo_of(obj))
    fold = given.pop('fold', _fold_of(obj))
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


def increased(a, b):
    if _parts(a) is not None:
        return plus(a, b)
    a += b
    return a


def decreased(a, b):
    if _parts(a) is not None:
        return minus(a, b)
    a -= b
    return a


def text_of(obj):
    """The text of what holds moments, with their zones as Python shows them."""
    if isinstance(obj, (str, int, float)):
        return obj
    text = str(obj)
    return _told(text) if '\\x1f' in text else obj


def repr_of(obj):
    text = repr(obj)
    return _told(text) if '\\x1f' in text and not isinstance(obj, str) else text


def _told(text):
    told, _, rest = text.partition('tzinfo=datetime.timezone(datetime.timedelta(')
    while rest:
        inner, _, rest = rest.partition(')')
        if '\\x1f' not in rest.partition(')')[0]:
            told += f'tzinfo=datetime.timezone(datetime.timedelta({inner})'
        else:
            marked, _, rest = rest.partition(')')
            _, key, fold = marked.strip(', \'"').split('\\x1f')
            told += f'{"fold=1, " if fold == "1" else ""}tzinfo=zoneinfo.ZoneInfo(key={key!r})'
        before, _, rest = rest.partition('tzinfo=datetime.timezone(datetime.timedelta(')
        told += before
    return told
