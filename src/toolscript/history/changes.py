"""What the model was shown with one request, beside what it was shown with the one before."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic_ai.messages import ModelRequest

from .excerpts import Room
from .shown_tools import tools_with
from .transcript import Shown


@dataclass(frozen=True)
class Prefix:
    """What a request shows beside its messages."""

    instructions: str | None = None
    tools: Mapping[str, str] = field(default_factory=dict[str, str])

    def then(self, requests: Sequence[ModelRequest]) -> 'Prefix':
        """What the last of these requests shows, after one that showed this."""
        if not requests:
            return self
        tools = dict(self.tools)
        for request in requests:
            tools = tools_with(tools, request)
        return Prefix(requests[-1].instructions, tools)


def changes(before: Prefix, after: Prefix, room: Room) -> Iterator[Shown]:
    """What is new, changed or gone."""
    yield from _change('instructions', before.instructions, after.instructions, room)
    for name in dict.fromkeys([*before.tools, *after.tools]):
        yield from _change(f'tool {name}', before.tools.get(name), after.tools.get(name), room)


def _change(what: str, before: str | None, after: str | None, room: Room) -> Iterator[Shown]:
    if before == after:
        return
    change: Literal['new', 'changed', 'gone'] = 'new' if before is None else 'gone' if after is None else 'changed'
    text = (after or '') if before is None else '' if after is None else _lines_changed(before, after)
    yield Shown(what=what, change=change, text=room.excerpt(text))


def _lines_changed(before: str, after: str) -> str:
    """The lines that went, and those that came. However long the texts are, it takes no longer than to read them."""
    old, new = before.splitlines(), after.splitlines()
    gone, come = _beyond(old, new), _beyond(new, old)
    lines = [*(f'- {line}' for line in gone), *(f'+ {line}' for line in come)]
    return '\n'.join(lines) or 'the same lines, in another order'


def _beyond(lines: Iterable[str], others: Iterable[str]) -> Iterator[str]:
    """The lines that the others do not have, or not as often."""
    left = Counter(others)
    for line in lines:
        left[line] -= 1
        if left[line] < 0 and line.strip():
            yield line
