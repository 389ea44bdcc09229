"""What is hard about a script means the same whether its worker lives through it or each step has a worker of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Literal, TypeAlias

import pytest

from tests.sandbox.tables import Table
from toolscript_sandbox import (
    Call,
    CallRecord,
    Completed,
    Deferred,
    Failed,
    Folder,
    Function,
    HostFiles,
    Limits,
    Sandbox,
    ToolError,
)
from toolscript_sandbox.execution.executor import LiveExecution, Options, restore, start
from toolscript_sandbox.execution.in_flight import InFlight, run_to_outcome
from toolscript_sandbox.execution.memory import Memory
from toolscript_sandbox.execution.preparation import Asked, Checked, Prepared
from toolscript_sandbox.execution.protocol import Answer, Calls, Execution, Left, Returned
from toolscript_sandbox.execution.state import State

from .stepwise import StepwiseExecution

pytestmark = pytest.mark.anyio
Kind: TypeAlias = Literal['live', 'stepwise']
PLAIN = Options()
both = pytest.mark.parametrize('kind', ['live', 'stepwise'])


TABLE = Table(
    {
        'tool': Function('tool', 'async def tool(name: str, seconds: float = 0) -> str: ...\n'),
        'fail': Function('fail', 'async def fail(name: str) -> str: ...\n'),
        'ask': Function('ask', 'async def ask(name: str) -> str: ...\n'),
        'alone': Function('alone', 'def alone(name: str) -> str: ...\n', sequential=True),
    }
)


@dataclass
class Desk:
    """Answers calls, and writes down when they start and end."""

    decided: bool = False
    log: list[str] = field(default_factory=list[str])

    async def __call__(self, call: Call) -> Any:
        name, seconds = str(call.args[0]), sum(call.args[1:])
        if call.function == 'ask' and not self.decided:
            raise Deferred(name)
        self.log.append(f'+{name}')
        await asyncio.sleep(seconds)
        self.log.append(f'-{name}')
        if call.function == 'fail':
            raise ToolError('ValueError', name)
        return name.upper()


def checked(code: str) -> Checked:
    """The script, as if the type checker had found it right."""
    prepared = Asked(code, TABLE, Limits(), {}, Memory(), has_files=True).prepared()
    assert isinstance(prepared, Prepared), prepared
    ready = prepared.judged([])
    assert isinstance(ready, Checked), ready
    return ready


@asynccontextmanager
async def beginning(kind: Kind, begins: Checked | bytes, options: Options = PLAIN) -> AsyncGenerator[Execution]:
    """An execution from its start, or from a saved state."""
    async with Sandbox() as sandbox:
        if kind == 'stepwise':
            yield StepwiseExecution(sandbox, begins, TABLE, Limits(), options, ask_again=True)
            return
        worker = await sandbox.worker(Limits())
        try:
            if isinstance(begins, Checked):
                yield await start(worker, begins, TABLE, Limits(), options)
            else:
                yield await restore(worker, begins, TABLE, Limits(), options)
        finally:
            await sandbox.give_back(worker)


async def outcome_of(
    kind: Kind, begins: Checked | bytes, desk: Desk, earlier: Sequence[CallRecord] = ()
) -> Completed | Failed | tuple[bytes, Sequence[CallRecord]]:
    """The outcome, or the state and the records of a script that waits."""
    async with beginning(kind, begins) as execution:
        in_flight = InFlight(desk, Limits(), earlier=earlier)
        outcome = await run_to_outcome(execution, in_flight)
        return (execution.state(), in_flight.log.with_others(())) if outcome is None else outcome


CASES = {
    'gather': ("await asyncio.gather(tool('a'), tool('b'), tool('c'))", ['A', 'B', 'C']),
    'a caught error': (
        "try:\n    await asyncio.gather(tool('a', 0.05), fail('b'))\nexcept ValueError as e:\n    r = str(e)\nr",
        'b',
    ),
    'an error caught in a loop': (
        'r = []\nfor n in "ab":\n    try:\n        r.append(await fail(n))\n    except ValueError as e:\n'
        "        r.append(f'no {e}')\nr",
        ['no a', 'no b'],
    ),
    'a deadline that passes': (
        "try:\n    r = await asyncio.wait_for(tool('a', 5), 0.1)\nexcept TimeoutError:\n    r = 'late'\nr",
        'late',
    ),
    'a deadline that does not': ("await asyncio.wait_for(tool('a', 0.01), 5)", 'A'),
    'tasks and a lock': (
        'lock, r = asyncio.Lock(), []\nasync def one(n):\n    async with lock:\n        r.append(await tool(n, 0.01))\n'
        'await asyncio.gather(*[asyncio.create_task(one(n)) for n in "abc"])\nr',
        ['A', 'B', 'C'],
    ),
    'a cancelled task': (
        "t = asyncio.create_task(tool('a', 5))\nawait asyncio.sleep(0.05)\nt.cancel()\n"
        "try:\n    await t\nexcept asyncio.CancelledError:\n    r = 'cancelled'\nr, t.cancelled()",
        ['cancelled', True],
    ),
    'sleeps of both kinds': (
        "import time\ntime.sleep(0.02)\nawait asyncio.gather(asyncio.sleep(0.02, 'a'), tool('b', 0.01))",
        ['a', 'B'],
    ),
    'a task that polls': (
        "t = asyncio.create_task(tool('a', 0.02))\nwhile not t.done():\n    await asyncio.sleep(0.001)\nt.result()",
        'A',
    ),
    'a barrier': (
        "t = asyncio.create_task(tool('a', 0.02))\nawait asyncio.sleep(0)\n[alone('b'), await t]",
        ['B', 'A'],
    ),
    'no call': ('1 + 1', 2),
}


@both
@pytest.mark.parametrize(('code', 'value'), CASES.values(), ids=CASES.keys())
async def test_a_script_comes_to_the_same(kind: Kind, code: str, value: object) -> None:
    outcome = await outcome_of(kind, checked(f'import asyncio\n{code}'), Desk())
    assert isinstance(outcome, Completed), outcome
    assert outcome.value == value


async def test_the_records_of_both_are_the_same() -> None:
    code = "import asyncio\ntry:\n    await asyncio.gather(tool('a', 5), fail('b'))\nexcept ValueError:\n    pass\n"
    code += "t = asyncio.create_task(tool('c', 5))\nawait asyncio.sleep(0.02)\nt.cancel()\nawait tool('d')\n[][0]"
    live, stepwise = [await outcome_of(kind, checked(code), Desk()) for kind in ('live', 'stepwise')]
    assert isinstance(live, Failed)
    assert live == stepwise
    assert [(record.status, record.error) for record in live.calls] == [
        ('failed', 'CancelledError: the script cancelled it while it ran; what it did is unknown'),
        ('failed', 'ValueError: b'),
        ('failed', 'CancelledError: the script cancelled it while it ran; what it did is unknown'),
        ('finished', None),
    ]


PAUSES = "import asyncio\nprint('before')\nawait asyncio.gather(tool('a', 0.01), ask('b'), tool('c'), ask('d'))"


@pytest.mark.parametrize('first', ['live', 'stepwise'])
@pytest.mark.parametrize('then', ['live', 'stepwise'])
async def test_a_pause_in_the_middle_of_a_gather_ends_in_whichever_execution(first: Kind, then: Kind) -> None:
    desk = Desk()
    paused = await outcome_of(first, checked(PAUSES), desk)
    assert isinstance(paused, tuple)
    state, calls = paused
    assert [(record.call.id, record.status) for record in calls] == [
        *[(1, 'finished'), (2, 'waiting')],
        *[(3, 'finished'), (4, 'waiting')],
    ]
    assert sorted(State.from_bytes(state).open) != []
    desk.decided = True
    outcome = await outcome_of(then, state, desk, calls)
    assert isinstance(outcome, Completed), outcome
    assert (outcome.value, outcome.stdout) == (['A', 'B', 'C', 'D'], 'before\n')
    assert [record.status for record in outcome.calls] == ['finished'] * 4
    assert sorted(desk.log) == [f'{when}{name}' for when in '+-' for name in 'abcd']


@both
async def test_a_deadline_stops_while_a_person_decides(kind: Kind) -> None:
    code = (
        "import asyncio\ntry:\n    r = await asyncio.wait_for(ask('a'), 0.05)\nexcept TimeoutError:\n    r = 'late'\nr"
    )
    async with beginning(kind, checked(code)) as execution:
        step = await execution.advance(())
        assert isinstance(step, Calls)
        while isinstance(step, Calls) and not step.new:
            step = await execution.advance(())
        assert isinstance(step, Calls)
        (call,) = step.new
        in_flight = InFlight(Desk(), Limits())
        (answer,) = await in_flight.answer(step)
        step = await execution.advance([answer])
        assert step == Calls()
        await asyncio.sleep(0.1)
        step = await execution.advance([Answer(call.id, Returned('yes'))])
        assert isinstance(step, Completed), step
        assert step.value == 'yes'


@both
async def test_an_answer_to_a_cancellation_may_come_later(kind: Kind) -> None:
    code = (
        "import asyncio\nt = asyncio.create_task(tool('a'))\nawait asyncio.sleep(0)\nt.cancel()\n"
        "try:\n    await t\nexcept asyncio.CancelledError:\n    r = 'cancelled'\nr"
    )
    async with beginning(kind, checked(code)) as execution:
        steps = [await execution.advance(())]
        while isinstance(steps[-1], Calls) and not steps[-1].cancelled:
            steps.append(await execution.advance(()))
        assert isinstance(steps[-1], Calls)
        assert (steps[-1].cancelled, steps[-1].wake_in) == ((1,), 0)
        assert await execution.advance(()) == Calls()
        outcome = await execution.advance([Answer(1, Left())])
        assert isinstance(outcome, Completed)
        assert outcome.value == 'cancelled'


@both
async def test_an_answer_to_no_open_call_is_refused(kind: Kind) -> None:
    async with beginning(kind, checked("await tool('a')")) as execution:
        await execution.advance(())
        with pytest.raises(ValueError, match='call 7 is not open, so it takes no answer'):
            await execution.advance([Answer(7, Returned(None))])


async def test_a_killed_worker_ends_a_live_script_and_no_stepwise_one() -> None:
    async def run(kind: Kind, kill: Callable[[Execution], None]) -> Completed | Failed | None:
        async with beginning(kind, checked("a = await tool('a')\nb = await tool('b')\na + b")) as execution:

            async def dispatch(call: Call) -> str:
                kill(execution)
                return call.args[0]

            return await run_to_outcome(execution, InFlight(dispatch, Limits()))

    def kill(execution: Execution) -> None:
        assert isinstance(execution, LiveExecution)
        execution.worker.kill()

    live = await run('live', kill)
    assert isinstance(live, Failed)
    assert (live.error.kind, live.session_lost) == ('crash', True)
    # Between two of its steps there is no worker that could be killed.
    stepwise = await run('stepwise', lambda _: None)
    assert isinstance(stepwise, Completed)
    assert stepwise.value == 'ab'


@both
async def test_a_step_without_calls_comes_before_a_file_changes(kind: Kind, tmp_path: Path) -> None:
    files = HostFiles({'/out': Folder(tmp_path, writable=True)})
    code = checked("from pathlib import Path\nPath('/out/a').write_text('text')")
    async with beginning(kind, code, Options(checkpoints=True, files=files)) as execution:
        assert await execution.advance(()) == Calls(wake_in=0, checkpoint=True)
        assert files.names(PurePosixPath('/out')) == []
        assert isinstance(await execution.advance(()), Completed)
    assert (tmp_path / 'a').read_text() == 'text'
