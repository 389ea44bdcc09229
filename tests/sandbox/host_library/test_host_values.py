"""Values survive the round trip, and functions and zones agree with CPython."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sandbox.case_files import FOLDER, in_python, in_sandbox
from toolscript_sandbox.host_library import HostLibrary, HostLibraryError
from toolscript_sandbox.host_library.table import functions
from toolscript_sandbox.host_library.values import ValueTooLarge, dumped, loaded
from toolscript_sandbox.language.dialect import MODULES

_ZONES = st.sampled_from([None, UTC, timezone(timedelta(hours=2)), timezone(timedelta(minutes=-90), 'x\x1fy')])
_KEYS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.binary()
    | st.dates()
    | st.timedeltas()
    | st.decimals(allow_nan=False)
)
_SCALARS = (
    _KEYS
    | st.floats(allow_nan=False)
    | st.complex_numbers(allow_nan=False)
    | st.datetimes(timezones=_ZONES).map(lambda moment: moment.replace(fold=0))
    | st.times(timezones=_ZONES).map(lambda clock: clock.replace(fold=0))
    | _ZONES
)


def _more(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    lists, dicts = st.lists(inner), st.dictionaries(_KEYS, inner)
    return lists | lists.map(tuple) | dicts


@given(st.recursive(_SCALARS, _more))
def test_a_plain_value_survives_the_round_trip(value: object) -> None:
    back = loaded(dumped(value, 1 << 20))
    assert (type(back), back, repr(back)) == (type(value), value, repr(value))


@given(st.sets(_KEYS) | st.frozensets(_KEYS))
def test_sets_survive_the_round_trip(value: object) -> None:
    back = loaded(dumped(value, 1 << 20))
    assert (type(back), back) == (type(value), value)


def test_nan_survives_the_round_trip() -> None:
    assert repr(loaded(dumped([float('nan'), float('-inf'), -0.0], 100))) == '[nan, -inf, -0.0]'


def test_a_dict_of_the_script_is_never_mistaken_for_a_tag() -> None:
    values = [{'t': [1]}, {'d': [['a', 1]]}, {'i': 'ff', 'x': 1}, {}]
    assert loaded(dumped(values, 1000)) == values


@pytest.mark.parametrize('value', [object(), print, range(3), bytearray(b'x'), type, [lambda: 1]])
def test_a_value_that_is_not_plain_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match='is not a plain value'):
        dumped(value, 1000)


@pytest.mark.parametrize(
    'value', ['a' * 1001, b'a' * 1001, [0] * 1001, 1 << 5000, {'a': ['x' * 600, 'y' * 600]}, ['é' * 900]]
)
def test_values_above_the_limit_are_refused(value: object) -> None:
    with pytest.raises(ValueTooLarge, match='the values take more than 1,000 bytes'):
        dumped(value, 1000)


class _Counted(list[Any]):
    """A list that counts how many times it is walked."""

    walks = 0

    def __iter__(self) -> Iterator[Any]:
        self.walks += 1
        return super().__iter__()


@pytest.mark.parametrize('inner', [_Counted(), _Counted([0] * 10), _Counted([''] * 10), _Counted([b''] * 10)])
def test_a_value_that_holds_a_list_many_times_is_walked_as_long_as_it_is_small(inner: _Counted) -> None:
    value: list[Any] = inner
    for _ in range(90):
        value = [value, value]
    with pytest.raises(ValueTooLarge, match='the values take more than 10,000 bytes'):
        dumped(value, 10_000)
    assert inner.walks <= 10_000 / 32


def test_datetimes_without_a_fixed_offset_are_refused() -> None:
    class Zone(timezone.__base__):  # pyright: ignore
        """A time zone without a fixed offset."""

    with pytest.raises(TypeError, match='Zone is not a plain value'):
        dumped(datetime(2024, 1, 1, tzinfo=Zone()), 1000)


def test_each_function_that_scripts_may_name_is_tried() -> None:
    tried = '\n'.join(file.read_text() for file in FOLDER.glob('*.txt'))
    offered = {f'{module}.{name}' for module in MODULES for name in MODULES[module].providers}
    assert {name for name in functions.keys() & offered if name.rpartition('.')[2] not in tried} == set()


async def test_wrong_arguments_raise_as_in_cpython(library: HostLibrary) -> None:
    with pytest.raises(HostLibraryError) as caught:
        await library.call('html.unescape', [], {}, seconds=60)
    assert (caught.value.kind, caught.value.message) == (
        'TypeError',
        "unescape() missing 1 required positional argument: 's'",
    )


async def test_zones_are_listed_and_unknown_ones_refused(library: HostLibrary) -> None:
    assert await library.call('zoneinfo.available_timezones', [], {}, seconds=60) == available_timezones()
    for key in ('Nope/Nope', '../../../etc/passwd', '/etc/passwd', 'tzdata.zi', '', 3, ['UTC']):
        with pytest.raises(HostLibraryError, match='No time zone found with key'):
            await library.call('zoneinfo.changes', [key], {}, seconds=60)


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
    """UTC times without a zone, near many clock changes."""
    found = [datetime(1850, 1, 1) + timedelta(seconds=chance.randrange(17_000_000_000)) for _ in range(60)]
    for year in (1979, 2024, 2037, 2100, 2399):
        day = datetime(year, 1, 2, tzinfo=UTC)
        for _ in range(364):
            day += timedelta(days=1)
            if day.astimezone(zone).utcoffset() != (day - timedelta(days=1)).astimezone(zone).utcoffset():
                found += [(day - timedelta(minutes=15 * step)).replace(tzinfo=None) for step in range(0, 97, 6)]
    return [moment.isoformat() for moment in found]


@pytest.mark.parametrize('key', KEYS)
async def test_a_datetime_in_a_zone_is_as_in_cpython(key: str) -> None:
    texts = _moments(random.Random(key), ZoneInfo(key))
    program = _PROGRAM.replace('KEY', key).replace('TEXTS', repr(texts))
    sandbox, _ = await in_sandbox(program)
    assert (sandbox.error, sandbox.stdout) == (None, in_python([program])[0].stdout)


async def test_unknown_zones_are_errors() -> None:
    sandbox, _ = await in_sandbox('from zoneinfo import ZoneInfo\nZoneInfo("Nope")')
    assert sandbox.error is not None
    assert 'No time zone found with key Nope' in sandbox.error[1]
