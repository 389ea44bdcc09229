"""What crosses to the host library and back is the same value of the same type."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolscript_sandbox.host_library.values import TooLarge, dumped, loaded

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
def test_a_plain_value_comes_back_as_it_was(value: object) -> None:
    back = loaded(dumped(value, 1 << 20))
    assert (type(back), back, repr(back)) == (type(value), value, repr(value))


@given(st.sets(_KEYS) | st.frozensets(_KEYS))
def test_sets_come_back_as_they_were(value: object) -> None:
    back = loaded(dumped(value, 1 << 20))
    assert (type(back), back) == (type(value), value)


def test_not_a_number_crosses() -> None:
    assert repr(loaded(dumped([float('nan'), float('-inf'), -0.0], 100))) == '[nan, -inf, -0.0]'


def test_a_dict_of_the_script_is_never_taken_for_a_tag() -> None:
    values = [{'t': [1]}, {'d': [['a', 1]]}, {'i': 'ff', 'x': 1}, {}]
    assert loaded(dumped(values, 1000)) == values


@pytest.mark.parametrize('value', [object(), print, range(3), bytearray(b'x'), type, [lambda: 1]])
def test_what_is_no_plain_value_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match='is no plain value'):
        dumped(value, 1000)


@pytest.mark.parametrize(
    'value', ['a' * 1001, b'a' * 1001, [0] * 1001, 1 << 5000, {'a': ['x' * 600, 'y' * 600]}, ['é' * 900]]
)
def test_values_above_the_limit_are_refused(value: object) -> None:
    with pytest.raises(TooLarge, match='the values take more than 1,000 bytes'):
        dumped(value, 1000)


def test_deep_values_and_circles_are_refused() -> None:
    circle: list[Any] = []
    circle.append(circle)
    with pytest.raises(TooLarge, match='nested more than 100 levels deep'):
        dumped(circle, 1000)


def test_moments_without_a_fixed_offset_are_refused() -> None:
    class Zone(timezone.__base__):  # pyright: ignore
        """No fixed offset."""

    with pytest.raises(TypeError, match='Zone is no plain value'):
        dumped(datetime(2024, 1, 1, tzinfo=Zone()), 1000)
