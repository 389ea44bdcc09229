"""Many runs summarised in a few numbers."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from evals.measuring.run import Run
from evals.tasks.task import KINDS, Kind


@dataclass(frozen=True)
class Summary:
    runs: int
    right: int
    requests: float
    calls: float
    """Calls of tools that a task needs, direct and from code."""
    input_tokens: float
    output_tokens: float
    cached_share: float
    """The cached share of all input tokens."""
    dollars: float

    @property
    def success(self) -> float:
        return self.right / self.runs


def summary(runs: Sequence[Run]) -> Summary:
    tokens = sum(run.cost.input_tokens for run in runs)
    return Summary(
        runs=len(runs),
        right=sum(run.ok for run in runs),
        requests=fmean(run.requests for run in runs),
        calls=fmean(run.direct_calls + run.nested_calls for run in runs),
        input_tokens=tokens / len(runs),
        output_tokens=fmean(run.cost.output_tokens for run in runs),
        cached_share=sum(run.cost.cached_tokens for run in runs) / tokens if tokens else 0.0,
        dollars=fmean(run.cost.dollars for run in runs),
    )


def by_kind(runs: Iterable[Run]) -> dict[Kind, dict[str, Summary]]:
    """Return summaries by kind of task and route, in the order of kinds and first runs."""
    found = list(runs)
    table: dict[Kind, dict[str, Summary]] = {}
    for kind in KINDS:
        if row := by_route(run for run in found if run.kind == kind):
            table[kind] = row
    return table


def by_route(runs: Iterable[Run]) -> dict[str, Summary]:
    return {route: summary(group) for route, group in grouped(runs, lambda run: run.route).items()}


def grouped(runs: Iterable[Run], key: Callable[[Run], str]) -> dict[str, list[Run]]:
    """Group runs by a key, in the order of first runs."""
    groups: dict[str, list[Run]] = {}
    for run in runs:
        groups.setdefault(key(run), []).append(run)
    return groups


def comparable(runs: Iterable[Run], routes: Sequence[str]) -> list[Run]:
    """Return the runs of tasks that all these routes did right, so that means compare like with like."""
    found = [run for run in runs if run.route in routes]
    right = {route: {run.task for run in found if run.route == route and run.ok} for route in routes}
    common = set[str].intersection(*right.values()) if right else set[str]()
    return [run for run in found if run.task in common]
