"""Moments in zones are as in CPython; in key functions too, where the host cannot be asked."""

import random
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from tests.sandbox.guest_cases import in_python, in_sandbox

pytestmark = pytest.mark.anyio

KEYS = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Asia/Kolkata', 'UTC']
_PROGRAM = """
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo
def shown(m):
    return [str(m), m.tzname(), str(m.dst()), m.strftime('%H:%M %Z %z')]
z = ZoneInfo('KEY')
for text in TEXTS:
    m = datetime.fromisoformat(text).replace(tzinfo=timezone.utc)
    there, wall = m.astimezone(z), datetime.fromisoformat(text).replace(tzinfo=z)
    print([shown(there), shown(wall), shown(wall + timedelta(hours=25)), str(there - wall), shown(wall.replace(hour=3)), str(wall - m)])
print([m.hour for m in sorted([datetime(2024, 1, 1, hour, tzinfo=timezone.utc) for hour in range(24)], key=lambda m: m.astimezone(z).hour)])
"""


def _moments(chance: random.Random, zone: ZoneInfo) -> list[str]:
    """In UTC, without saying so: many near changes of the clocks."""
    found = [datetime(1850, 1, 1) + timedelta(seconds=chance.randrange(17_000_000_000)) for _ in range(60)]
    for year in (1979, 2024, 2037, 2100, 2399):
        day = datetime(year, 1, 2, tzinfo=UTC)
        for _ in range(364):
            day += timedelta(days=1)
            if day.astimezone(zone).utcoffset() != (day - timedelta(days=1)).astimezone(zone).utcoffset():
                found += [(day - timedelta(minutes=15 * step)).replace(tzinfo=None) for step in range(0, 97, 6)]
    return [moment.isoformat() for moment in found]


@pytest.mark.parametrize('key', KEYS)
async def test_a_moment_in_a_zone_is_as_in_cpython(key: str) -> None:
    texts = _moments(random.Random(key), ZoneInfo(key))
    program = _PROGRAM.replace('KEY', key).replace('TEXTS', repr(texts))
    sandbox, _ = await in_sandbox(program)
    assert (sandbox.error, sandbox.stdout) == (None, in_python([program])[0].stdout)


async def test_unknown_zones_are_errors() -> None:
    sandbox, _ = await in_sandbox('from zoneinfo import ZoneInfo\nZoneInfo("Nope")')
    assert sandbox.error is not None
    assert 'No time zone found with key Nope' in sandbox.error[1]
