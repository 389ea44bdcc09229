"""What `asyncio` has and scripts cannot have is refused before anything runs."""

import pytest

from .both import in_monty


@pytest.mark.parametrize('name', ['Barrier', 'Runner', 'open_connection', 'create_subprocess_exec'])
def test_a_name_that_is_not_offered_is_refused_before_anything_runs(name: str) -> None:
    seen = in_monty(f"import asyncio\nawait tool('a', 1)\nx = asyncio.{name}\n")
    assert f'There is no asyncio.{name} here.' in (seen.error or '')
    assert seen.started == ()
