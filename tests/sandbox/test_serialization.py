"""Every result can be written as JSON, and shown within a bound."""

import datetime
import json
import tracemalloc
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from tests.corpus.table import TABLE, answer
from tests.sandbox.outcomes import completed, failed, run_script
from tests.sandbox.tables import table
from toolscript_sandbox import Call, Sandbox, Serialized, serialize, to_json, truncate
from toolscript_sandbox.serialization.serialize import TooLarge, convert, convert_async
from toolscript_sandbox.serialization.sizes import sizes_of

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@dataclass
class Point:
    x: int


class Unspeakable:
    def __str__(self) -> str:
        raise RuntimeError('no')


@given(_JSON, st.integers(0, 3000), st.none() | st.just('result_1'))
def test_a_preview_of_a_value_keeps_within_its_bound(value: Any, bound: int, name: str | None) -> None:
    assert len(truncate(to_json(value), max_chars=bound, name=name)) <= max(bound, 0)


PLAIN: list[tuple[Any, Any]] = [
    ((1, 2), [1, 2]),
    (set('hgfedcba'), [*'abcdefgh']),
    (b'\xff', '/w=='),
    ({1: 'a', '1': 'b', (1, 2): 'c', None: 'd'}, {'1': 'a', "'1'": 'b', '[1, 2]': 'c', 'null': 'd'}),
    (float('nan'), 'NaN'),
    (float('-inf'), '-Infinity'),
    (Decimal('1.5'), '1.5'),
    (Point(1), {'x': 1}),
    (datetime.date(2024, 1, 2), '2024-01-02'),
    (datetime.timedelta(minutes=1), 60.0),
    (ValueError('x'), 'ValueError: x'),
    (Unspeakable(), '<Unspeakable>'),
    (10**5000, '<an integer of 16610 bits>'),
    ('\ud800', '?'),
]


def test_values_of_the_host_become_plain() -> None:
    assert [to_json(value) for value, _ in PLAIN] == [plain for _, plain in PLAIN]


@pytest.mark.parametrize('code', Path(__file__).with_name('values.txt').read_text().split('---\n'))
async def test_any_value_of_the_sandbox_becomes_json(code: str) -> None:
    json.dumps(completed(await run_script(code)).value, allow_nan=False)


def test_a_large_list_is_shown_by_size_shape_and_both_ends() -> None:
    rows = [{'id': n, 'name': f'row {n}', 'tags': ['a']} for n in range(500)]
    assert truncate(rows, max_chars=420, name='rows') == snapshot("""\
[500 items, 23,280 characters; whole in the variable rows, for the next script to slice: rows[:20]]
Shape: list[500] of {id: int, name: str, tags: list[1] of str}
{"id": 0, "name": "row 0", "tags": ["a"]}
{"id": 1, "name": "row 1", "tags": ["a"]}
{"id": 2, "name": "row 2", "tags": ["a"]}
{"id": 3, "name": "row 3", "tags": ["a"]}
[... 495 ...]
{"id": 499, "name": "row 499", "tags": ["a"]}\
""")


class Counted(list[int]):
    """Counts how many of its items were read."""

    looks = 0

    def __iter__(self) -> Iterator[int]:
        for item in super().__iter__():
            self.looks += 1
            yield item


def test_only_the_two_ends_of_a_large_value_are_read() -> None:
    rows = Counted([12_345] * 500_000)
    first, shape, *shown, left_out, last = truncate(rows, max_chars=400, name='rows').splitlines()
    assert first.startswith('[500,000 items, more than 50,000 characters; whole in the variable rows, for the next ')
    assert (shape, {*shown}, last) == ('Shape: list[500,000] of int', {'12345'}, '12345')
    assert left_out == f'[... {500_000 - len(shown) - 1:,} ...]'
    assert rows.looks < 20_000
    text = truncate({'a': rows, 'b': 1}, max_chars=200, name='rows')
    assert text.startswith('[2 keys, more than 50,000 characters')
    assert rows.looks < 40_000


class Endless:
    """Contains itself."""

    def model_dump(self, mode: str) -> list[Any]:
        return [Endless(), Endless()]


class Lying(dict[str, Any]):
    def items(self) -> Any:
        raise ValueError


class Same:
    """Is a distinct key with the same text as all others."""

    def __str__(self) -> str:
        return 'same'


def _shared(levels: int, wide: int) -> list[Any]:
    value: list[Any] = ['x' * 1000] * wide
    for _ in range(levels):
        value = [value] * wide
    return value


BOMBS = {
    'a list of itself': _shared(2, 100),
    'far beyond any memory': _shared(40, 2),
    'text': 'x' * 200_000,
    'endless': Endless(),
    'keys': {f'{number:0>2000}': 0 for number in range(100)},
    'a tuple in dicts': {'a': {'b': tuple(_shared(3, 10))}},
}


@pytest.mark.parametrize('value', BOMBS.values(), ids=BOMBS.keys())
async def test_a_text_that_would_be_too_large_is_never_written(value: Any) -> None:
    most = 20_000
    tracemalloc.start()
    try:
        with pytest.raises(TooLarge):
            await convert_async(value, most)
        assert tracemalloc.get_traced_memory()[1] < 80 * most
    finally:
        tracemalloc.stop()
    reported = await serialize(value, most)
    assert reported.value.startswith(f'<{type(value).__name__}: too large, ')
    assert 'a value was too large' in reported.changes[0]


def test_a_value_that_shares_parts_is_measured_once_for_each_part() -> None:
    value = dict[str, Any]()
    for _ in range(40):
        value = {'a': value, 'b': value}
    tracemalloc.start()
    try:
        with pytest.raises(TooLarge):
            convert(value, 10_000_000)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


