"""From the command line to the results of real models."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic_ai import UserError
from pydantic_ai.models import Model, infer_model
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from evals.live.archive import Archive
from evals.live.estimate import estimate
from evals.live.purse import Purse
from evals.live.trials import Estimates, Plan, run_trials
from evals.measuring.run import Run
from evals.measuring.tokenizer import Tokenizer
from evals.results import Results, setting
from evals.routes import Route
from evals.suite import all_runs
from evals.tasks.task import Task


class CannotStart(Exception):
    """Live runs were asked for and cannot be had; the message says what to change."""


@dataclass(frozen=True)
class Budget:
    """How much may be spent, and whether to ask first."""

    dollars: float
    ask: bool


def models_named(names: Sequence[str]) -> dict[str, Model]:
    """The models, ready to be asked.

    Raises:
        CannotStart: A model is unknown or its key is missing.
    """
    try:
        return {name: infer_model(name) for name in names}
    except (UserError, ValueError, ImportError) as error:
        raise CannotStart(str(error)) from error


async def live(
    plan: Plan, budget: Budget, folder: Path, tokenizer: Tokenizer, console: Console, command: str
) -> Results:
    """Estimate, ask, run, and sum up; what is in the folder already is not run again.

    Raises:
        CannotStart: The user said no, or nobody is there to be asked.
    """
    archive = Archive.open(folder)
    estimates = await estimate(plan.tasks, plan.routes, list(plan.models), tokenizer, console.log)
    _confirm(plan, archive, estimates, budget, console)
    purse = Purse(budget.dollars)
    with _progress(console) as progress:
        bar = progress.add_task('', total=plan.size)

        def advance(run: Run) -> None:
            progress.update(bar, advance=1, description=f'${purse.spent:.2f} · {run.route}')

        reports = await run_trials(plan, archive, purse, estimates, advance)
    runs = all_runs(reports)
    return Results(
        setting(kind='live', tokenizer="the provider's count", models=tuple(plan.models), command=command),
        tuple(run for run in runs if not run.skipped),
        notes=_notes(runs, purse, archive),
    )


def planned(
    tasks: Sequence[Task], routes: Sequence[Route], models: Mapping[str, Model], times: int, concurrency: int
) -> Plan:
    """The plan, without routes whose packages are not here."""
    return Plan(tasks, [route for route in routes if route.by != 'harness'], models, times, concurrency)


def _confirm(plan: Plan, archive: Archive, estimates: Estimates, budget: Budget, console: Console) -> None:
    left = [
        estimates[task.name, route.name, model]
        for model in plan.models
        for route in plan.routes
        for task in plan.tasks
        for number in range(plan.times)
        if (task.name, route.name, model, number) not in archive.runs
    ]
    console.print(
        f'{len(left)} of {plan.size} runs are left. They may cost about ${sum(left):.2f}: three times what the scripted'
        f' model would use, at list prices. At most ${budget.dollars:.2f} will be spent.'
    )
    if not budget.ask or not left:
        return
    if not sys.stdin.isatty():
        raise CannotStart('Nobody is there to be asked: pass --yes to spend the money.')
    if input('Go on? [y/N] ').strip().lower() != 'y':
        raise CannotStart('Not started.')


def _notes(runs: Sequence[Run], purse: Purse, archive: Archive) -> tuple[str, ...]:
    skipped = sum(run.skipped for run in runs)
    notes = [f'${purse.spent:.2f} were spent now. Messages of all runs: {archive.folder / "transcripts"}']
    if skipped:
        notes.append(f'{skipped} runs were not started, to stay below the limit; run the command again to go on.')
    return tuple(notes)


def _progress(console: Console) -> Progress:
    columns = [TextColumn('{task.description}'), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()]
    return Progress(*columns, console=console)
