"""Workers are lent, die, and are replaced, with as little effect on sessions as possible."""

import asyncio
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.corpus.table import TABLE, answer
from tests.sandbox.outcomes import completed, failed
from tests.sandbox.processes import cpu_seconds, kill, stop, wait_until_gone
from toolscript_sandbox import Call, Completed, Failed, Limits, Sandbox, Session, Unavailable
from toolscript_sandbox.workers import process
from toolscript_sandbox.workers.slots import Slots

pytestmark = pytest.mark.skipif(not Path('/proc/self/stat').exists(), reason='looks into /proc')

DEADLY = {
    'text': "'x' * 100_000_000",
    'list': '[1] * 300_000_000',
    'joined': "','.join(['x' * 1000] * 400_000)",
    'growing': 'x = []\nwhile True:\n    x.append([1] * 1000)',
    'doubling': "x = 'ab'\nwhile True:\n    x += x",
    'number': '10 ** 100_000_000',
}


def _pid(session: Session) -> int:
    assert session.worker is not None
    pid = session.worker.worker_pid
    assert pid is not None
    return pid


@pytest.mark.parametrize('code', DEADLY.values(), ids=DEADLY.keys())
async def test_the_next_script_runs_after_one_that_ran_out_of_memory(code: str) -> None:
    async with Sandbox.shared().session(limits=Limits(max_memory_bytes=50_000_000, max_script_seconds=60)) as session:
        await session.run('kept = 1', TABLE, answer)
        outcome = failed(await session.run(code, TABLE, answer))
        assert outcome.session_lost == ('earlier variables are gone' in outcome.error.message)
        completed(await session.run('1 + 1', TABLE, answer))
        kept = await session.run('kept', TABLE, answer)
        assert isinstance(kept, Failed) == outcome.session_lost


async def test_a_result_that_is_too_large_for_the_session_fails_alone() -> None:
    async def large(call: Call) -> Any:
        return 'x' * 90_000_000

    async with Sandbox.shared().session(limits=Limits(max_memory_bytes=50_000_000)) as session:
        completed(await session.run('kept = 1', TABLE, answer))
        outcome = failed(await session.run('user = await get_user(1)\n1', TABLE, large))
        assert (outcome.error.kind, outcome.session_lost) == ('runtime', False)
        assert [record.status for record in outcome.calls] == ['failed']
        completed(await session.run('kept + 1', TABLE, answer))


async def test_workers_killed_at_any_moment_end_no_session() -> None:
    code = 'import asyncio\nfor i in range(20):\n    x = await asyncio.gather(get_user(1), get_user(2))\nlen(x)'
    async with Sandbox(warm=2) as sandbox:
        for step in range(20):
            async with sandbox.session() as session:
                running = asyncio.create_task(session.run(code, TABLE, answer))
                await asyncio.sleep(0.002 * step)
                worker = session.worker
                pid = worker.worker_pid if worker is not None else None
                if pid is not None:
                    kill(pid)
                outcome = await running
                crashed = isinstance(outcome, Failed) and outcome.error.kind == 'crash' and outcome.session_lost
                assert crashed or completed(outcome)
                completed(await session.run('1 + 1', TABLE, answer))


async def test_a_worker_that_dies_during_the_check_takes_no_polyfills_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Sandbox() as sandbox, sandbox.session() as session:
        completed(await session.run("print(bytearray(b'x')[0])", TABLE, answer))
        check, pid = sandbox.check, _pid(session)

        async def checked(*args: Any, **kwargs: Any) -> Any:
            kill(pid)
            wait_until_gone(pid)
            return await check(*args, **kwargs)

        monkeypatch.setattr(sandbox, 'check', checked)
        assert completed(await session.run("print(bytearray(b'y')[0])", TABLE, answer)).stdout == '121\n'
        assert _pid(session) != pid


async def test_an_idle_worker_that_stops_answering_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Sandbox() as sandbox:
        async with sandbox.session() as session:
            await session.run('1', TABLE, answer)
            pid = _pid(session)
        stop(pid)
        monkeypatch.setattr(process, 'SECONDS', 5)
        async with sandbox.session() as session:
            completed(await session.run('1 + 1', TABLE, answer))
            assert _pid(session) != pid
        wait_until_gone(pid)


@pytest.mark.parametrize(
    'code',
    [
        'while True: pass',
        'x = 1\nwhile True: x = -x',
        "'a' * 10\nsum(i for i in range(10 ** 12))",
        'x = [*range(9)]\nwhile x: x.sort()',
    ],
)
async def test_cancelling_a_busy_script_ends_its_process(code: str) -> None:
    async with Sandbox() as sandbox:
        async with sandbox.session(limits=Limits(max_script_seconds=1000)) as session:
            await session.run('x = 1', TABLE, answer)
            pid, tasks = _pid(session), len(asyncio.all_tasks())
            before = cpu_seconds(pid)
            running = asyncio.create_task(session.run(code, TABLE, answer))
            while cpu_seconds(pid) < before + 0.1:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            running.cancel()
            await asyncio.wait([running])
            assert running.cancelled()
            wait_until_gone(pid)
            assert len(asyncio.all_tasks()) == tasks
            completed(await session.run('1 + 1', TABLE, answer))
        assert sandbox.stats.workers_in_use == 0


