"""The scripted suite: every task by every route, and the ladders, in parts that processes can share."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evals.ladders import LADDERS, Ladder, LadderName
from evals.measuring.run import Run
from evals.measuring.tokenizer import Tokenizer, best_tokenizer
from evals.processes import Spread
from evals.results import RungRun
from evals.routes import Route, route_named
from evals.scripted import run_scripted
from evals.stage import Stage
from evals.tasks.all_tasks import named
from evals.tasks.task import Task

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Batch:
    """Tasks by one route with one model; by name, because functions cannot be sent between processes."""

    model: str
    route: str
    tasks: tuple[str, ...]


@dataclass(frozen=True)
class Ascent:
    """A ladder by one route with one model."""

    model: str
    ladder: LadderName
    route: str


def batches(tasks: Sequence[Task], routes: Sequence[Route], model: str) -> list[Batch]:
    """Return one batch for each route."""
    names = tuple(task.name for task in tasks)
    return [Batch(model, route.name, names) for route in routes if names]


def ascents(model: str) -> list[Ascent]:
    """Return every ladder by each of the routes that it compares."""
    return [Ascent(model, ladder.name, route) for ladder in LADDERS for route in ladder.routes]


def run_tasks(parts: Sequence[Batch], spread: Spread, tell: Tell) -> list[Run]:
    """Return all runs of all batches."""
    found: list[Run] = []
    for batch, runs in zip(parts, spread(run_batch, parts), strict=True):
        tell(f'{batch.model} · {batch.route}: {sum(run.ok for run in runs)} of {len(runs)} right')
        found += runs
    return found


def climb(parts: Sequence[Ascent], spread: Spread, tell: Tell) -> list[RungRun]:
    """Return all runs on all ladders."""
    found: list[RungRun] = []
    for ascent, rungs in zip(parts, spread(run_ascent, parts), strict=True):
        tell(f'{ascent.model} · {ascent.route}: {ascent.ladder}, {len(rungs)} sizes')
        found += rungs
    return found


def run_batch(batch: Batch) -> list[Run]:
    """Return the runs of one batch."""
    return asyncio.run(_batch(batch, best_tokenizer()))


def run_ascent(ascent: Ascent) -> list[RungRun]:
    """Return the runs of one ascent, from the lowest rung to the highest."""
    (ladder,) = (ladder for ladder in LADDERS if ladder.name == ascent.ladder)
    return asyncio.run(ascend(ladder, ascent.route, ascent.model, best_tokenizer()))


async def ascend(ladder: Ladder, route: str, model: str, tokenizer: Tokenizer) -> list[RungRun]:
    """Run all rungs of a ladder by one route."""
    async with Stage() as stage:
        return [
            RungRun(ladder.name, rung.size, await run_scripted(rung.task, route_named(route), stage, tokenizer, model))
            for rung in ladder.rungs
        ]


async def _batch(batch: Batch, tokenizer: Tokenizer) -> list[Run]:
    async with Stage() as stage:
        route = route_named(batch.route)
        return [await run_scripted(named(task), route, stage, tokenizer, batch.model) for task in batch.tasks]
