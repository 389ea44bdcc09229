"""What is done for a snippet, counted: nothing twice."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from types import FrameType
from typing import Any

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


async def test_a_snippet_is_checked_lent_a_worker_and_run_without_a_task_beside_it() -> None:
    started = list[str]()

    def make(loop: asyncio.AbstractEventLoop, work: Any, **named: Any) -> asyncio.Task[Any]:
        started.append(work.__qualname__)
        return asyncio.Task(work, loop=loop, **named)

    async with Sandbox() as sandbox:

        async def run() -> None:
            async with sandbox.session() as session:
                code = CALLING.replace('{number}', '1')
                assert isinstance(await session.run(code, TABLE, answer), Completed)

        await run()
        asyncio.get_running_loop().set_task_factory(make)
        try:
            await run()
        finally:
            asyncio.get_running_loop().set_task_factory(None)
    assert started == []
