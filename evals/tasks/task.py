"""Something that an agent is asked to do, and how to tell whether it did."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from evals.guards import is_array, is_object

Kind = Literal['one call', 'chain', 'fan-out', 'aggregate', 'loop', 'recovery', 'approval', 'discovery']
KINDS: tuple[Kind, ...] = ('one call', 'chain', 'fan-out', 'aggregate', 'loop', 'recovery', 'approval', 'discovery')

WorldName = Literal['shop', 'files', 'office', 'analytics']


@dataclass(frozen=True)
class Task:
    """One task; the functions take its world as it was before the run, or as it is after."""

    name: str
    kind: Kind
    world: WorldName
    ask: str
    """What the user says. It says what the answer's JSON looks like, so that the check needs no words."""
    plan: str
    """A program that does it, its last line the answer. Played through code as it stands, and by direct calls as one
    model turn for each round of calls that the program waits for."""
    answer: Callable[[Any], object]
    """The right answer, taken from the world's data and not from its tools, before the run."""
    leaves: Callable[[Any], object] | None = None
    """The whole world as its `snapshot` must tell it after the run, worked out before it; `None`: as it was."""
    decisions: Mapping[str, bool] = field(default_factory=dict[str, bool])
    """Whether the user approves the calls of a tool that asks."""
    crowd: int = 0
    """How many tools the agent has in all, filled up with those of other services; 0: only the world's own."""


def same(one: object, other: object) -> bool:
    """Whether two JSON values say the same: numbers to a cent, lists in any order, strings whatever their case."""
    return _plain(one) == _plain(other)


def _plain(value: object) -> object:
    if is_object(value):
        return {str(key): _plain(item) for key, item in value.items()}
    if is_array(value):
        return sorted(map(_plain, value), key=repr)
    if isinstance(value, bool) or value is None:
        return f'{value}'.casefold()
    return round(float(value), 2) if isinstance(value, int | float) else str(value).strip().casefold()
