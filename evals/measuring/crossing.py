"""The size from which one route is cheaper than another."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evals.measuring.run import Run
from evals.results import RungRun


@dataclass(frozen=True)
class Line:
    """A measure of one route over the sizes of a ladder."""

    route: str
    points: tuple[tuple[int, float], ...]

    def at(self, size: int) -> float:
        """Return the measure at a size."""
        return dict(self.points)[size]


MEASURES: dict[str, Callable[[Run], float]] = {
    'dollars': lambda run: run.cost.dollars,
    'input tokens': lambda run: run.cost.input_tokens,
    'requests': lambda run: run.requests,
}


def lines(rungs: Sequence[RungRun], ladder: str, measure: Callable[[Run], float]) -> list[Line]:
    """Return the lines of a ladder, one for each route."""
    here = [rung for rung in rungs if rung.ladder == ladder and rung.run.ok]
    routes = dict.fromkeys(rung.run.route for rung in here)
    return [
        Line(route, tuple((rung.size, measure(rung.run)) for rung in here if rung.run.route == route))
        for route in routes
    ]


def crossing(one: Line, other: Line) -> int | None:
    """Return the size from which `one` stays below `other`, or `None` if it never does."""
    sizes = sorted({size for size, _ in one.points} & {size for size, _ in other.points})
    below = [one.at(size) < other.at(size) for size in sizes]
    for index, size in enumerate(sizes):
        if all(below[index:]):
            return size
    return None
