"""A tool may give a generator: scripts get all that it gives, or are told that they do not."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from toolscript.results.values import Files
from toolscript_sandbox import Serialized

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

UNWRITTEN = ('something that cannot be written is shown only by its type',)


async def taken(value: Any) -> Serialized:
    return await Files().taken(value, 100_000_000)


@pytest.mark.parametrize('many', [3, 20_000])
async def test_a_generator_arrives_whole_however_much_it_gives(many: int) -> None:
    """What is large is walked twice: on the event loop as far as that goes, and then on a thread."""
    carried = await taken({'rows': (number for number in range(many)), 'more': map(str, range(many))})
    assert carried.changes == ()
    assert carried.value == {'rows': [*range(many)], 'more': [str(number) for number in range(many)]}


async def test_one_that_never_ends_holds_up_nobody() -> None:
    carried = await taken({'all': count(), 'large': 'x' * 100_000})
    assert (carried.value['all'], carried.changes) == ('<count>', UNWRITTEN)


async def test_one_that_fails_is_not_taken_for_an_empty_one() -> None:
    def rows() -> Iterator[int]:
        yield 1
        raise LookupError

    carried = await taken([rows(), 'x' * 100_000])
    assert (carried.value[0], carried.changes) == ('<generator>', UNWRITTEN)
