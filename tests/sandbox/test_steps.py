"""Scripts behave the same with one worker for the whole script and with one for each step."""

from __future__ import annotations

import asyncio
import json
import math
import time
from ast import literal_eval
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pytest

from tests.sandbox.outcomes import completed, failed, suspended
from tests.sandbox.tables import table
from tests.text_cases import TextCase, text_cases
from toolscript_sandbox import Call, CallRecord, Completed, Deferred, Limits, Outcome, Sandbox, Suspended, ToolError
from toolscript_sandbox.session import Session
from toolscript_sandbox.steps import SteppedSession, take_step

Kind: TypeAlias = Literal['live', 'stepped']
KINDS: tuple[Kind, ...] = ('live', 'stepped')
both = pytest.mark.parametrize('kind', KINDS)

TABLE = table(
    'async def tool(name: str, seconds: float = 0) -> str: ...',
    'async def fail(name: str) -> str: ...',
    'async def ask(name: str, seconds: float = 0) -> str: ...',
    'def alone(name: str) -> str: ...',
    'async def batch(items: list[int]) -> int: ...',
    'def one_batch(items: list[int]) -> int: ...',
)


@dataclass
class Desk:
    """Answers calls, and records when they start and end."""

    decided: bool = False
    log: list[str] = field(default_factory=list[str])
    printed: list[str] = field(default_factory=list[str])

    async def __call__(self, call: Call) -> Any:
        name, seconds = str(call.args[0]), sum(call.args[1:])
        self.printed.append(call.stdout)
        if call.function == 'ask' and not self.decided:
            raise Deferred(name)
        self.log.append(f'+{name}')
        await asyncio.sleep(seconds)
        self.log.append(f'-{name}')
        if call.function == 'fail':
            raise ToolError('ValueError', name)
        return name.upper()


@asynccontextmanager
async def session(kind: Kind, **settings: int) -> AsyncGenerator[Session]:
    sandbox, limits = Sandbox.shared(), Limits(**settings)

    async def take(text: str) -> str:
        return await take_step(sandbox, text)

    async with (
        sandbox.session(limits=limits) if kind == 'live' else SteppedSession(sandbox, limits, take, patience=1.0)
    ) as session:
        yield session


async def run(kind: Kind, code: str, desk: Desk | None = None) -> Outcome:
    async with session(kind) as own:
        return await own.run(code, TABLE, desk or Desk())


async def resume(kind: Kind, state: bytes, desk: Desk, calls: Sequence[CallRecord]) -> Outcome:
    async with session(kind) as own:
        return await own.resume(state, TABLE, desk, calls=calls)


CASES = text_cases(Path(__file__).with_name('steps.txt'))


@both
@pytest.mark.parametrize('case', CASES, ids=str)
async def test_a_script_in_steps_has_the_same_result(kind: Kind, case: TextCase) -> None:
    assert completed(await run(kind, f'import asyncio\n{case.given}')).value == literal_eval(case.expected)


async def test_a_script_in_steps_has_the_same_records() -> None:
    code = "import asyncio\ntry:\n    await asyncio.gather(tool('a', 500), fail('b'))\nexcept ValueError:\n    pass\n"
    code += "t = asyncio.create_task(tool('c', 500))\nawait asyncio.sleep(0.02)\nt.cancel()\nawait tool('d')\n[][0]"
    live, stepped = failed(await run('live', code)), failed(await run('stepped', code))
    assert (live.error, live.calls) == (stepped.error, stepped.calls)
    assert [(record.status, record.error) for record in live.calls] == [
        ('failed', 'CancelledError: the script cancelled it while it ran; what it did is unknown'),
        ('failed', 'ValueError: b'),
        ('failed', 'CancelledError: the script cancelled it while it ran; what it did is unknown'),
        ('finished', None),
    ]


FAILURES = {
    'an error beside a call': "t = asyncio.create_task(tool('a', 500))\nfor _ in range(9):\n    await asyncio.sleep(0)\n[][0]",
    'a limit whose exception is caught': (
        "lock = asyncio.Lock()\ntry:\n    async with lock, lock:\n        pass\nexcept BaseException:\n    await tool('a')"
    ),
    'a limit of all steps': "for name in 'abc':\n    print('x' * 400_000)\n    await tool(name)",
    'a call cancelled while it waits for a decision': (
        "t = asyncio.create_task(ask('a'))\nawait asyncio.sleep(0)\nt.cancel()\nawait tool('b')\n[][0]"
    ),
}


@pytest.mark.parametrize('code', FAILURES.values(), ids=FAILURES.keys())
async def test_a_script_in_steps_fails_alike(code: str) -> None:
    live, stepped = [failed(await run(kind, f'import asyncio\n{code}')) for kind in KINDS]
    assert (live.error, live.calls, len(live.stdout)) == (stepped.error, stepped.calls, len(stepped.stdout))
    assert not any(record.error and 'unknown' in record.error for record in live.calls if record.call.function == 'ask')


