"""Repairs: what is accepted, what it becomes, and what the outcome says of it."""

import pytest
from inline_snapshot import snapshot

from tests.corpus.table import TABLE, answer
from tests.sandbox.tables import Table
from toolscript_sandbox import Call, Completed, Failed, Function, Sandbox

pytestmark = pytest.mark.anyio


async def _completed(code: str) -> Completed:
    async with Sandbox.shared().session() as session:
        outcome = await session.run(code, TABLE, answer)
    assert isinstance(outcome, Completed), outcome
    return outcome


async def test_the_final_expression_is_kept_in_a_variable() -> None:
    outcome = await _completed('2 + 2')
    assert (outcome.value, outcome.name, outcome.code, outcome.executed_code) == snapshot(
        (
            4,
            'result_1',
            '2 + 2',
            """\
result_1 = 2 + 2
result_1
""",
        )
    )


async def test_a_final_assignment_is_the_value() -> None:
    outcome = await _completed("user = await get_user(1)\nname = user['name']")
    assert (outcome.value, outcome.name) == ('Ada Byron', 'name')


async def test_the_branches_of_a_final_if_end_in_the_value() -> None:
    outcome = await _completed("if 1 > 2:\n    'more'\nelse:\n    'less'")
    assert (outcome.value, outcome.name) == ('less', 'result_1')


async def test_a_top_level_return_is_the_value() -> None:
    outcome = await _completed('if True:\n    return [1]\nreturn 2')
    assert (outcome.value, outcome.name) == ([1], 'result_1')


async def test_the_fenced_block_in_prose_is_the_code() -> None:
    outcome = await _completed('Sure!\n\n```python\n1 + 1\n```\nDone.')
    assert (outcome.value, outcome.fixes) == snapshot((2, ('Removed the Markdown fence around the code.',)))


async def test_a_forgotten_import_is_added() -> None:
    outcome = await _completed("json.dumps({'a': datetime(2024, 1, 1).year})")
    assert outcome.fixes == snapshot(('Added `from datetime import datetime`.', 'Added `import json`.'))


async def test_main_is_called_once() -> None:
    outcome = await _completed('async def main():\n    return (await get_user(1))["name"]')
    assert (outcome.value, outcome.fixes) == snapshot(('Ada Byron', ('Called main(), which nothing called.',)))


async def test_a_sequential_function_may_be_awaited() -> None:
    outcome = await _completed('(await next_ticket_number()) + 1')
    assert (outcome.value, outcome.fixes) == snapshot(
        (42, ('Dropped `await` before next_ticket_number, which is called without it.',))
    )


async def test_a_task_that_is_not_awaited_still_runs() -> None:
    outcome = await _completed(
        "import asyncio\ntask = asyncio.create_task(send_email('a', 'b', 'c'))\nother = await get_user(1)\nother['id']"
    )
    assert [record.status for record in outcome.calls] == ['finished', 'finished']


async def test_lines_of_errors_are_those_of_the_model() -> None:
    code = 'Look:\n```python\ndef gen():\n    yield 1\n\nfor x in gen():\n    y = {}["a"]\n```'
    async with Sandbox.shared().session() as session:
        outcome = await session.run(code, TABLE, answer)
    assert isinstance(outcome, Failed)
    assert (outcome.error.line, outcome.error.message) == snapshot(
        (
            7,
            """\
line 7: y = {}["a"]
            ^^^^^^^
KeyError: a\
""",
        )
    )


async def test_a_call_that_is_not_awaited_is_an_error() -> None:
    async with Sandbox.shared().session() as session:
        outcome = await session.run('pending = [get_user(i) for i in (1, 2)]\nlen(pending)', TABLE, answer)
    assert isinstance(outcome, Failed)
    assert outcome.error.message == snapshot(
        """\
line 1: pending = [get_user(i) for i in (1, 2)]
get_user(...) was never awaited, so it did not run. Write `await`, or asyncio.gather.\
"""
    )


@pytest.mark.parametrize('word', ['name', 'line', 'function', 'made', 'self', 'fn', 'args', 'kwargs'])
async def test_arguments_may_have_any_name_wherever_the_call_is_awaited(word: str) -> None:
    functions = Table(f=Function('f', f'async def f(*, {word}: int) -> int: ...\n'))

    async def dispatch(call: Call) -> int:
        return call.kwargs[word]

    code = f'later = f({word}=1)\ntask = asyncio.create_task(f({word}=2))\n[await later, await task, *await asyncio.gather(*[f({word}=n) for n in [3, 4]])]'
    async with Sandbox.shared().session() as session:
        outcome = await session.run(code, functions, dispatch)
        assert isinstance(outcome, Completed), outcome
        assert outcome.value == [1, 2, 3, 4]
