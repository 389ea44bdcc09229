"""Live runs against a provider on loopback, with a simulated model that makes typical mistakes."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from pydantic import TypeAdapter
from pydantic_ai.models import Model

from evals.command import main
from evals.live import live
from evals.measuring.run import Run
from evals.playing.player import Player
from evals.playing.shown import RUN_CODE
from evals.results import Results
from evals.routes import route_named
from evals.tasks.all_tasks import named
from evals.tasks.task import Task
from tests.providers.loopback import Loopback, Request, loopback
from tests.providers.replies import Call, Failure, Reply, Say, reply
from tests.text_cases import TextCase, text_cases

MODEL = 'anthropic:claude-haiku-4-5'
TASKS = [named(name) for name in ('shop-order-customer', 'office-team', 'analytics-live')]


@dataclass(frozen=True)
class Clumsy:
    """Performs all tasks, but comments aloud, makes a mistake in its first snippet, and fails one task."""

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


async def _live(
    provider: Loopback, tasks: list[Task], limit: float = 1.0, times: int = 2
) -> tuple[list[Run], list[str]]:
    models: dict[str, Model] = {MODEL: provider.named('anthropic:claude-haiku-4-5')}
    routes = [route_named('direct'), route_named('code')]
    return await live(tasks, routes, models, times=times, concurrency=3, limit=limit, tell=lambda said: None)


async def test_runs_are_counted_and_judged() -> None:
    with loopback(Clumsy()) as provider:
        runs, notes = await _live(provider, TASKS, times=1)
    assert provider.refusals == []
    assert all(request.body['cache_control'] for request in provider.requests)
    assert (len(runs), len(notes)) == (6, 1)
    assert {(run.task, run.route, run.ok) for run in runs} == {
        (task.name, route, task.name != 'office-team') for task in TASKS for route in ('direct', 'code')
    }
    assert [(run.snippets, run.failed_snippets) for run in runs if run.route == 'code' and run.ok] == [(2, 1)] * 2
    assert all(run.cost.dollars > 0 for run in runs)


async def test_no_run_starts_after_the_budget_is_spent() -> None:
    with loopback(Clumsy()) as provider:
        runs, notes = await _live(provider, TASKS, limit=0.000_001)
    assert len(runs) == 3
    assert notes[1] == '9 runs were not started, because the limit was reached.'


async def test_errors_of_the_provider_do_not_count() -> None:
    overloaded = Failure(529, 'overloaded')
    with loopback(lambda request: overloaded if request.number == 1 else Clumsy()(request)) as provider:
        runs, notes = await _live(provider, TASKS[:1], times=1)
    assert len(runs) == 1
    assert notes[1].startswith('1 runs failed at the provider and do not count.')
    assert 'overloaded' in notes[1]


async def test_a_change_that_the_task_does_not_mention_is_denied() -> None:
    def careless(request: Request) -> Reply:
        return reply('done') if request.number > 1 else reply(Call('cancel_event', {'event_id': 1}))

    with loopback(careless) as provider:
        runs, _ = await live(
            [named('office-delete-newsletters')],
            [route_named('direct')],
            {MODEL: provider.named(MODEL)},
            times=1,
            concurrency=1,
            limit=1.0,
            tell=lambda said: None,
        )
    assert [(run.pauses, run.error, run.right) for run in runs] == [(1, None, False)]


@pytest.mark.parametrize('case', text_cases(Path(__file__).with_name('requirements.txt')), ids=str)
def test_missing_requirements_are_reported_in_one_line(
    case: TextCase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv('ANTHROPIC_API_KEY', 'none')
    assert main(['--out', str(tmp_path), *case.given.split()]) == 2
    assert capsys.readouterr().out == f'{case.expected}\n'


def test_the_command_can_read_the_results_that_it_wrote(tmp_path: Path) -> None:
    arguments = '--tasks shop-stock --routes direct code --no-ladders --processes 1'
    assert main([*arguments.split(), '--out', str(tmp_path)]) == 0
    results = TypeAdapter(Results).validate_json((tmp_path / 'results.json').read_bytes())
    assert len(results.runs) == 4
    assert all(isinstance(run, Run) and run.ok for run in results.runs)