@both
async def test_a_call_has_the_output_since_the_previous_one(kind: Kind) -> None:
    desk = Desk()
    code = (
        "import asyncio\nfor n in 'ab':\n    print(n)\n    await asyncio.sleep(0.001)\n    print(n)\n    await tool(n)"
    )
    completed(await run(kind, code, desk))
    assert desk.printed == ['a\na\n', 'b\nb\n']


@pytest.mark.parametrize(('kind', 'call'), [('live', 'tool'), ('live', 'ask'), ('stepped', 'tool'), ('stepped', 'ask')])
async def test_a_script_that_leaves_no_memory_for_its_state_fails(kind: Kind, call: str) -> None:
    async def save(state: bytes, calls: Sequence[CallRecord]) -> None:
        pass

    desk, code = Desk(), f"big = 'x' * 6_000_000\nawait {call}('a')"
    async with session(kind, max_memory_bytes=10_000_000) as own:
        outcome = failed(await own.run(code, TABLE, desk, checkpoint=save if call == 'tool' else None))
        assert completed(await own.run('1', TABLE, desk)).value == 1
    assert 'Limit max_memory_bytes' in outcome.error.message
    assert (outcome.session_lost, desk.log) == (True, [])


async def test_a_script_that_is_too_large_for_a_step_leaves_the_variables_before_it() -> None:
    desk, noise = Desk(), "''.join([chr(random.randint(33, 1000)) for _ in range(60_000)])"
    async with session('stepped', max_step_bytes=50_000) as own:
        completed(await own.run('n = 1', TABLE, desk))
        outcome = failed(await own.run(f"import random\nbig = {noise}\nawait tool('a')", TABLE, desk))
        assert 'max_step_bytes' in outcome.error.message
        assert (completed(await own.run('n', TABLE, desk)).value, desk.log) == (1, [])


async def test_a_call_cancelled_before_the_script_gets_its_answer_has_finished() -> None:
    async def answer(call: Call) -> str:
        return 45_000 * call.args[0]

    code = "import asyncio\nts = [asyncio.create_task(tool(n)) for n in 'abc']\n"
    code += '_, left = await asyncio.wait(ts, return_when=asyncio.FIRST_COMPLETED)\nfor t in left:\n    t.cancel()\n'
    code += 'await asyncio.gather(*left, return_exceptions=True)\nlen(left)'
    async with session('stepped', max_step_bytes=50_000) as own:
        outcome = completed(await own.run(code, TABLE, answer))
    assert outcome.value == 2, 'some answers fit into one step'
    assert [record.status for record in outcome.calls] == ['finished'] * 3


QUOTES = {
    'output': ("""r = [await tool('a')]\nprint('"' * 90_000)\nr""", ['A']),
    'output before an error': ("""print('"' * 90_000)\n[][0]""", 'IndexError'),
    'output before a call': ("""print('"' * 90_000)\nawait tool('a')""", 'Print less'),
    'a result': ("""x = '"' * 34_000\nx""", 'Return less of it'),
    'arguments': ("""await asyncio.gather(*[tool('"' * n) for n in (20_000, 20_001)])""", 'pass less at a time'),
    'arguments of calls that do not run': ("""await asyncio.gather(*[tool(n * 60_000) for n in 'abc'])""", 'pass less'),
}


@pytest.mark.parametrize(('code', 'expected'), QUOTES.values(), ids=QUOTES.keys())
async def test_a_step_gives_an_engine_no_more_than_it_can_store_of(code: str, expected: object) -> None:
    desk, sizes, limits = Desk(), list[int](), Limits(max_step_bytes=70_000)

    async def take(text: str) -> str:
        taken = await take_step(Sandbox.shared(), text)
        # An engine stores it as text in JSON, which writes each quote of a text in JSON as four characters.
        sizes.append(len(json.dumps(taken, ensure_ascii=False)))
        return taken

    async with SteppedSession(Sandbox.shared(), limits, take, patience=1.0) as own:
        outcome = await own.run(f'import asyncio\n{code}', TABLE, desk)
        assert max(sizes) <= 2 * limits.max_step_bytes
        if isinstance(expected, str):
            assert expected in failed(outcome).error.message
            assert not desk.log
        else:
            assert completed(outcome).value == expected
            assert '90,001 characters; a durable workflow keeps' in outcome.stdout
        assert completed(await own.run("await tool('b')", TABLE, desk)).value == 'B'


