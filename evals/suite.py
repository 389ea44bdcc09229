"""The scripted suite: every task by every route, then the ladders."""

from collections.abc import Callable, Sequence

from evals.experiment import Experiment, experiment, runs_of
from evals.ladders import Ladder
from evals.measuring.run import Run
from evals.measuring.tokenizer import Tokenizer
from evals.results import RungRun
from evals.routes import Route, route_named
from evals.scripted import run_scripted
from evals.stage import Stage
from evals.tasks.task import Task

Tell = Callable[[str], None]


async def run_tasks(
    tasks: Sequence[Task], routes: Sequence[Route], models: Sequence[str], tokenizer: Tokenizer, tell: Tell
) -> list[Experiment]:
    """One experiment for each model and route."""
    reports: list[Experiment] = []
    async with Stage() as stage:
        for model in models:
            for route in routes:
                tell(f'{model} · {route.name}')
                reports.append(await _experiment(tasks, route, model, stage, tokenizer))
    return reports


async def climb(
    ladders: Sequence[Ladder], model: str, tokenizer: Tokenizer, tell: Tell, routes: Sequence[str] | None = None
) -> list[RungRun]:
    """All rungs of the ladders, each by the routes that its ladder compares."""
    found: list[RungRun] = []
    async with Stage() as stage:
        for ladder in ladders:
            tell(f'{model} · {ladder.name}')
            for rung in ladder.rungs:
                for name in ladder.routes:
                    if routes is None or name in routes:
                        run = await run_scripted(rung.task, route_named(name), stage, tokenizer, model)
                        found.append(RungRun(ladder.name, rung.size, run))
    return found


async def _experiment(
    tasks: Sequence[Task], route: Route, model: str, stage: Stage, tokenizer: Tokenizer
) -> Experiment:
    async def run(task: Task) -> Run:
        return await run_scripted(task, route, stage, tokenizer, model)

    return await experiment(f'{route.name}, {model}', tasks, run)


def all_runs(reports: Sequence[Experiment]) -> list[Run]:
    """The runs of all experiments."""
    return [run for report in reports for run in runs_of(report)]
