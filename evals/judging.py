"""A performance in its own world, and whether it succeeded."""

from dataclasses import dataclass

from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from evals.measuring.answers import is_right
from evals.measuring.ledger import ledger_of
from evals.measuring.run import Cost, Run
from evals.performing import Performance, perform
from evals.routes import Route
from evals.stage import Stage
from evals.tasks.task import Task
from toolscript.history import Bounds, transcript_of

_BOUNDS = Bounds(chars=1_500, calls=12)


@dataclass(frozen=True)
class Judged:
    """A performance and its verdict."""

    performance: Performance
    right_answer: bool
    right_state: bool


async def judge(task: Task, route: Route, stage: Stage, model: Model, settings: ModelSettings | None = None) -> Judged:
    """Perform the task in a new world and compare the outcome with the world's data."""
    async with stage.world(task.world) as world:
        wanted = task.check.answer(world)
        should_be = task.check.leaves(world) if task.check.leaves else world.snapshot()
        performance = await perform(task, route, world, model, settings)
        return Judged(performance, is_right(performance.answer, wanted), world.snapshot() == should_be)


def run_of(task: Task, route: Route, model: str, judged: Judged, cost: Cost) -> Run:
    """Return everything that is stored about a run."""
    performance = judged.performance
    return Run(
        **vars(ledger_of(performance.messages)),
        task=task.name,
        kind=task.kind,
        route=route.name,
        model=model,
        crowd=task.crowd,
        right_answer=judged.right_answer,
        right_state=judged.right_state,
        answer=performance.answer,
        error=performance.error,
        pauses=performance.pauses,
        cost=cost,
        transcript=transcript_of(performance.messages, bounds=_BOUNDS),
    )
