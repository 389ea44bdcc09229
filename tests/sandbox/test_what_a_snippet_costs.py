"""What is done for a snippet, counted: nothing twice."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from types import FrameType
from typing import Any

import pytest

from tests.corpus.table import TABLE, answer
from toolscript_sandbox import Completed, Limits, Sandbox
from toolscript_sandbox.checking.cost import cost_of
from toolscript_sandbox.execution.memory import Memory
from toolscript_sandbox.execution.preparation import Asked, Prepared
from toolscript_sandbox.language.snippet import Snippet
from toolscript_sandbox.transforms.preparation import prepared

pytestmark = pytest.mark.anyio

CALLING = "user = await get_user(user_id={number})\nuser['id'] + {number}"


REPORT = """\
import asyncio
orders = [{'id': n, 'tags': ['a', 'b'], 'total': n * 1.5} for n in range(5)]
seen = {order['id'] for order in orders if order['total'] > 2}
tags = set()
for order in orders:
    tags.update(order['tags'])
    print(f"{order['id']:>5} {order['total']:.2f} {len(tags)} tags")
users = await asyncio.gather(*[get_user(user_id=n) for n in sorted(seen)])
totals = {}
for order, user in zip(orders, users):
    key = f'{order["id"]}-{user["name"]}'
    totals[key] = totals.get(key, 0) + order['total']
missing = seen - {order['id'] for order in orders}
names = ', '.join(str(n) for n in seen)
print(f'{names}: {missing} {totals}')
{'tags': tags, 'totals': totals, 'first': next((o for o in orders if o['id'] in seen), None)}
"""


def _calls(text: str) -> int:
    """How many functions are called to prepare a text, whose kinds of helpers are loaded."""
    count = 0

    def watch(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event in ('call', 'c_call')

    prepared(f'{text}\n# loads what it needs', TABLE)
    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        prepared(text, TABLE)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize(('text', 'most'), [('1 + 1', 850), (CALLING, 1_400), (REPORT, 15_300)])
def test_a_snippet_is_prepared_in_few_calls(text: str, most: int) -> None:
    assert _calls(text) < most


async def test_a_snippet_is_judged_and_made_to_run_in_few_calls() -> None:
    count = 0

    def watch(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event in ('call', 'c_call') and 'toolscript_sandbox' in frame.f_code.co_filename

    asked = Asked(REPORT, TABLE, Limits(), {}, Memory())
    prepared = asked.prepared()
    assert isinstance(prepared, Prepared)
    prepared.judged([])
    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        cost_of(f'{prepared.snippet.checked.text}\n# of no text that is remembered')
        prepared.judged([])
    finally:
        sys.setprofile(before)
    assert count < 2_500


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
        # As it was written, as it is checked, and the call in it, to know its line.
        assert await _parses(lambda: run(2)) == 3


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


GATHERING = 'len(await asyncio.gather(*[get_user(user_id=n) for n in range(20)]))'


async def test_gathered_calls_are_answered_together_whichever_snippet_imported_asyncio() -> None:
    answers = 0

    def watch(frame: FrameType, event: str, arg: object) -> None:
        nonlocal answers
        answers += event == 'c_call' and getattr(arg, '__qualname__', '') == 'AsyncFutureSnapshot.resume'

    async with Sandbox() as sandbox, sandbox.session() as session:
        assert isinstance(await session.run('import asyncio', TABLE, answer), Completed)
        before = sys.getprofile()
        sys.setprofile(watch)
        try:
            assert isinstance(await session.run(GATHERING, TABLE, answer), Completed)
        finally:
            sys.setprofile(before)
    assert answers <= 4


def test_a_name_that_meant_a_module_may_mean_a_coroutine() -> None:
    def after(*texts: str) -> Snippet:
        memory, snippets = Memory(), list[Snippet]()
        for text in texts:
            snippets.append(prepared(text, TABLE, memory.earlier(memory.bound)))
            memory = memory.after(snippets[-1], ())
        return snippets[-1]

    one = ('import json as later',)
    two = (*one, 'async def later(): await get_user(1)')
    three = after(*two, 'import asyncio\nawait asyncio.gather(later(), later())')
    assert (after(*one).meanings, after(*two).meanings, three.interleaves) == ({'later': 'json'}, {}, True)
