"""When the clocks of a zone change: what the guest's `zoneinfo` asks of the host, by Python's own `zoneinfo`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import MAXYEAR, MINYEAR, UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from .protocol import Raised, Returned

ZONE = '_zone__'
"""What the guest calls."""

Change: TypeAlias = list[Any]
"""Second since 1970 in UTC, offset in seconds, seconds of summer time in it, name."""


def zone_answer(args: Sequence[Any]) -> Returned | Raised:
    """What to resume a call of the guest with."""
    match args:
        case ():
            return Returned(sorted(available_timezones()))
        case (str(key), int(year)):
            return _answer(key, year)
        case _:
            return Raised('TypeError', 'the key of a zone is a text')


def _answer(key: str, year: int) -> Returned | Raised:
    try:
        return Returned(changes(key, min(max(year, MINYEAR), MAXYEAR)))
    except ValueError as error:
        return Raised('ValueError', str(error))
    except (ZoneInfoNotFoundError, OSError):
        return Raised('KeyError', f'No time zone found with key {key}')


@lru_cache(maxsize=1024)
def changes(key: str, year: int) -> list[Change]:
    """What held some days before the year, and each change from there to some days after it.

    Only what is public of `zoneinfo` is asked: whether half a day later something else holds, and since when.
    """
    zone = ZoneInfo(key)
    start = datetime(year, 1, 1, tzinfo=UTC)
    first = start - _MARGIN if year > MINYEAR + 1 else datetime(MINYEAR, 1, 3, tzinfo=UTC)
    last = start + _YEAR if year < MAXYEAR - 1 else datetime(MAXYEAR, 12, 29, tzinfo=UTC)
    found, known = [_change(first, zone)], first
    while known < last:
        later = known + _STEP
        if _held(later, zone) != found[-1][1:]:
            found.append(_change(_since(known, later, zone), zone))
        known = later
    return found


def _since(before: datetime, after: datetime, zone: ZoneInfo) -> datetime:
    old = _held(before, zone)
    while after - before > _SECOND:
        middle = before + (after - before) // 2
        middle = middle.replace(microsecond=0)
        before, after = (middle, after) if _held(middle, zone) == old else (before, middle)
    return after


def _change(moment: datetime, zone: ZoneInfo) -> Change:
    return [int((moment - _EPOCH) // _SECOND), *_held(moment, zone)]


def _held(moment: datetime, zone: ZoneInfo) -> list[Any]:
    local = moment.astimezone(zone)
    offset, summer = local.utcoffset(), local.dst()
    return [int((offset or _NOTHING) // _SECOND), int((summer or _NOTHING) // _SECOND), local.tzname()]


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NOTHING, _SECOND, _STEP = timedelta(), timedelta(seconds=1), timedelta(hours=12)
_MARGIN, _YEAR = timedelta(days=3), timedelta(days=369)
