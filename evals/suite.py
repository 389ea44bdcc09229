"""The scripted suite: every task by every route, in parts that processes can share."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from evals.ladders import rungs
from evals.measuring.run import Run
from evals.measuring.tokenizer import best_tokenizer
from evals.processes import Spread
from evals.routes import route_named
from evals.scripted import run_scripted
from evals.stage import Stage
from evals.tasks.all_tasks import named


@dataclass(frozen=True)
class Batch:
    """Tasks by one route with one model; by name, because functions cannot be sent between processes."""

    model: str
    route: str
    tasks: tuple[str, ...]


def batches(tasks: Iterable[str], routes: Sequence[str], model: str) -> list[Batch]:
    names = tuple(tasks)
    return [Batch(model, route, names) for route in routes if names]


def run_tasks(parts: Sequence[Batch], spread: Spread, tell: Callable[[str], None]) -> list[Run]:
    found: list[Run] = []
    for batch, runs in zip(parts, spread(run_batch, parts), strict=True):
        tell(f'{batch.model} · {batch.route}: {sum(run.ok for run in runs)} of {len(runs)} right')
        found += runs
    return found


def run_batch(batch: Batch) -> list[Run]:
    async def run() -> list[Run]:
        route = route_named(batch.route)
        tasks = [rungs()[name].task if name in rungs() else named(name) for name in batch.tasks]
        async with Stage() as stage:
            return [await run_scripted(task, route, stage, best_tokenizer(), batch.model) for task in tasks]

    return asyncio.run(run())
