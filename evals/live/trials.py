"""Many live runs: side by side, within a budget, and only those that are not done yet."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from pydantic_ai.models import Model

from evals.experiment import experiment, runs_of
from evals.live.archive import Archive
from evals.live.live_run import run_live
from evals.measuring.run import Cost, Run
from evals.routes import Route
from evals.stage import Stage
from evals.tasks.task import Task

NO_MONEY = 'not run: the money was spent'
Estimates = Mapping[tuple[str, str, str], float]
"""Dollars by task, route and model."""


@dataclass(frozen=True)
class Plan:
    """What is to be run."""

    tasks: Sequence[Task]
    routes: Sequence[Route]
    models: Mapping[str, Model]
    """By the name under which they are priced."""
    times: int
    concurrency: int

    @property
    def size(self) -> int:
        """How many runs that makes."""
        return len(self.tasks) * len(self.routes) * len(self.models) * self.times


@dataclass
class Purse:
    """Holds back what started runs may cost until they are done."""

    limit: float
    spent: float = 0.0
    reserved: float = 0.0

    def reserve(self, dollars: float) -> bool:
        """Whether a run that may cost so much can start; then it is held back."""
        if self.spent + self.reserved + dollars > self.limit:
            return False
        self.reserved += dollars
        return True

    def settle(self, reserved: float, dollars: float) -> None:
        """A run is done and cost this."""
        self.reserved -= reserved
        self.spent += dollars


async def run_trials(
    plan: Plan, archive: Archive, purse: Purse, estimates: Estimates, advance: Callable[[Run], None]
) -> list[Run]:
    """One experiment for each model, route and try."""
    runs: list[Run] = []
    async with _stages(plan.concurrency) as stages:
        for name, model in plan.models.items():
            for route in plan.routes:
                tries = _Tries(route, name, model, archive, purse, estimates, stages, advance)
                for number in range(plan.times):
                    title = f'{route.name}, {name}, try {number + 1}'
                    run = tries.numbered(number)
                    runs += runs_of(await experiment(title, plan.tasks, run, max_concurrency=plan.concurrency))
    return runs


@asynccontextmanager
async def _stages(count: int) -> AsyncGenerator[asyncio.Queue[Stage]]:
    """So many places in which runs can take place at once without meeting."""
    free = asyncio.Queue[Stage]()
    async with AsyncExitStack() as stack:
        for _ in range(count):
            free.put_nowait(await stack.enter_async_context(Stage()))
        yield free


@dataclass(frozen=True)
class _Tries:
    route: Route
    name: str
    model: Model
    archive: Archive
    purse: Purse
    estimates: Estimates
    stages: asyncio.Queue[Stage]
    advance: Callable[[Run], None]

    def numbered(self, number: int) -> Callable[[Task], Awaitable[Run]]:
        async def attempt(task: Task) -> Run:
            run = self.archive.runs.get((task.name, self.route.name, self.name, number))
            run = run or await self._attempt(task, number)
            self.advance(run)
            return run

        return attempt

    async def _attempt(self, task: Task, number: int) -> Run:
        estimate = self.estimates.get((task.name, self.route.name, self.name), 0.0)
        if not self.purse.reserve(estimate):
            return _skipped(task, self.route, self.name, number)
        stage = await self.stages.get()
        cost = 0.0
        try:
            run, messages = await run_live(task, self.route, stage, self.model, self.name, number)
            cost = run.cost.dollars
            if not run.skipped:
                self.archive.add(run, messages)
        finally:
            self.purse.settle(estimate, cost)
            self.stages.put_nowait(stage)
        return run


def _skipped(task: Task, route: Route, model: str, number: int) -> Run:
    """A run that there was no money for."""
    return Run(
        task=task.name,
        kind=task.kind,
        route=route.name,
        model=model,
        crowd=task.crowd,
        right_answer=False,
        right_state=False,
        answer='',
        error=NO_MONEY,
        requests=0,
        direct_calls=0,
        nested_calls=0,
        snippets=0,
        failed_snippets=0,
        single_call_snippets=0,
        searches=0,
        wrong_doors=0,
        pauses=0,
        found=0,
        first_snippet_ok=False,
        retries=(),
        cost=Cost(input_tokens=0, cached_tokens=0, output_tokens=0, tool_tokens=0, dollars=0.0),
        tool_seconds=0.0,
        trial=number,
        skipped=True,
    )
