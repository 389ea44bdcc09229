"""From the command line to the results of real models."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from genai_prices import Usage
from pydantic_ai import UserError
from pydantic_ai.models import Model, infer_model
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from evals.errors import CannotStart
from evals.live.archive import Archive
from evals.live.trials import NO_MONEY, Estimates, Plan, Purse, run_trials
from evals.measuring.prices import list_price
from evals.measuring.run import Run
from evals.results import Results, setting
from evals.routes import Route
from evals.tasks.task import Task


@dataclass(frozen=True)
class Budget:
    """How much may be spent, and whether to ask first."""

    dollars: float
    ask: bool


def models_named(names: Sequence[str]) -> dict[str, Model]:
    """The models, ready to be asked.

    Raises:
        CannotStart: A model or its price is unknown, or its key is missing.
    """
    try:
        models = {name: infer_model(name) for name in names}
    except (UserError, ValueError, ImportError) as error:
        raise CannotStart(str(error)) from error
    for name in names:
        try:
            list_price(name, Usage(input_tokens=1, output_tokens=1))
        except LookupError as error:
            message = f'genai-prices knows no price of {name}, so no limit could be kept. Is it spelled right?'
            raise CannotStart(message) from error
    return models


async def live(
    plan: Plan, budget: Budget, estimates: Estimates, folder: Path, console: Console, command: str
) -> Results:
    """Ask, run, and sum up; what is in the folder already is not run again.

    Raises:
        CannotStart: The user said no, or nobody is there to be asked.
    """
    archive = Archive.open(folder)
    _confirm(plan, archive, estimates, budget, console)
    purse = Purse(budget.dollars)
    with _progress(console) as progress:
        bar = progress.add_task('', total=plan.size)

        def advance(run: Run) -> None:
            progress.update(bar, advance=1, description=f'${purse.spent:.2f} · {run.route}')

        runs = await run_trials(plan, archive, purse, estimates, advance)
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
        f' model would use, at list prices. No run starts that may take the sum above ${budget.dollars:.2f}.'
    )
    if not budget.ask or not left:
        return
    if not sys.stdin.isatty():
        raise CannotStart('Nobody is there to be asked: pass --yes to spend the money.')
    if input('Continue? [y/N] ').strip().lower() != 'y':
        raise CannotStart('Not started.')


def _notes(runs: Sequence[Run], purse: Purse, archive: Archive) -> tuple[str, ...]:
    broken = [run.error for run in runs if run.skipped and run.error != NO_MONEY]
    skipped = sum(run.skipped for run in runs) - len(broken)
    notes = [f'${purse.spent:.2f} were spent now. Messages of all runs: {archive.folder / "transcripts"}']
    if skipped:
        notes.append(f'{skipped} runs were not started, to stay below the limit; run the command again to continue.')
    if broken:
        notes.append(
            f'{len(broken)} runs broke off at the provider and do not count; run the command again to repeat them.'
            f' The first: {broken[0]}'
        )
    return tuple(notes)


def _progress(console: Console) -> Progress:
    columns = [TextColumn('{task.description}'), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()]
    return Progress(*columns, console=console)
