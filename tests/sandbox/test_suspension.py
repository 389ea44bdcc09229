"""Suspended snippets, states, checkpoints and barriers."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from tests.corpus.table import TABLE, answer
from tests.sandbox.outcomes import completed, failed, resume_script, run_script, suspended
from toolscript_sandbox import Call, CallRecord, Deferred, Limits, Sandbox, StateError, calls_made
from toolscript_sandbox.execution.in_flight import InFlight
from toolscript_sandbox.execution.protocol import Answer, Calls, Returned
from toolscript_sandbox.execution.state import State


async def _ask(call: Call) -> Any:
    if call.function in ('refund_order', 'book_room'):
        raise Deferred({'approve': call.function})
    return await answer(call)


async def test_a_barrier_waits_for_calls_in_flight_and_may_pause_itself() -> None:
    order = list[str]()

    async def slow(call: Call) -> Any:
        order.append(f'+{call.id}')
        await asyncio.sleep(0.1)
        order.append(f'-{call.id}')
        return await answer(call)

    code = """\
import asyncio
a, b = [asyncio.create_task(get_user(n)) for n in (1, 2)]
await asyncio.sleep(0)
r = book_room('A', '1', '2')
await asyncio.gather(a, b, get_user(3))
"""
    completed(await run_script(code, dispatch=slow))
    assert order == ['+1', '+2', '-1', '-2', '+3', '-3', '+4', '-4']
    waits = await run_script("r = book_room('A', '1', '2')\nr['room']", dispatch=_ask)
    assert completed(await resume_script(waits)).value == 'A'


@pytest.mark.parametrize(
    ('code', 'limits'),
    [
        ("print('x' * 60)\nawait book_room('A', '1', '2')\nprint('x' * 60)", Limits(max_stdout_chars=100)),
        ("await get_user(1)\nawait book_room('A', '1', '2')\nawait get_user(2)", Limits(max_calls=2)),
    ],
)
async def test_what_a_script_used_before_it_waited_counts_for_its_limits(code: str, limits: Limits) -> None:
    waits = await run_script(code, dispatch=_ask)
    assert failed(await resume_script(waits, limits=limits)).error.kind == 'limit'


async def test_no_state_holds_finished_calls_and_the_caller_gets_each_of_them_once() -> None:
    states, ended = list[bytes](), list[CallRecord]()

    async def keep(state: bytes, calls: Sequence[CallRecord]) -> None:
        states.append(state)
        ended.extend(calls)

    async def die(call: Call) -> Any:
        if call.id == 70:
            raise SystemError('the host is gone')
        return await answer(call)

    code = 'for n in range(80):\n    user = await get_user(n)\nuser'
    async with Sandbox.shared().session() as session:
        with pytest.raises(SystemError):
            await session.run(code, TABLE, die, checkpoint=keep)
    assert [record.call.id for record in ended] == [*range(1, 70)]
    assert calls_made(states[-1]) == 70
    assert [one.call.id for one in State.from_bytes(states[-1]).open.values()] == [70]
    async with Sandbox.shared().session() as session:
        outcome = await session.resume(states[-1], TABLE, answer, calls=ended)
    assert [record.call.id for record in outcome.calls] == [*range(1, 81)]


async def test_a_call_that_cleans_up_when_the_host_dies_ends_its_task() -> None:
    states = list[bytes]()

    async def keep(state: bytes, calls: Sequence[CallRecord]) -> None:
        states.append(state)

    async def die(call: Call) -> Any:
        if call.id == 2:
            raise SystemError('the host is gone')
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(60)

    code = """
