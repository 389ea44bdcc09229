"""Dates in every form, right and a little wrong, are read in the sandbox as CPython reads them."""

import random
from datetime import UTC, datetime, timedelta, timezone

import pytest

from tests.sandbox.guest_cases import in_python, in_sandbox

pytestmark = pytest.mark.anyio

_FORMS = [
    '%Y-%m-%d %H:%M:%S',
    '%d/%m/%y',
    '%b %d, %Y',
    '%A %d %B %Y',
    '%I:%M %p',
    '%Y%m%dT%H%M%S',
    '%Y-%j',
    '%H:%M:%S.%f',
    '%Y-%m-%dT%H:%M:%S%z',
    '%a %b %d %H:%M:%S %Y',
    '%G-W%V-%u',
    '%Y %U %w',
    '%d%m%Y',
    '%c',
    '%m %d',
]
_PROGRAM = """
from datetime import date, datetime, timezone
for text, form in CASES:
    try:
        print(repr(datetime.strptime(text, form)))
    except ValueError as error:
        print('no')
for text in TEXTS:
    try:
        print(repr(datetime.fromisoformat(text)))
    except ValueError as error:
        print('no')
for number in NUMBERS:
    print(repr(datetime.fromtimestamp(number, timezone.utc)), repr(datetime.fromtimestamp(number, timezone.utc).timetuple()[:9]))
"""


def _spoilt(text: str, chance: random.Random) -> str:
    place = chance.randrange(len(text))
    kinds = [
        text,
        text,
        text[:place] + text[place + 1 :],
        text + '1',
        text[:place] + chance.choice('0 9-Tx:') + text[place + 1 :],
    ]
    return chance.choice(kinds)


async def test_dates_are_read_as_in_python() -> None:
    chance = random.Random(5)
    moments = [datetime(1970, 1, 1) + timedelta(seconds=chance.randrange(3_000_000_000)) for _ in range(200)]
    zones = [None, UTC, timezone(timedelta(hours=5, minutes=30)), timezone(-timedelta(hours=8))]
    cases, texts = list[tuple[str, str]](), list[str]()
    for moment in moments:
        form = chance.choice(_FORMS)
        cases.append((_spoilt(moment.replace(tzinfo=UTC).strftime(form), chance), form))
        aware = moment.replace(tzinfo=chance.choice(zones), microsecond=chance.choice([0, 5, 500_000]))
        basic = chance.choice([aware.isoformat(), aware.strftime('%Y%m%dT%H%M%S'), aware.strftime('%G-W%V-%uT%H:%M')])
        texts.append(_spoilt(basic, chance))
    numbers = [chance.uniform(-1e9, 3e9) for _ in range(50)] + [0, 1.5, -0.5, 1e-6, 0.9999999]
    program = _PROGRAM.replace('CASES', repr(cases)).replace('TEXTS', repr(texts)).replace('NUMBERS', repr(numbers))
    python, (sandbox, _) = in_python([program])[0], await in_sandbox(program)
    assert (python.error, sandbox.error) == (None, None)
    compared = zip([*cases, *texts, *numbers], python.printed.split('\n'), sandbox.printed.split('\n'), strict=False)
    assert [(given, wanted, got) for given, wanted, got in compared if wanted != got] == []
