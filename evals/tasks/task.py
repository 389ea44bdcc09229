"""A task of an agent, with the right outcome."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from pydantic import TypeAdapter

from toolscript.guards import is_array, is_object

Kind = Literal['one call', 'chain', 'fan-out', 'aggregate', 'loop', 'recovery', 'approval', 'mistake', 'discovery']
KINDS: tuple[Kind, ...] = get_args(Kind)

WorldName = Literal['shop', 'files', 'office', 'analytics']


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
    answer: object
    """The right answer, a JSON value."""
    changes: tuple[str, ...] = ()
    """What differs in the world's snapshot after the run: lines that are gone after `- `, new ones after `+ `."""
    decisions: Mapping[str, bool] = field(default_factory=dict[str, bool])
    """Whether the user approves the calls of each tool that asks."""
    crowd: int = 0
    """The total number of tools of the agent, filled up with those of other services; 0: only the world's own."""
    requests: Mapping[str, int] = field(default_factory=dict[str, int])
    """The maximum number of requests of the scripted model, by route."""
    draft: str = ''
    """The program with a mistake, which the scripted model sends first through code."""


def tasks_of(world: WorldName) -> list[Task]:
    """Read the tasks of `<world>.md`: a section each.

    Its paragraphs are: name; kind, requests and decisions; the user's message; the plan, after an optional draft; the
    answer; and what changes.
    """
    sections = Path(__file__).with_name(f'{world}.md').read_text().split('\n## ')[1:]
    return [_task(world, section) for section in sections]


def _task(world: WorldName, section: str) -> Task:
    name, about, ask, blocks = section.split('\n\n', 3)
    kind, bounds, *decided = about.split('; ')
    requests = (bound.split(' ', 1) for bound in bounds.removeprefix('requests: ').split(', '))
    decisions = (words.split(': ') for words in decided)
    *draft, plan = _blocks(blocks, 'python')
    return Task(
        name=name,
        kind=_KIND.validate_python(kind),
        world=world,
        ask=' '.join(ask.split()),
        plan=plan,
        answer=json.loads(_blocks(blocks, 'json')[0]),
        changes=tuple(line for block in _blocks(blocks, 'diff') for line in block.splitlines()),
        decisions={tool: decision == 'approved' for decision, tool in decisions},
        requests={route: int(most) for most, route in requests},
        draft=''.join(draft),
    )


def _blocks(text: str, language: str) -> list[str]:
    return re.findall(rf'^```{language}\n(.*?)^```$', text, re.DOTALL | re.MULTILINE)


_KIND = TypeAdapter[Kind](Kind)


def same(one: object, other: object) -> bool:
    """Return whether two JSON values are equal: numbers to a cent, lists in any order, strings in any case."""
    return _plain(one) == _plain(other)


def _plain(value: object) -> object:
    if is_object(value):
        return {str(key): _plain(item) for key, item in value.items()}
    if is_array(value):
        return sorted(map(_plain, value), key=repr)
    if isinstance(value, bool) or value is None:
        return f'{value}'.casefold()
    return round(float(value), 2) if isinstance(value, int | float) else str(value).strip().casefold()