import asyncio
task = asyncio.create_task(get_user(1))
await asyncio.sleep(0.01)
task.cancel()
await get_user(2)
await asyncio.wait([task])
task.cancelled()
"""
    async with Sandbox.shared().session() as session:
        with pytest.raises(SystemError):
            await session.run(code, TABLE, die, checkpoint=keep)
    async with Sandbox.shared().session() as session:
        assert completed(await session.resume(states[-1], TABLE, answer)).value is True


async def test_text_printed_before_a_pause_is_not_reported_again() -> None:
    prints = list[str]()

    async def live(call: Call) -> Any:
        prints.append(call.stdout)
        return await answer(call)

    code = "task = asyncio.create_task(get_user(1))\nawait asyncio.sleep(0.01)\nprint('waits')\nawait task\n"
    waits = await run_script(f"import asyncio\n{code}print('resumed')\nawait get_user(2)", dispatch=_wait)
    assert suspended(waits).stdout == 'waits\n'
    completed(await resume_script(waits, dispatch=live))
    assert prints == ['', 'resumed\n']


@pytest.mark.parametrize('each', ['get_user(n)', 'one(n)'])
async def test_the_state_of_a_hundred_waiting_calls_is_small(each: str) -> None:
    code = 'limit = asyncio.Semaphore(100)\nasync def one(n):\n    async with limit: return await get_user(n)\n'
    code += f'len(await asyncio.gather(*[{each} for n in range(100)]))'
    waits = suspended(await run_script(code, dispatch=_wait))
    assert len(waits.waiting) == 100
    assert len(waits.state) < 15_000
    assert completed(await resume_script(waits)).value == 100


async def _wait(call: Call) -> Any:
    raise Deferred(None)


@pytest.mark.parametrize(
    'state', [b'', b'nonsense', b'toolscript\x01\x00\x00\x00\x02{}', b'toolscript\x01\xff\xff\xff\xff']
)
async def test_invalid_bytes_are_refused(state: bytes) -> None:
    async with Sandbox.shared().session() as session:
        with pytest.raises(StateError):
            await session.resume(state, TABLE, answer)


async def test_a_session_that_has_run_code_cannot_resume_a_state() -> None:
    waits = suspended(await run_script("await refund_order('o1', 1.0, 'x')", dispatch=_ask))
    async with Sandbox.shared().session() as session:
        await session.run('1', TABLE, answer)
        with pytest.raises(StateError):
            await session.resume(waits.state, TABLE, answer)


async def test_a_method_read_before_a_pause_equals_the_same_method_after_it() -> None:
    code = """\
class Part:
    def __init__(self, n): self.n = n
    def heard(self): return self.n
a, b = Part(1), Part(2)
listeners = [a.heard, b.heard]
book_room('A', '1', '2')
others = [Part(n).heard for n in range(50)]
listeners.remove(a.heard)
[a.heard in listeners, b.heard in listeners, listeners[0].__name__, listeners[0](), others[7]()]
"""
    waits = await run_script(code, dispatch=_ask)
    assert completed(await resume_script(waits)).value == [False, True, 'heard', 2, 7]


async def test_a_dispatcher_that_changes_its_arguments_does_not_change_the_record() -> None:
    async def changing(call: Call) -> Any:
        value = await answer(call)
        call.kwargs.clear()
        return value

    code = 'import asyncio\nawait asyncio.gather(get_user(user_id=1), get_user(user_id=2))'
    outcome = completed(await run_script(code, dispatch=changing))
    assert [record.call.kwargs for record in outcome.calls] == [{'user_id': 1}, {'user_id': 2}]


async def test_a_call_that_is_cancelled_before_it_starts_does_not_run() -> None:
    ran, may_end = list[int](), asyncio.Event()

    async def slow(call: Call) -> Any:
        ran.append(call.id)
        await may_end.wait()

    calls = InFlight(slow, Limits(max_concurrent_calls=1))
    assert await calls.answer(Calls(new=(Call(1, 'slow', (), {}), Call(2, 'slow', (), {})), wake_in=0)) == []
    assert await calls.answer(Calls(cancelled=(2,), wake_in=0)) == [Answer(2, 'left')]
    may_end.set()
    assert await calls.answer(Calls()) == [Answer(1, Returned(None))]
    assert await calls.answer(Calls(new=(Call(3, 'slow', (), {}),))) == [Answer(3, Returned(None))]
    assert ran == [1, 3]
    assert [calls.log.record(call_id).status for call_id in (1, 2, 3)] == ['finished', 'failed', 'finished']
