"""What is done for a snippet, counted: nothing twice."""

import sys
from collections.abc import Awaitable, Callable
from types import FrameType

import pytest

from tests.corpus.table import TABLE, answer
from toolscript_sandbox import Completed, Sandbox

pytestmark = pytest.mark.anyio

CALLING = "user = await get_user(user_id={number})\nuser['id'] + {number}"


async def _parses(work: Callable[[], Awaitable[object]]) -> int:
    """How many texts are parsed meanwhile."""
    count = 0

    def watch(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event == 'c_call' and arg is compile

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        await work()
    finally:
        sys.setprofile(before)
    return count


async def test_a_snippet_is_parsed_as_it_was_written_and_as_it_is_checked() -> None:
    async with Sandbox() as sandbox, sandbox.session() as session:

        async def run(number: int) -> None:
            assert isinstance(await session.run(f'1 + {number}', TABLE, answer), Completed)

        await run(40)
        assert await _parses(lambda: run(41)) == 2


async def test_the_stub_of_a_function_is_parsed_when_a_snippet_first_names_it() -> None:
    async with Sandbox() as sandbox:

        async def run(number: int) -> None:
            async with sandbox.session() as session:
                code = CALLING.replace('{number}', str(number))
                assert isinstance(await session.run(code, TABLE, answer), Completed)

        await run(1)
        assert await _parses(lambda: run(2)) == 2
