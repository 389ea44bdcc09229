"""Tasks as a pydantic-evals dataset, and routes as experiments on it."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import EvaluationReason, Evaluator, EvaluatorContext
from pydantic_evals.reporting import EvaluationReport

from evals.measuring.run import Run
from evals.tasks.task import Task

Experiment = EvaluationReport[Task, Run, Any]


@dataclass
class RightAnswer(Evaluator[Task, Run, Any]):
    """The answer is the one that the world's data give."""

    def evaluate(self, ctx: EvaluatorContext[Task, Run, Any]) -> EvaluationReason:
        """Whether it is, and what was said or went wrong."""
        return EvaluationReason(ctx.output.right_answer, ctx.output.error or ctx.output.answer[:200])


@dataclass
class RightState(Evaluator[Task, Run, Any]):
    """The world was left as it should be: changed where that was asked for, and nowhere else."""

    def evaluate(self, ctx: EvaluatorContext[Task, Run, Any]) -> bool:
        """Whether it was."""
        return ctx.output.right_state


def dataset_of(tasks: Sequence[Task]) -> Dataset[Task, Run, Any]:
    """The tasks as cases; a task's kind is its metadata."""
    return Dataset[Task, Run, Any](
        name='toolscript',
        cases=[Case(name=task.name, inputs=task, metadata={'kind': task.kind}) for task in tasks],
        evaluators=[RightAnswer(), RightState()],
    )


async def experiment(
    name: str,
    tasks: Sequence[Task],
    run: Callable[[Task], Awaitable[Run]],
    *,
    repeat: int = 1,
    max_concurrency: int = 1,
) -> Experiment:
    """Run all tasks in one way.

    Raises:
        RuntimeError: A run could not even be tried; one that merely goes wrong is a result.
    """
    report = await dataset_of(tasks).evaluate(
        run, name=name, progress=False, repeat=repeat, max_concurrency=max_concurrency
    )
    if report.failures:
        first = report.failures[0]
        raise RuntimeError(f'{name}, {first.name}: {first.error_message}\n{first.error_stacktrace}')
    return report


def runs_of(report: Experiment) -> list[Run]:
    """The runs of an experiment, in the order of its tasks."""
    return [case.output for case in report.cases]