async def test_cancelling_a_wait_for_a_worker_frees_its_place() -> None:
    async with Sandbox(workers=1) as sandbox, sandbox.session() as holder:
        await holder.run('1', TABLE, answer)
        async with sandbox.session() as waiting:
            running = asyncio.create_task(waiting.run('1', TABLE, answer))
            await asyncio.sleep(0.1)
            running.cancel()
            await asyncio.wait([running])
        await holder.__aexit__(None, None, None)
        async with sandbox.session() as session:
            completed(await session.run('1 + 1', TABLE, answer))


async def test_a_session_that_ends_while_it_waits_for_a_worker_returns_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Sandbox() as sandbox:
        session, lend = sandbox.session(), sandbox.worker

        async def lent_late(*args: Any, **kwargs: Any) -> Any:
            worker = await lend(*args, **kwargs)
            await session.__aexit__(None, None, None)
            return worker

        monkeypatch.setattr(sandbox, 'worker', lent_late)
        with pytest.raises(Unavailable, match='the session has ended'):
            await session.run('1', TABLE, answer)
        assert sandbox.stats.workers_in_use == 0


@pytest.mark.parametrize(
    'setting', ['workers', 'recycle_after', 'checkers', 'checkout_seconds', 'check_seconds', 'idle_seconds']
)
def test_impossible_settings_are_refused(setting: str) -> None:
    with pytest.raises(ValueError, match=f'{setting} of a sandbox is 0; it must be more than 0'):
        partial(Sandbox, **{setting: 0})()


async def test_each_session_can_have_a_process_of_its_own() -> None:
    pids = list[int]()
    async with Sandbox(recycle_after=1) as sandbox:
        for _ in range(2):
            async with sandbox.session() as session:
                completed(await session.run('1', TABLE, answer))
                pids.append(_pid(session))
    assert pids[0] != pids[1]


def test_a_worker_of_a_closed_event_loop_is_ended_when_its_place_is_needed() -> None:
    sandbox, pids = Sandbox(workers=1, warm=2, checkout_seconds=0.1), list[int]()

    async def forever(begun: asyncio.Event) -> None:
        async def call(call: Call) -> Any:
            pids.append(_pid(session))
            begun.set()
            await asyncio.Event().wait()

        async with sandbox.session() as session:
            await session.run('await get_user(1)', TABLE, call)

    async def again() -> tuple[int, int]:
        async with sandbox.session() as session:
            completed(await session.run('1 + 1', TABLE, answer))
            return sandbox.stats.workers_in_use, _pid(session)

    begun, loop = asyncio.Event(), asyncio.new_event_loop()
    left = loop.create_task(forever(begun))
    loop.run_until_complete(begun.wait())
    # Like the loop of a thread that ends during its work; `asyncio.run` cancels its tasks first.
    loop.close()
    in_use, pid = asyncio.run(again())
    assert (in_use, left.done(), pid != pids[0]) == (1, False, True)
    wait_until_gone(pids[0])
    asyncio.run(sandbox.close())


@pytest.mark.parametrize('heavy', [False, True])
def test_a_turn_of_a_closed_event_loop_passes_to_another(heavy: bool) -> None:
    slots, loop = Slots(2, reserved=1), asyncio.new_event_loop()
    for _ in range(2):
        loop.run_until_complete(slots.take())
    waiting = loop.create_task(slots.take(heavy=heavy))
    loop.run_until_complete(asyncio.sleep(0))
    loop.close()
    for _ in range(2):
        turn = asyncio.run(slots.take(heavy=heavy, timeout=0.1))
        assert (slots.free, slots.has(turn), waiting.done()) == (1, True, False)
        slots.give_back(turn)
    assert slots.free == 2


async def test_a_worker_killed_between_snippets_loses_only_the_variables() -> None:
    async with Sandbox.shared().session() as session:
        await session.run('x = 1', TABLE, answer)
        kill(_pid(session))
        lost = failed(await session.run('x', TABLE, answer))
        assert lost.session_lost
        assert lost.error.message.endswith('The session was reset: earlier variables are gone.')
        await session.run('x = 2', TABLE, answer)
        kill(_pid(session))
        completed(await session.run('y = 1', TABLE, answer))
        assert session.variables == {'y'}


async def test_after_a_cancelled_start_a_waiter_starts_its_own_worker() -> None:
    sandbox = Sandbox()
    starting = asyncio.create_task(sandbox.start())
    await asyncio.sleep(0)
    async with sandbox.session() as session:
        running = [asyncio.create_task(session.run('1 + 1', TABLE, answer)) for _ in range(3)]
        await asyncio.sleep(0)
        starting.cancel()
        assert all(isinstance(outcome, Completed) for outcome in await asyncio.gather(*running))
    assert starting.cancelled()
    await sandbox.close()


async def test_psutil_reads_the_processor_time_of_a_worker_without_proc(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip('psutil')
    async with Sandbox() as sandbox:
        session = sandbox.session()
        await session.run('sum(range(3_000_000))', TABLE, answer)
        assert session.worker is not None
        worker = process.Worker(session.worker)
        on_linux = worker.cpu_seconds
        monkeypatch.setattr(sys, 'platform', 'darwin')
        elsewhere = worker.cpu_seconds
    assert on_linux is not None
    assert elsewhere is not None
    assert elsewhere >= on_linux > 0
