"""Programs with tasks, beside CPython: results, prints, and when calls start, end and are cancelled.

`# with N = 1, 2` in the first line of a program: it is one program for each of these; only the first runs in steps for
each change.
"""

import gc
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from _pytest.mark import ParameterSet

from tests.sampling import sampled
from tests.sandbox.outcomes import failed, run_script
from toolscript_sandbox import Call

from .both import TABLE, Seen, in_monty, in_python
from .generated import patient_program, program


def _programs(path: Path) -> Iterator[list[str]]:
    for text in path.read_text().split('# ---\n'):
        first, _, rest = text.partition('\n')
        given = re.fullmatch(r'# with (\w+) = (.+)', first)
        yield [f'{given[1]} = {value}\n{rest}' for value in given[2].split(', ')] if given else [text]


def _runs() -> Iterator[ParameterSet]:
    for path in sorted((Path(__file__).parent / 'programs').glob('*.*')):
        for number, variants in enumerate(_programs(path), 1):
            for place, text in enumerate(variants):
                yield pytest.param(text, None, id=f'{path.stem}-{number}-{place}-live')
                marks = [pytest.mark.long] * (place > 0)
                yield pytest.param(text, 0.0, id=f'{path.stem}-{number}-{place}-stepped', marks=marks)


kinds = pytest.mark.parametrize('patience', [None, 0.0], ids=['live', 'stepped'])


@pytest.mark.parametrize(('text', 'patience'), [*_runs()])
def test_programs_behave_as_in_asyncio(text: str, patience: float | None) -> None:
    assert in_monty(text, patience=patience) == in_python(text)


def test_a_deadline_does_not_pass_because_answers_wait_for_others() -> None:
    text = "import asyncio\nt = asyncio.create_task(tool('d', 50))\nasync def work():\n"
    text += "    return [await tool(name, 0.3) for name in 'abc']\nawait asyncio.wait_for(work(), 1)"
    assert in_monty(text, patience=1.0).value == ['a', 'b', 'c']


def test_where_a_replay_answers_in_any_order_scripts_get_answers_in_the_order_of_calls() -> None:
    text = 'import asyncio\ndone = []\nasync def one(name, seconds):\n    done.append(await tool(name, seconds))\n'
    text += "await asyncio.gather(one('a', 3), one('b', 2), one('c', 1))\ndone"
    assert in_monty(text, patience=math.inf).value == ['a', 'b', 'c']


@kinds
@pytest.mark.parametrize('text', (Path(__file__).parent / 'programs' / 'decisions.txt').read_text().split('# ---\n'))
def test_programs_that_pause_give_the_same_result(text: str, patience: float | None) -> None:
    # The last waiting call is decided first, so the prints come in another order.
    asked = in_monty(text, waits=lambda call: call.function == 'ask', patience=patience)
    straight = in_python(text)
    assert (asked.value, asked.error) == (straight.value, straight.error)
    assert sorted(asked.stdout.splitlines()) == sorted(straight.stdout.splitlines())
    assert _ended(asked) == _ended(straight)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason='later versions take other turns around what is over already')
@pytest.mark.filterwarnings('ignore:coroutine .* was never awaited:RuntimeWarning')
@kinds
@pytest.mark.parametrize('start', sampled(range(0, 60, 5), 1))
def test_generated_programs_behave_as_in_asyncio(start: int, patience: float | None) -> None:
    for seed in range(start, start + 5):
        code = program(seed)
        assert _promised(in_monty(code, patience=patience), code) == _promised(in_python(code), code), (
            f'seed {seed}\n{code}'
        )
    gc.collect()  # CPython's warnings about coroutines that a cancelled task never awaited arrive here.


@pytest.mark.parametrize('start', sampled(range(10, 50, 3), 1))
def test_generated_programs_that_pause_give_the_same_result(start: int) -> None:
    for seed in range(start, start + 3):
        code = patient_program(seed)
        asked = set[int]()

        def waits(call: Call, seed: int = seed, asked: set[int] = asked) -> bool:
            if Random(f'{seed} {call.id}').random() < 0.3:
                asked.add(call.id)
            return call.id in asked

        paused, straight = in_monty(code, waits=waits), in_python(code)
        assert _in_any_order(paused) == _in_any_order(straight), f'seed {seed}\n{code}'
        assert asked or len(straight.started) < 10, 'no call ever waited'


def _promised(seen: Seen, code: str) -> tuple[object, ...]:
    """A group cancels its tasks in no order, because it stores them in a set."""
    lines, started = seen.stdout.splitlines(), list(seen.started)
    if 'TaskGroup' in code:
        lines, started = sorted(lines), sorted(started)
    return seen.value, lines, seen.error, started, seen.log


def _in_any_order(seen: Seen) -> tuple[object, ...]:
    return seen.value, sorted(seen.stdout.splitlines()), seen.error, _ended(seen), sorted(seen.started)


def _ended(seen: Seen) -> list[str]:
    words = [entry.split() for entry in seen.log]
    return sorted(name for _, what, name in words if what == 'end')


async def never(call: Call) -> str:
    raise AssertionError(call)


@pytest.mark.parametrize(
    'code',
    [
        "_loop__('park', -1, None, 'x' * 1000)",
        "import asyncio\nasyncio.create_task(tool('a', 1))\n_loop__('doom', 7, 'never parked')",
        "ask = _loop__\nfor number in range(200_000):\n    ask('soon', number)",
    ],
)
async def test_direct_use_of_the_event_loop_is_refused_before_anything_runs(code: str) -> None:
    outcome = failed(await run_script(code, TABLE, never))
    assert '`_loop__` used when not defined' in outcome.error.message