async def test_variables_that_leave_no_memory_for_their_state_are_reported_as_gone() -> None:
    async with session('stepped', max_memory_bytes=10_000_000) as own:
        outcome = completed(await own.run("big = ['x' * 1_000_000 for _ in range(6)]\n1", TABLE, Desk()))
    assert outcome.changes == ('what the script left is too large to be kept for the next script',)
    assert not own.variables


# No running call is cancelled here, so those that would run for minutes are left out.
GROUPED = {
    str(case): (case.given, literal_eval(case.expected)) for case in CASES if "tool('a', 500)" not in case.given
} | {
    'calls of several sizes': (
        'r = await asyncio.gather(*[batch([n] * (30_000 if n % 3 == 0 else 1)) for n in range(9)])\n'
        "[*r, await tool('a')]",
        [*range(9), 'A'],
    ),
    'more calls than start together': ('await asyncio.gather(*[batch([n]) for n in range(9)])', [*range(9)]),
    'a call that runs alone': (
        'await asyncio.gather(batch([1]), asyncio.to_thread(one_batch, [2]), batch([3]))',
        [1, 2, 3],
    ),
}


@pytest.mark.parametrize(('code', 'value'), GROUPED.values(), ids=GROUPED.keys())
async def test_engines_that_count_units_find_calls_in_their_order_and_no_step_beside_them(
    code: str, value: object
) -> None:
    sandbox, limits, running, begun = Sandbox.shared(), Limits(max_concurrent_calls=4), set[int](), list[int]()

    async def take(text: str) -> str:
        assert not running
        return await take_step(sandbox, text)

    async def answer(call: Call) -> Any:
        running.add(call.id)
        begun.append(call.id)
        await asyncio.sleep(0.01)
        running.discard(call.id)
        if call.function == 'fail':
            raise ToolError('ValueError', call.args[0])
        return call.args[0][0] if 'batch' in call.function else call.args[0].upper()

    async with SteppedSession(sandbox, limits, take, patience=math.inf) as own:
        outcome = completed(await own.run(f'import asyncio\n{code}', TABLE, answer))
    assert outcome.value == value
    assert begun == [record.call.id for record in outcome.calls]


async def test_an_answer_may_come_when_the_deadline_has_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = asyncio.get_running_loop()
    call_later = loop.call_later

    def as_temporal(delay: float, *arguments: Any, **options: Any) -> asyncio.TimerHandle:
        assert delay >= 0
        return call_later(delay, *arguments, **options)

    async def answer(call: Call) -> Any:
        if call.args[0] == 'late':
            # As long as no worker runs a workflow, neither a deadline nor an answer is noticed.
            time.sleep(0.5)  # noqa: ASYNC251
        else:
            await asyncio.sleep(60)

    monkeypatch.setattr(loop, 'call_later', as_temporal)
    code = "async with asyncio.timeout(0.2):\n    await asyncio.gather(tool('late'), tool('running'))"
    async with session('stepped') as own:
        outcome = failed(await own.run(f'import asyncio\n{code}', TABLE, answer))
    assert outcome.error.type_name == 'TimeoutError'


PAUSES = "import asyncio\nprint('before')\nawait asyncio.gather(tool('a', 0.01), ask('b'), tool('c'), ask('d'))"


@pytest.mark.parametrize('first', KINDS)
@pytest.mark.parametrize('then', KINDS)
async def test_a_gather_that_waits_in_the_middle_continues_in_either_kind_of_session(first: Kind, then: Kind) -> None:
    desk = Desk()
    paused = suspended(await run(first, PAUSES, desk))
    assert [(record.call.id, record.status) for record in paused.calls] == [
        *[(1, 'finished'), (2, 'waiting')],
        *[(3, 'finished'), (4, 'waiting')],
    ]
    desk.decided = True
    outcome = completed(await resume(then, paused.state, desk, paused.calls))
    assert (outcome.value, outcome.stdout) == (['A', 'B', 'C', 'D'], 'before\n')
    assert [record.status for record in outcome.calls] == ['finished'] * 4
    assert sorted(desk.log) == [f'{when}{name}' for when in '+-' for name in 'abcd']


@both
async def test_a_deadline_stops_while_a_person_decides(kind: Kind) -> None:
    outcome: Outcome | None = None
    # A busy machine may need more than the shorter deadlines allow, before or after the decision.
    for deadline in (0.05, 1, 10):
        outcome = await run(kind, f"import asyncio\nawait asyncio.wait_for(ask('a', 0.01), {deadline})")
        if isinstance(outcome, Suspended):
            await asyncio.sleep(2 * deadline)
            outcome = await resume(kind, outcome.state, Desk(decided=True), outcome.calls)
        if isinstance(outcome, Completed):
            break
    assert outcome is not None
    assert completed(outcome).value == 'A'
