"""A session between two snippets as bytes, and what is in them.

Monty dumps a session as a whole. Where that is too much, the dump is loaded into another worker, and variables are
taken out there, those first that seem to be the largest, until what is left will do. Only a dump tells what a variable
really takes, since others may hold the same, so those that made no difference are put back. What is left
out is replaced by what an unset name would give: a function of the host.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field

from pydantic_monty import AsyncMontySession, MontyError

from toolscript_sandbox.contract.kept import Variable
from toolscript_sandbox.serialization.crossing import to_json
from toolscript_sandbox.transforms.tree import polyfill

from .placeholder import placeholder

PIECE = 'keeping'
"""The guest module that says what variables are."""


@dataclass(frozen=True)
class Seen:
    """A variable of a session."""

    variable: Variable
    weight: int
    """About how many bytes it has."""


async def seen(session: AsyncMontySession, names: Iterable[str]) -> list[Seen]:
    """What the variables are; unset ones are not among them."""
    lines = [f'try:\n {_told()}_all.append([{name!r}, *{_told()}({name})])\nexcept:\n pass' for name in sorted(names)]
    try:
        found = to_json(await session.feed_run('\n'.join([f'{_told()}_all = []', *lines, f'{_told()}_all'])))
    except MontyError:
        # It ran out of its time, or died, which the next snippet will be told.
        return []
    return [
        Seen(Variable(str(name)[:_NAME], _CALLED.get(kind, str(kind))[:_NAME], length), weight)
        for name, kind, length, weight in found
        if kind not in _IMPORTED
    ]


@dataclass
class Lightening:
    """A dump without what is too large in it."""

    dump: bytes
    most_bytes: int
    load: Callable[[bytes], Awaitable[AsyncMontySession]]
    """Loads a dump into another session."""
    left_out: list[Seen] = field(default_factory=list[Seen])

    async def to(self, variables: Sequence[Seen]) -> bytes | None:
        """The dump of what is left, where something is; `left_out` says what is not in it."""
        heaviest_first = sorted(variables, key=lambda one: -one.weight)
        session, size, dump = await self.load(self.dump), len(self.dump), self.dump
        taken = list[tuple[Seen, int]]()
        one_by_one, rest = heaviest_first[:_TRIES], heaviest_first[_TRIES:]
        for group in [*([one] for one in one_by_one), rest]:
            if not group or len(dump) <= self.most_bytes:
                break
            await _take_out(session, group)
            size, dump = len(dump), await session.dump()
            taken += [(one, size - len(dump)) for one in group]
        self.left_out = [one for one, _ in taken]
        if len(dump) > self.most_bytes:
            return None
        return await self._with_small_ones(taken, dump)

    async def _with_small_ones(self, taken: Sequence[tuple[Seen, int]], dump: bytes) -> bytes:
        """The dump with those put back that made no difference, unless they do together."""
        large = [one for one, bytes_less in taken if bytes_less > self.most_bytes // 16]
        if len(large) == len(taken):
            return dump
        session = await self.load(self.dump)
        await _take_out(session, large)
        better = await session.dump()
        if len(better) > self.most_bytes:
            return dump
        self.left_out = large
        return better


async def _take_out(session: AsyncMontySession, variables: Iterable[Seen]) -> None:
    names = [one.variable.name for one in variables]
    await session.feed_run('None', inputs={name: placeholder(name) for name in names}, skip_type_check=True)


def _told() -> str:
    return polyfill(PIECE, 'told')


_CALLED = {'type': 'class', 'NoneType': 'None'}
_IMPORTED = ('module', 'builtin_function_or_method')
_TRIES = 8
"""Variables that are taken out one by one; the others go together."""
_NAME = 100
"""Characters of a name or a type's name that are told."""
