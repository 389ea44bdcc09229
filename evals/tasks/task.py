"""A task of an agent, and how to check whether it was done."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import TypeAdapter

from toolscript.guards import is_array, is_object

Kind = Literal['one call', 'chain', 'fan-out', 'aggregate', 'loop', 'recovery', 'approval', 'mistake', 'discovery']
KINDS: tuple[Kind, ...] = get_args(Kind)

WorldName = Literal['shop', 'files', 'office', 'analytics']


@dataclass(frozen=True)
class Check:
    """How to check whether a task was done. The functions take its world before the run."""

    answer: Callable[[Any], object]
    """The right answer, computed from the world's data, not from its tools."""
    leaves: Callable[[Any], object] | None = None
    """The expected `snapshot` of the world after the run; `None`: as before."""
    decisions: Mapping[str, bool] = field(default_factory=dict[str, bool])
    """Whether the user approves the calls of each tool that asks."""


@dataclass(frozen=True)
class Task:
    name: str
    kind: Kind
    world: WorldName
    ask: str
    """The user's message. It specifies the JSON of the answer, so that the check does not depend on wording."""
    plan: str
    """A program that does it, with the answer in its last line. Code runs it unchanged; direct calls take one model
    turn for each round of calls that the program waits for."""
    check: Check
    crowd: int = 0
    """The total number of tools of the agent, filled up with those of other services; 0: only the world's own."""
    requests: Mapping[str, int] = field(default_factory=dict[str, int])
    """The maximum number of requests of the scripted model, by route."""
    draft: str = ''
    """The program with a mistake, which the scripted model sends first through code."""


def tasks_of(world: WorldName, checks: Mapping[str, Check]) -> list[Task]:
    """Read the tasks of `<world>.md`: name, kind, requests, the user's message, the plan and an optional draft."""
    sections = Path(__file__).with_name(f'{world}.md').read_text().split('\n## ')[1:]
    return [_task(world, section, checks) for section in sections]


def _task(world: WorldName, section: str, checks: Mapping[str, Check]) -> Task:
    name, about, ask, rest = section.split('\n\n', 3)
    kind, _, bounds = about.partition('; requests: ')
    requests = {route: int(most) for most, _, route in (bound.partition(' ') for bound in bounds.split(', '))}
    *draft, plan = (block.partition('```')[0] for block in rest.split('```python\n')[1:])
    words = ' '.join(ask.split())
    return Task(name, _KIND.validate_python(kind), world, words, plan, checks[name], 0, requests, ''.join(draft))


_KIND = TypeAdapter[Kind](Kind)


def same(one: object, other: object) -> bool:
    """Returns whether two JSON values are equal: numbers to a cent, lists in any order, strings in any case."""
    return _plain(one) == _plain(other)


def _plain(value: object) -> object:
    if is_object(value):
        return {str(key): _plain(item) for key, item in value.items()}
    if is_array(value):
        return sorted(map(_plain, value), key=repr)
    if isinstance(value, bool) or value is None:
        return f'{value}'.casefold()
    return round(float(value), 2) if isinstance(value, int | float) else str(value).strip().casefold()
