"""What `asyncio` has and scripts cannot have is refused before anything runs."""

import pytest

from .both import in_monty


@pytest.mark.parametrize('name', ['Barrier', 'Runner', 'open_connection', 'create_subprocess_exec'])
def test_a_name_that_is_not_offered_is_refused_before_anything_runs(name: str) -> None:
    seen = in_monty(f"import asyncio\nawait tool('a', 1)\nx = asyncio.{name}\n")
    assert f'There is no asyncio.{name} here.' in (seen.error or '')
    assert seen.started == ()


@pytest.mark.parametrize(
    ('code', 'message'),
    [
        ('asyncio.get_running_loop().create_future()', 'There is no create_future here. Wait for an asyncio.Event'),
        ("asyncio.get_running_loop().call_later(1, print, 'x')", 'There is no call_later here. Create a task'),
        ('asyncio.all_tasks()', 'There is no asyncio.all_tasks here. Keep the tasks that you create in a list.'),
        ('asyncio.timeout_at(5)', 'There is no asyncio.timeout_at here. Write asyncio.timeout(seconds).'),
        ('asyncio.Future()', 'Scripts make tasks with asyncio.create_task here'),
        (
            'async with asyncio.timeout(5) as bound:\n    bound.reschedule(None)',
            'A timeout keeps its deadline here. Enter another asyncio.timeout(seconds).',
        ),
        ('asyncio.Condition()', 'There is no asyncio.Condition here. Use asyncio.Event, or asyncio.Queue.'),
        ('asyncio.current_task().uncancel()', 'A function that catches asyncio.CancelledError raises it again.'),
    ],
)
def test_what_is_rare_is_refused_with_what_to_write_instead(code: str, message: str) -> None:
    seen = in_monty(f"import asyncio\nawait tool('a', 1)\n{code}\n")
    assert message in (seen.error or '')
    assert seen.started == ()


@pytest.mark.parametrize(
    ('code', 'message'),
    [
        ('contextlib.ExitStack().pop_all()', 'There is no pop_all here. Enter the contexts where they are left.'),
        (
            '@contextlib.asynccontextmanager\nasync def opened():\n    yield\n'
            '@opened()\nasync def work():\n    return 1',
            'An asynchronous context is no decorator here. Write `async with` in the function.',
        ),
    ],
)
def test_so_are_rare_contexts(code: str, message: str) -> None:
    seen = in_monty(f"import contextlib\nawait tool('a', 1)\n{code}\n")
    assert message in (seen.error or '')
    assert seen.started == ()
