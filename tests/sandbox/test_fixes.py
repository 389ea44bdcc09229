"""Fixes of common mistakes: the accepted text, the text that runs, and the report."""

from pathlib import Path

import pytest

from tests.sandbox.outcomes import completed, run_script
from tests.sandbox.tables import table
from tests.text_cases import TextCase, text_cases
from toolscript_sandbox import Call


@pytest.mark.parametrize('case', text_cases(Path(__file__).with_name('fixes.txt')), ids=str)
async def test_typical_model_code_runs_and_its_fixes_are_reported(case: TextCase) -> None:
    """After the arrow: the variable of the value, the value, and the fixes."""
    outcome = completed(await run_script(case.given))
    assert [f'{outcome.name} = {outcome.value!r}', *outcome.fixes] == case.expected.split('\n')


async def test_the_code_that_ran_is_kept_beside_the_code_that_was_sent() -> None:
    outcome = completed(await run_script('2 + 2'))
    assert (outcome.code, outcome.executed_code) == ('2 + 2', 'result_1 = 2 + 2\nresult_1\n')


async def test_a_task_that_is_not_awaited_still_runs() -> None:
    code = (
        "import asyncio\ntask = asyncio.create_task(send_email('a', 'b', 'c'))\nother = await get_user(1)\nother['id']"
    )
    outcome = completed(await run_script(code))
    assert [record.status for record in outcome.calls] == ['finished', 'finished']


async def test_a_call_that_its_task_cancels_before_it_runs_is_on_record() -> None:
    code = 'async def own():\n    asyncio.current_task().cancel()\n    await get_user(1)\nawait asyncio.wait([asyncio.create_task(own())])'
    (record,) = completed(await run_script(code)).calls
    assert (record.status, record.error) == ('failed', 'CancelledError: the script cancelled it before it ran')


@pytest.mark.parametrize('word', ['name', 'line', 'function', 'made', 'self', 'fn', 'args', 'kwargs'])
async def test_arguments_may_have_any_name_wherever_the_call_is_awaited(word: str) -> None:
    functions = table(f'async def f(*, {word}: int) -> int: ...')

    async def dispatch(call: Call) -> int:
        return call.kwargs[word]

    code = f'later = f({word}=1)\ntask = asyncio.create_task(f({word}=2))\n[await later, await task, *await asyncio.gather(*[f({word}=n) for n in [3, 4]])]'
    assert completed(await run_script(code, functions, dispatch)).value == [1, 2, 3, 4]
