"""Every script is checked, in time that is linear in its text, and the same text once."""

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from benchmarks.processes import children
from tests.corpus.table import TABLE, answer
from tests.sandbox.outcomes import completed, failed, run_script
from tests.sandbox.processes import kill
from tests.sandbox.tables import Table, table
from tests.sandbox.test_language import assert_linear
from tests.sandbox.test_literal_arguments import FUNCTION, PERSON
from toolscript_sandbox import Call, Folder, Function, Functions, HostFiles, Limits, Outcome, Sandbox, Unavailable
from toolscript_sandbox.checking import check_policy
from toolscript_sandbox.checking.checker import CheckContext, Diagnostic
from toolscript_sandbox.execution.memory import Memory
from toolscript_sandbox.execution.preparation import Asked, Prepared
from toolscript_sandbox.workers.checkers import Checkers
from toolscript_sandbox.workers.workers import Stats

BRANCHES = 'import random\nx = 0\n' + '\n'.join(f'if random.random() > 0.{i + 1}:\n    x = [x]' for i in range(30))
"""A snippet of one page whose check would take hours."""

NESTED = {
    'functions': 'def f{i}():',
    'one name': 'def f():',
    'coroutines': 'async def f{i}():',
    'parameters': 'def f{i}(a, b=1):',
}


async def answer_one(call: Call) -> int:
    return 1


async def _never(call: Call) -> Any:
    raise AssertionError(f'{call} ran')


async def test_a_script_that_was_prepared_elsewhere_is_checked_for_its_own_environment(tmp_path: Path) -> None:
    (tmp_path / 'n').write_text('7')
    with_files = HostFiles({'/data': Folder(tmp_path)})
    reads, calls, sums = "open('/data/n').read()", 'await get(1)', 'given + 1'
    assert completed(await run_script(reads, files=with_files)).value == '7'
    assert completed(await run_script(calls, table('async def get(n: int) -> int: ...'), answer_one)).value == 1
    async with Sandbox.shared().session() as session:
        assert completed(await session.run(sums, TABLE, answer, predefined={'given': 1})).value == 2
    texts = table('async def get(n: str) -> int: ...')
    refused = [await run_script(reads), await run_script(calls, texts, _never), await run_script(sums)]
    assert [failed(outcome).error.kind for outcome in refused] == ['types'] * 3


@pytest.mark.long
async def test_the_last_of_thousands_of_functions_is_checked_like_the_first() -> None:
    async with Sandbox(checkers=1) as sandbox:
        for number in range(1_200):
            only = table(f'async def tool_{number}(number: int, kind_{number}: str = ...) -> int: ...')
            async with sandbox.session() as session:
                outcome = await session.run(f"await tool_{number}('a')", only, _never)
            assert failed(outcome).error.kind == 'types'
        stats = sandbox.stats
    assert (stats.checks_repeated, stats.checks_failed, stats.checks_stopped) == (0, 0, 0)


async def test_a_check_that_does_not_end_is_stopped_and_the_snippet_refused(caplog: pytest.LogCaptureFixture) -> None:
    async with Sandbox(check_seconds=0.5) as sandbox, sandbox.session() as session:
        await session.run('kept = 1', TABLE, answer)
        outcome = failed(await session.run(BRANCHES, TABLE, answer))
        assert (outcome.error.kind, outcome.session_lost) == ('types', False)
        assert outcome.error.message.startswith('The type check of this script was stopped after 0.5 s. ')
        assert outcome.error.message.endswith('Nothing was run.')
        completed(await session.run('kept', TABLE, answer))
        assert sandbox.stats.checks_stopped == 1
    assert 'took more than 0.5 s' in caplog.text


async def test_small_checks_do_not_wait_for_endless_ones() -> None:
    async with Sandbox(check_seconds=1000) as sandbox:

        async def hostile() -> None:
            async with sandbox.session() as session:
                await session.run(BRANCHES, TABLE, answer)

        waiting = [asyncio.create_task(hostile()) for _ in range(2 * (os.cpu_count() or 1) + 2)]
        await asyncio.sleep(0.1)
        async with asyncio.timeout(120), sandbox.session() as session:
            for _ in range(3):
                completed(await session.run('x = 1 + 1', TABLE, answer))
        assert not any(task.done() for task in waiting)
        for task in waiting:
            task.cancel()
        await asyncio.wait(waiting)
        async with sandbox.session() as session:
            completed(await session.run('1 + 1', TABLE, answer))


@pytest.mark.parametrize('head', NESTED.values(), ids=NESTED.keys())
@pytest.mark.parametrize('depth', [20, 60])
async def test_extremely_nested_functions_are_refused_without_a_check(head: str, depth: int) -> None:
    code = '\n'.join(' ' * level + head.format(i=level) for level in range(depth)) + '\n' + ' ' * depth + 'pass'
    async with Sandbox(check_seconds=1000) as sandbox, sandbox.session() as session:
        outcome = failed(await session.run(code, TABLE, answer))
    assert f'Functions are nested {depth} deep; 12 are allowed.' in outcome.error.message


@pytest.mark.skipif(not Path('/proc/self/task').is_dir(), reason='finds the checker in /proc')
async def test_a_snippet_whose_checkers_die_is_refused_and_counted(caplog: pytest.LogCaptureFixture) -> None:
    others = children()
    async with Sandbox(check_seconds=1000) as sandbox, sandbox.session() as session:
        running = asyncio.create_task(session.run(BRANCHES, TABLE, answer))
        while not running.done():
            await asyncio.sleep(0.02)
            if sandbox.stats.checks > 1:
                for process in children() - others:
                    with suppress(ProcessLookupError):
                        os.kill(process, signal.SIGKILL)
        outcome = await running
        assert failed(outcome).error.message == (
            'This script could not be checked: the type checker failed twice. Write it simpler, in smaller steps.\n'
            'Nothing was run.'
        )
        stats = sandbox.stats
        assert (stats.checks_repeated, stats.checks_failed) == (1, 1)
        completed(await session.run('1 + 1', TABLE, answer))
    assert 'a script could not be checked, and was refused' in caplog.text


