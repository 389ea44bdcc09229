"""Live runs against a provider on loopback, with a simulated model that errs as real ones do."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from pydantic_ai.messages import ModelMessagesTypeAdapter
from rich.console import Console

from evals.command import main
from evals.errors import CannotStart
from evals.live.archive import Archive, key_of
from evals.live.session import Budget, live, planned
from evals.live.trials import Estimates, Plan, Purse, run_trials
from evals.measuring.habits import habits
from evals.measuring.run import Run
from evals.playing.player import Player
from evals.playing.shown import RUN_CODE
from evals.results import load
from evals.routes import route_named
from evals.tasks.all_tasks import named
from tests.providers.loopback import Loopback, Request, loopback
from tests.providers.replies import Call, Failure, Reply, Say, reply

pytestmark = pytest.mark.anyio

MODEL = 'anthropic:claude-haiku-4-5'
TASKS = [named(name) for name in ('shop-order-customer', 'office-team', 'analytics-live')]


@dataclass(frozen=True)
class Clumsy:
    """Plays all tasks, but thinks aloud, writes its first snippet with a slip, and fails one task."""

    hopeless: str = 'office-team'

    def __call__(self, request: Request) -> Reply:
        task = next(task for task in TASKS if any(task.ask in line.text for line in request.reading.lines))
        if task.name == self.hopeless:
            return reply('I do not know.')
        if any(line.text and 'used when not defined' in line.text for line in request.reading.lines):
            return self._second_try(request, Player(task))
        played = Player(task)(request)
        return Reply((Say('Let me see.\n'), *map(_with_a_slip, played.parts)))

    def _second_try(self, request: Request, player: Player) -> Reply:
        snippets = [line for line in request.reading.lines if line.role == 'call' and line.name == RUN_CODE]
        if len(snippets) > 1:
            results = [line.text for line in request.reading.lines if line.role == 'result']
            return reply(results[-1])
        return reply(Call(RUN_CODE, {'code': player.task.plan}))


def _with_a_slip(part: object) -> Say | Call:
    assert isinstance(part, Say | Call)
    if isinstance(part, Call) and part.name == RUN_CODE:
        return replace(part, arguments={'code': f'nonsense()\n{part.arguments["code"]}'})
    return part


@contextmanager
def _provider() -> Generator[tuple[Loopback, Plan]]:
    with loopback(Clumsy()) as provider:
        routes = [route_named('direct'), route_named('code')]
        models = {MODEL: provider.anthropic('claude-haiku-4-5')}
        yield provider, planned(TASKS, routes, models, times=2, concurrency=3)


def _at(dollars: float) -> Estimates:
    return {(task.name, route, MODEL): dollars for task in TASKS for route in ('direct', 'code')}


async def test_runs_are_counted_judged_and_kept(tmp_path: Path) -> None:
    with _provider() as (provider, plan):
        archive = Archive.open(tmp_path)
        runs = await run_trials(plan, archive, Purse(1.0), {}, lambda run: None)
    assert provider.refusals == []
    assert all(request.body['cache_control'] for request in provider.requests)
    assert len(runs) == plan.size == 12
    assert {(run.task, run.route, run.ok) for run in runs} == snapshot(
        {
            ('shop-order-customer', 'direct', True),
            ('office-team', 'direct', False),
            ('analytics-live', 'direct', True),
            ('shop-order-customer', 'code', True),
            ('office-team', 'code', False),
            ('analytics-live', 'code', True),
        }
    )
    by_code = habits([run for run in runs if run.route == 'code'])
    assert str(by_code.success) == snapshot('67% (30% to 90%)')
    assert (by_code.first_try.successes, by_code.first_try.tries) == (0, 4)
    assert by_code.programs_per_answer == 2
    assert by_code.retries == {'unknown name': 4}
    assert all(run.cost.dollars > 0 for run in runs)
    for run in runs:
        messages = ModelMessagesTypeAdapter.validate_json(archive.transcript(key_of(run)).read_bytes())
        assert sum(message.kind == 'response' for message in messages) == run.requests


async def test_what_is_done_is_not_run_again(tmp_path: Path) -> None:
    with _provider() as (provider, plan):
        first = await run_trials(plan, Archive.open(tmp_path), Purse(1.0), {}, lambda run: None)
        asked = len(provider.requests)
        again = await run_trials(plan, Archive.open(tmp_path), Purse(1.0), {}, lambda run: None)
        assert len(provider.requests) == asked
    assert again == first


async def test_no_run_starts_that_may_exceed_the_limit(tmp_path: Path) -> None:
    estimates = _at(0.1)
    with _provider() as (_, plan):
        archive = Archive.open(tmp_path)
        purse = Purse(limit=0.105)
        runs = await run_trials(plan, archive, purse, estimates, lambda run: None)
        started = [run for run in runs if not run.skipped]
        assert 0 < len(started) < len(runs)
        assert purse.spent <= purse.limit
        assert purse.reserved == pytest.approx(0)
        rest = await run_trials(plan, Archive.open(tmp_path), Purse(9.0), estimates, lambda run: None)
    assert [run.skipped for run in rest] == [False] * 12


async def test_a_session_tells_what_it_will_cost_first(tmp_path: Path) -> None:
    console = Console(record=True, width=200, quiet=False)
    with _provider() as (_, plan):
        results = await live(plan, Budget(1.0, ask=False), _at(0.01), tmp_path, console, 'python -m evals')
    told = console.export_text()
    assert '12 of 12 runs are left. They may cost about $0.12' in told
    assert results.setting.kind == 'live'
    assert len(results.runs) == 12


async def test_what_fails_at_the_provider_does_not_count_and_is_run_again(tmp_path: Path) -> None:
    overloaded = Failure(529, 'overloaded')
    with loopback(lambda request: overloaded if request.number == 1 else Clumsy()(request)) as provider:
        plan = planned(TASKS[:1], [route_named('direct')], {MODEL: provider.anthropic('claude-haiku-4-5')}, 2, 1)
        results = await live(plan, Budget(1.0, ask=False), _at(0.01), tmp_path, Console(quiet=True), '')
        assert len(results.runs) == 1
        assert results.notes[1].startswith('1 runs broke off at the provider and do not count;')
        assert 'overloaded' in results.notes[1]
        again = await live(plan, Budget(1.0, ask=False), _at(0.01), tmp_path, Console(quiet=True), '')
        assert [run.ok for run in again.runs] == [True, True]


async def test_nobody_to_ask_means_no(tmp_path: Path) -> None:
    with _provider() as (provider, plan):
        with pytest.raises(CannotStart, match='pass --yes'):
            await live(plan, Budget(1.0, ask=True), _at(0.01), tmp_path, Console(quiet=True), '')
        assert provider.requests == []


@pytest.mark.parametrize(
    ('arguments', 'told'),
    [
        (
            ['--routes', 'dirct'],
            snapshot("There is no route 'dirct'; choose from: direct, direct + search, direct + our search.\n"),
        ),
        (
            ['--tasks', 'shop-stok'],
            snapshot(
                "There is no task or kind of tasks 'shop-stok'; choose from: shop-stock, shop-restock, shop-stars.\n"
            ),
        ),
        (['--model', 'nobody:nothing'], snapshot('Unknown model: nobody:nothing\n')),
        (
            ['--model', 'anthropic:claude-unheard-of-9'],
            snapshot(
                'genai-prices knows no price of anthropic:claude-unheard-of-9, so no limit could be kept. Is it spelled right?\n'
            ),
        ),
        (
            ['--out', '/proc/evals'],
            snapshot(
                'Nothing can be written to /proc/evals: No such file or directory. Choose another folder with --out.\n'
            ),
        ),
    ],
)
def test_what_cannot_be_had_is_told_in_one_line(
    arguments: list[str],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv('ANTHROPIC_API_KEY', 'none')
    assert main(['--out', str(tmp_path), *arguments]) == 2
    assert capsys.readouterr().out == told


def test_the_command_writes_results_that_can_be_read_again(tmp_path: Path) -> None:
    arguments = [
        '--tasks',
        'shop-stock',
        'office-book',
        '--routes',
        'direct',
        'code',
        '--no-ladders',
        '--no-peers',
        '--processes',
        '1',
    ]
    assert main([*arguments, '--out', str(tmp_path)]) == 0
    results = load(tmp_path / 'results.json')
    assert len(results.runs) == 8
    assert all(isinstance(run, Run) and run.ok for run in results.runs)