@given(_JSON)
@example('\0' * 20)
@example([1.3407807929857271e154, 1.3407807929857271e154])
def test_the_size_of_a_value_is_that_of_its_json(value: Any) -> None:
    plain = to_json(value)
    written = len(json.dumps(plain, ensure_ascii=False).encode())
    assert sizes_of(plain).written >= 0.5 * written - 10
    assert sizes_of(plain).written <= 3 * written + 10


@pytest.mark.parametrize('value', ['a\ud800', ['\udfff', 1], {'\ud800': 1}, [{'a': '\ud800'}] * 20], ids=repr)
def test_half_of_a_surrogate_pair_is_not_silently_replaced(value: Any) -> None:
    reported = ("half of a surrogate pair is shown as '?'",)
    assert convert(value, 10_000).changes == reported
    assert convert('é\U0001f600?', 10_000).changes == ()


def test_a_value_that_could_not_be_kept_is_reported() -> None:
    ring = list[Any]()
    ring.append(ring)
    deep: Any = 1
    for _ in range(2000):
        deep = [deep]
    assert convert([ring], 10_000) == Serialized([['...']], 15, ("something that contains itself is shown as '...'",))
    assert convert(deep, 10_000).changes == ('something nested too deep is shown only by its type',)
    assert convert([Lying(a=1)], 10_000).changes == ('something that cannot be written is shown only by its type',)
    many = convert({1: 'a', '1': 'b', None: 'c', 'null': 'd'}, 10_000)
    assert list(many.value.values()) == ['a', 'b', 'c', 'd']
    assert many.changes == ('keys that are equal in JSON got other names',)
    same = convert({Same(): number for number in range(4)}, 10_000)
    assert same.value == {'same': 0, 'same (Same)': 1, 'same (Same) 2': 2, 'same (Same) 3': 3}
    assert convert({'\ud800': ['\udfff', ValueError('\ud800')]}, 10_000).value == {'?': ['?', 'ValueError: ?']}
    assert convert([1, 'a', {'b': None}], 10_000).changes == ()


async def test_a_result_that_shares_parts_is_refused_by_its_expanded_size() -> None:
    async with Sandbox.shared().session() as session:
        outcome = failed(await session.run("a = ['x' * 1000] * 100\nb = [a] * 100\nc = [b] * 100\nc", TABLE, answer))
        assert outcome.error.message.startswith('Limit max_result_bytes: the result has 1,00')
        given = failed(await session.run('await get_user(c)', TABLE, answer))
        assert 'Limit max_argument_bytes: the arguments of get_user have 1,00' in given.error.message
        completed(await session.run('len(c)', TABLE, answer))


async def test_functions_receive_lists_instead_of_ranges_and_dict_views() -> None:
    got = list[object]()

    async def dispatch(call: Call) -> None:
        got.extend((*call.args, call.kwargs))

    code = "stock = {'a': 1}\nawait take(list(stock), {'of': [list(range(2))]}, pairs=list(stock.items()))"
    async with Sandbox.shared().session() as session:
        completed(await session.run(code, _TAKING, dispatch))
        for wrong in ('stock.keys()', '[range(2)]', "{'a': stock.items()}"):
            refused = failed(await session.run(f'await take({wrong})', _TAKING, dispatch))
            assert 'A function takes lists' in refused.error.message
    assert got == [['a'], {'of': [[0, 1]]}, {'pairs': [['a', 1]]}]


_TAKING = table('async def take(*items, **more): ...')


async def test_byte_arrays_are_returned_like_bytes() -> None:
    forged = 'class _byte_arrays_bytearray:\n    def __init__(self): self._values = 10 ** 12\n_byte_arrays_bytearray()'
    values = [completed(await run_script(text)).value for text in ('[bytearray(b"ab"), b"ab"]', forged)]
    assert values == [['ab', 'ab'], {'_values': 10**12}]


async def test_library_objects_are_returned_as_in_python_and_persist_in_the_session() -> None:
    first = """
from datetime import datetime, timedelta
from fractions import Fraction
from uuid import UUID
from zoneinfo import ZoneInfo
noon = datetime(2024, 3, 9, 12, tzinfo=ZoneInfo('America/New_York'))
kept = [Fraction(1, 3), UUID(int=5), noon.tzinfo, noon]
kept
"""
    async with Sandbox.shared().session() as session:
        out = completed(await session.run(first, TABLE, answer)).value
        later = completed(await session.run('[str(noon + timedelta(days=1)), kept[0] < 1]', TABLE, answer)).value
    assert out == ['1/3', '00000000-0000-0000-0000-000000000005', 'America/New_York', '2024-03-09T12:00:00-05:00']
    assert later == ['2024-03-10 12:00:00-04:00', True]


async def test_a_deleted_attribute_is_not_returned() -> None:
    code = 'class A:\n    def __init__(self):\n        self.x, self.y = 1, 2\na = A()\ndel a.x\na'
    assert completed(await run_script(code)).value == {'y': 2}


async def test_other_library_objects_are_returned_by_name_not_with_their_internals() -> None:
    text = """
import re
from urllib.parse import urlparse
def numbers(): yield 1
{'map': map(str, [1]), 'generator': numbers(), 'pattern': re.compile('a'), 'url': urlparse('https://a/b')}
"""
    assert completed(await run_script(text)).value == {
        'map': '<Iterator object>',
        'generator': '<Generator object>',
        'pattern': '<Pattern object>',
        'url': {'scheme': 'https', 'netloc': 'a', 'path': '/b', 'params': '', 'query': '', 'fragment': ''},
    }