@pytest.mark.skipif(not Path('/proc/self/task').is_dir(), reason='finds the checker in /proc')
async def test_a_checker_killed_while_idle_is_replaced_silently() -> None:
    others = children()
    async with Sandbox() as sandbox:
        # Its check would fail and reveal a checker that is still dying.
        kill(*children() - others)
        async with sandbox.session() as session:
            assert failed(await session.run("'a' + get_user", TABLE, answer)).error.kind == 'types'
            completed(await session.run('1 + 1', TABLE, answer))
        assert sandbox.stats.checks_failed == 0


async def test_waiting_for_a_checker_ends_with_a_message() -> None:
    checkers = Checkers(max_processes=1, seconds=0.0001, idle_seconds=5, counts=Stats())
    checks = [asyncio.create_task(checkers.check('1', CheckContext())) for _ in range(2)]
    await asyncio.wait(checks)
    with pytest.raises(Unavailable, match='every type checker of the sandbox is busy'):
        checks[1].result()
    await checkers.close()
    _ = checks[0].exception()


_FUNCTIONS = Table(save=FUNCTION)
_SHAPES = {
    'undefined names in one line': ('x = [', 'a.b, ', ']'),
    'wide characters': ("x = ['é', ", 'a.b, ', ']'),
    'wrong calls': ('', 'await save(1)\n', ''),
    'wrong calls in one line': ('import asyncio\nawait asyncio.gather(', f'save({PERSON}, count="zz"), ', ')'),
    'calls of one variable': (f'person = {PERSON}\n', 'await save(person)\n', ''),
    'changes': ('person = {}\n', "person.update(kind='adult')\nperson['a'] = 1\nawait save(person)\n", ''),
    'wrong calls that are expected': ('', 'try:\n    await save(1)\nexcept ValueError:\n    pass\n', ''),
    'unknown keys': (f'x = await save({PERSON})\n', "x['titel']\nx.foo\n", ''),
    'sums': ('a = []\n', 'a = a + a\na.b\n', ''),
}


async def _prepared(code: str) -> tuple[Prepared, list[Diagnostic]]:
    prepared = Asked(code, _FUNCTIONS, Limits(), {}, Memory()).prepared()
    assert isinstance(prepared, Prepared)
    return prepared, await Sandbox.shared().check(code, prepared.context)


@pytest.mark.parametrize('shape', _SHAPES)
async def test_the_work_of_a_check_is_linear_in_the_text(shape: str) -> None:
    head, part, tail = _SHAPES[shape]
    (small, few), (large, many) = [await _prepared(head + part * times + tail) for times in (50, 100)]
    assert_linear(lambda: small.refusal(few), lambda: large.refusal(many))


async def test_a_slow_policy_check_refuses_the_snippet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_policy, 'SECONDS', 0.0)
    async with Sandbox.shared().session() as session:
        refused = await session.check('await save(1)', _FUNCTIONS)
    assert refused is not None
    assert refused.error.message == (
        'The check of this snippet was stopped after 0 s. Write it shorter, or in several steps.\nNothing was run.'
    )


async def test_only_the_first_of_very_many_findings_are_read() -> None:
    _, findings = await _prepared('x = [' + 'a.b, ' * 2_500 + ']')
    assert len(findings) == 2_000
    assert findings == sorted(findings, key=lambda finding: (finding.line, finding.column))


async def _answer(call: Call) -> Any:
    return 2 * call.kwargs['of']


async def _ran(sandbox: Sandbox, code: str, functions: Functions = TABLE, before: str = '') -> Outcome:
    async with sandbox.session() as session:
        if before:
            await session.run(before, functions, _answer)
        return await session.run(code, functions, _answer)


async def test_a_snippet_in_many_sessions_is_checked_once() -> None:
    async with Sandbox() as sandbox:
        warmed = sandbox.stats.checks
        for _ in range(3):
            completed(await _ran(sandbox, 'sum([1, 2, 31_415])'))
        assert sandbox.stats.checks == warmed + 1


async def test_a_change_of_the_session_checks_again() -> None:
    async with Sandbox() as sandbox:
        completed(await _ran(sandbox, 'count_here + 1', before='count_here = 1'))
        failed(await _ran(sandbox, 'count_here + 1'))
        failed(await _ran(sandbox, 'count_here + 1', before="count_here = 'a'"))
        completed(await _ran(sandbox, 'count_here + 1', before='count_here = 1'))


async def test_a_change_of_a_signature_checks_again() -> None:
    def objects(word: str, value: Any) -> str | None:
        return 'only 2 can be doubled'

    takes_numbers = Function('double', 'async def double(of: int) -> int: ...', validate=objects)
    async with Sandbox() as sandbox:
        code = 'x = await double(of=1)'
        failed(await _ran(sandbox, code, table('async def double(of: str) -> int: ...')))
        objecting = failed(await _ran(sandbox, code, Table(double=takes_numbers)))
    assert 'only 2 can be doubled' in objecting.error.message


async def test_a_check_that_timed_out_is_tried_again() -> None:
    async with Sandbox(check_seconds=0.5) as sandbox:
        for _ in range(2):
            failed(await _ran(sandbox, BRANCHES))
        assert sandbox.stats.checks_stopped == 2
