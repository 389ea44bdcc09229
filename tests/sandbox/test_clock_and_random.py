"""Scripts see the clock and random numbers of the machine, or given ones if they may be replayed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from inline_snapshot import snapshot

from tests.sandbox.outcomes import completed, resume_script, run_script
from tests.sandbox.tables import table
from toolscript_sandbox import Call, Deferred, FrozenClock, Sandbox

NEW_YEAR = FrozenClock(datetime(2024, 1, 1, 12, 30, tzinfo=UTC), b'a seed')
EVERY_CLOCK = """
import time
from datetime import date, datetime, timezone
from zoneinfo import ZoneInfo
[datetime.now(), datetime.now(timezone.utc), datetime.now(ZoneInfo('Asia/Tokyo')), date.today(), datetime.utcnow(),
 time.time(), time.monotonic(), time.perf_counter(), time.time_ns(), time.strftime('%Y-%m-%d %H:%M'), time.ctime(),
 list(time.gmtime())[:5], sorted([2, 1], key=lambda n: n * time.time())]
"""
EVERY_CHANCE = """
import random, uuid
[random.random(), random.randint(1, 10**9), random.Random().random(), random.Random().random(), uuid.uuid4().hex,
 str(uuid.uuid4()), random.sample(range(1000), 5), sorted(range(1000), key=lambda n: random.random())[:5]]
"""


ASK = table('async def ask(n: int) -> int: ...')


async def answer(call: Call) -> int:
    return 1


async def run(code: str, frozen_clock: FrozenClock | None) -> Any:
    return completed(await run_script(code, ASK, answer, frozen_clock=frozen_clock)).value


async def test_all_clocks_of_a_replayable_script_show_its_moment() -> None:
    assert await run(EVERY_CLOCK, NEW_YEAR) == snapshot(
        [
            '2024-01-01T12:30:00',
            '2024-01-01T12:30:00+00:00',
            '2024-01-01T21:30:00+09:00',
            '2024-01-01',
            '2024-01-01T12:30:00',
            1704112200.0,
            1704112200.0,
            1704112200.0,
            1704112200000000000,
            '2024-01-01 12:30',
            'Mon Jan  1 12:30:00 2024',
            [2024, 1, 1, 12, 30],
            [1, 2],
        ]
    )


async def test_the_same_seed_gives_the_same_random_numbers() -> None:
    first, again = await run(EVERY_CHANCE, NEW_YEAR), await run(EVERY_CHANCE, NEW_YEAR)
    other = await run(EVERY_CHANCE, FrozenClock(NEW_YEAR.moment, b'another seed'))
    assert first == again
    assert not any(one == another for one, another in zip(first, other, strict=True))
    assert len({str(value) for value in first}) == len(first)


async def test_otherwise_time_passes_and_random_numbers_are_new() -> None:
    began = datetime.now(UTC).timestamp()
    code = 'import time\nticks = time.monotonic()\nx = [ask(n=1) for _ in range(3)]\nfor y in x:\n    await y\n'
    then, passed = await run(f'{code}[time.time(), time.monotonic() - ticks]', None)
    assert began <= then <= datetime.now(UTC).timestamp()
    assert passed > 0
    first, second = [await run(EVERY_CHANCE, None) for _ in range(2)]
    assert not any(one == another for one, another in zip(first, second, strict=True))


async def test_a_paused_script_continues_with_its_clock_and_random_state() -> None:
    code = """
import random, time
before = [time.time(), random.random()]
await ask(n=1)
[before, time.time(), random.random(), random.Random().random()]
"""

    async def wait(call: Call) -> int:
        raise Deferred

    outcome = await run_script(code, ASK, wait, frozen_clock=NEW_YEAR)
    resumed = completed(await resume_script(outcome, ASK, answer, frozen_clock=NEW_YEAR))
    assert resumed.value == await run(code, NEW_YEAR)


async def test_scripts_of_one_session_share_its_moment_and_random_state() -> None:
    async def values() -> list[Any]:
        code = 'import random, time\n[time.time(), random.random()]'
        async with Sandbox.shared().session(frozen_clock=NEW_YEAR) as session:
            return [completed(await session.run(code, ASK, answer)).value for _ in range(2)]

    (then, first), (later, second) = await values()
    assert then == later == NEW_YEAR.moment.timestamp()
    assert first != second
    assert await values() == [[then, first], [later, second]]


def test_a_moment_without_a_time_zone_is_refused() -> None:
    with pytest.raises(ValueError, match='has no time zone'):
        FrozenClock(datetime(2024, 1, 1), b'')
