"""The cases that every side runs, with or without code."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from itertools import count

Action = Callable[[], Awaitable[object]]
"""A run, from the first request to the last answer."""

NESTED = 100
"""The number of calls in scripts that make many."""
WAITS = 10
"""The number of 20 ms calls in each script of the crowd."""
WAIT_SECONDS = 0.02


@dataclass(frozen=True)
class Case:
    """A run of an agent over a catalog, in which its model makes the same call in each of its steps."""

    script: str | None = None
    """The script that the model sends; `{call}` is `add` of `n` and 2. `None` means a direct call, `add` of 1 and 2."""
    gives: str = '3'
    """The result, which the last answer contains."""
    steps: int = 1
    tools: int = 5

    def written(self, call: str) -> str:
        assert self.script is not None
        return new(self.script.format(call=call))


def new(script: str) -> str:
    """Return the script as one never seen before, because a repeated script is not prepared and checked again."""
    return f'# {next(_NUMBERS)}\n{script}'


_NUMBERS = count(1)


TRIVIAL = '1 + 1'
LOOP = f'for n in range({NESTED}):\n    total = await {{call}}\ntotal'
GATHER = f'import asyncio\nlen(await asyncio.gather(*[{{call}} for n in range({NESTED})]))'

CASES = {
    'direct': Case(),
    'direct 5': Case(steps=5),
    'direct of 1,000': Case(tools=1000),
    'trivial': Case(TRIVIAL, '2'),
    'trivial 5': Case(TRIVIAL, '2', steps=5),
    'loop': Case(LOOP, str(NESTED + 1)),
    'gather': Case(GATHER, str(NESTED)),
    'trivial of 1,000': Case(TRIVIAL, '2', tools=1000),
}
WAITING = f'total = 0\nfor n in range({WAITS}):\n    total = total + {{waited}}\ntotal'
"""The script of a run in the crowd. Its result is `WAITS`."""
