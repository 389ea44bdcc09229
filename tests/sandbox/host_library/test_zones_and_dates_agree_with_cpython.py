"""Moments in zones, and what Monty's dates lack, are as in CPython; in key functions too, where the host cannot be asked."""

import random
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pydantic_monty import AsyncMonty, MontyError

from tests.sandbox.host_library.polyfill_session import run
from toolscript_sandbox.host_library import HostLibrary

pytestmark = pytest.mark.anyio

KEYS = [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'Asia/Kolkata',
    'America/Sao_Paulo',
    'UTC',
]


@pytest.fixture(scope='module')
async def pool(anyio_backend: str) -> AsyncIterator[AsyncMonty]:
    """One worker."""
    async with AsyncMonty(max_processes=1) as made:
        yield made


def _shown(moment: datetime) -> list[Any]:
    return [str(moment), moment.tzname(), str(moment.dst()), moment.strftime('%H:%M %Z %z')]


_SHOWN = """
from datetime import datetime, timedelta, timezone
def shown(m):
    return [str(m), m.tzname(), str(m.dst()), m.strftime('%H:%M %Z %z')]
"""


def _moments(chance: random.Random, zone: ZoneInfo) -> list[datetime]:
    """In UTC, without saying so: many near changes of the clocks."""
    found = [datetime(1850, 1, 1) + timedelta(seconds=chance.randrange(17_000_000_000)) for _ in range(60)]
    for year in (1979, 2020, 2024, 2037, 2099, 2100, 2150, 2399):
        day = datetime(year, 1, 2, tzinfo=UTC)
        for _ in range(364):
            day += timedelta(days=1)
            if day.astimezone(zone).utcoffset() != (day - timedelta(days=1)).astimezone(zone).utcoffset():
                found += [(day - timedelta(minutes=chance.randrange(1440))).replace(tzinfo=None) for _ in range(4)]
                found += [(day - timedelta(minutes=15 * step)).replace(tzinfo=None) for step in range(0, 97, 6)]
    return found


@pytest.mark.parametrize('key', KEYS)
async def test_a_moment_in_a_zone_is_as_in_cpython(library: HostLibrary, pool: AsyncMonty, key: str) -> None:
    zone = ZoneInfo(key)
    moments = _moments(random.Random(key), zone)
    program = (
        f'{_SHOWN}z = zoneinfo.ZoneInfo({key!r})\n'
        'out = []\n'
        'for text in TEXTS:\n'
        '    m = datetime.fromisoformat(text)\n'
        '    wall = m.replace(tzinfo=z)\n'
        '    there = m.replace(tzinfo=timezone.utc).astimezone(z)\n'
        '    out.append([shown(there), shown(wall), shown(wall + timedelta(hours=25)),\n'
        '        str(there - wall), shown(wall.replace(hour=3)), str(wall - m.replace(tzinfo=timezone.utc))])\n'
        'out'
    )
    texts = [moment.isoformat() for moment in moments]
    found = await run(library, pool, 'zoneinfo', program.replace('TEXTS', repr(texts)))
    for moment, one in zip(moments, found, strict=True):
        wall, there = moment.replace(tzinfo=zone), moment.replace(tzinfo=UTC).astimezone(zone)
        more = [str(there - wall), _shown(wall.replace(hour=3)), str(wall - moment.replace(tzinfo=UTC))]
        assert one == [_shown(there), _shown(wall), _shown(wall + timedelta(hours=25)), *more], moment


async def test_zones_are_asked_in_key_functions(library: HostLibrary, pool: AsyncMonty) -> None:
    program = (
        f'{_SHOWN}z = zoneinfo.ZoneInfo("Asia/Tokyo")\nms = [datetime(2024, 1, 1, hour, tzinfo=timezone.utc) for hour in (14, 16)]\n'
        '[m.hour for m in sorted(ms, key=lambda m: m.astimezone(z).hour)]'
    )
    assert await run(library, pool, 'zoneinfo', program) == [16, 14]


async def test_unknown_zones_are_errors(library: HostLibrary, pool: AsyncMonty) -> None:
    with pytest.raises(MontyError, match='No time zone found with key Nope'):
        await run(library, pool, 'zoneinfo', 'zoneinfo.ZoneInfo("Nope")')
    program = f'{_SHOWN}zoneinfo.ZoneInfo("UTC")\n"Europe/Berlin" in zoneinfo.available_timezones()'
    assert await run(library, pool, 'zoneinfo', program) is True


_CALLS = [
    'datetime.fromisoformat("20240102T030405Z")',
    'datetime.fromisoformat("2024-01-02 03:04:05")',
    'date.fromisoformat("2024-W01-1")',
    'date.fromisoformat("2024-01-32")',
    'datetime.fromisoformat("yesterday")',
    'date.fromisocalendar(2024, 1, 1)',
    'date.fromordinal(738000)',
    'datetime.strptime("2 Jan 24 10:11 PM +0130", "%d %b %y %I:%M %p %z")',
    'datetime.strptime("2024-01-02", "%Y-%m-%d")',
    'datetime.strptime("2024-1-2", "%Y-%m-%d")',
    'datetime.strptime("2024-13-02", "%Y-%m-%d")',
    'datetime.strptime("2024-02-30 11:12:13", "%Y-%m-%d %H:%M:%S")',
    'datetime.strptime("2024", "%Y")',
    'datetime.strptime("x", "%Y-%m-%d")',
]


@pytest.mark.parametrize('call', _CALLS)
async def test_dates_are_read_as_in_cpython(library: HostLibrary, pool: AsyncMonty, call: str) -> None:
    try:
        expected = eval(call, {'datetime': datetime, 'date': date})
    except ValueError:
        expected = 'ValueError'
    try:
        found = await run(library, pool, 'datetime', f'from datetime import date, datetime\n{call}')
    except MontyError as error:
        found = type(error.exception()).__name__
    assert found == expected


async def test_frequent_formats_are_read_in_key_functions(library: HostLibrary, pool: AsyncMonty) -> None:
    program = 'sorted(["02/01/2024", "01/03/2023"], key=lambda text: datetime.datetime.strptime(text, "%d/%m/%Y"))'
    assert await run(library, pool, 'datetime', program) == ['01/03/2023', '02/01/2024']
