"""One task, its published plan played by one route."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic_ai import Agent
from pydantic_ai.usage import UsageLimits

from evals.measuring.prompt import count
from evals.measuring.tokenizer import Tokenizer, best_tokenizer
from evals.playing.shown import RUN_CODE, SEARCH_TOOL, Shown
from evals.replays.bfcl import Task, Turn, World, tasks
from evals.routes import Route, route_named
from tests.providers.loopback import Request, loopback
from tests.providers.replies import Call, Reply, reply

_MODEL = 'anthropic:claude-sonnet-4-6'


@dataclass(frozen=True)
class Replay:
    task: str
    route: str
    input_tokens: int
    requests: int
    error: str | None
    """The first difference from the plan run without an agent."""


def replays_of(part: tuple[str, int]) -> list[Replay]:
    """Return the replays of every `every`-th task by the named route."""
    route, every = part

    async def play() -> list[Replay]:
        return [await replay(task, route_named(route), best_tokenizer()) for task in tasks()[::every]]

    return asyncio.run(play())


async def replay(task: Task, route: Route, tokenizer: Tokenizer) -> Replay:
    """Play the plan, and compare each result and the final state with the plan run without an agent."""
    expected, world = task.open(), task.open()
    for turn in task.turns:
        for call in turn.calls:
            expected.call(call)
    player = _Player(by_code='code' in route.name.lower())
    setup = route.prepare(world)
    with loopback(player.answer, may_refuse=True) as provider:
        agent = Agent(
            provider.named(_MODEL), deps_type=object, toolsets=[setup.toolset], capabilities=[*setup.capabilities]
        )
        messages = error = None
        try:
            for turn in task.turns:
                player.begin(turn)
                done = await agent.run(turn.ask, message_history=messages, usage_limits=UsageLimits(request_limit=None))
                messages = done.all_messages()
        except Exception as failure:
            error = f'{type(failure).__name__}: {failure}'
    tokens = sum(count(request, None, tokenizer).input for request in provider.requests)
    return Replay(task.name, route.name, tokens, len(provider.requests), error or difference(expected, world))


def difference(expected: World, world: World) -> str | None:
    """Return the first difference in the calls, in their results, and in the final state."""
    for number, (one, other) in enumerate(zip(expected.results, world.results, strict=False)):
        if one != other:
            return f'call {number}: {other} instead of {one}'
    if len(expected.results) != len(world.results):
        return f'{len(world.results)} calls instead of {len(expected.results)}'
    return None if expected.state == world.state else 'the final state differs'


class _Player:
    """The scripted model: it makes the calls of a turn one by one or in one script, then says that it is done."""

    def __init__(self, *, by_code: bool) -> None:
        self.by_code = by_code
        self._steps: Iterator[Reply] = iter(())
        self.request: Request

    def begin(self, turn: Turn) -> None:
        self._steps = self._by_code(turn) if self.by_code else self._by_hand(turn)

    def answer(self, request: Request) -> Reply:
        self.request = request
        return next(self._steps)

    def _by_hand(self, turn: Turn) -> Iterator[Reply]:
        for call in turn.calls:
            yield reply(Call(call.name, dict(call.arguments)))
        yield reply('Done.')

    def _by_code(self, turn: Turn) -> Iterator[Reply]:
        names = list(dict.fromkeys(call.name for call in turn.calls))
        # First in the user's words, then in the words of its name for tools that these do not find.
        for in_users_words in (True, False):
            missing = [name for name in names if name not in Shown(self.request).functions(names)]
            queries = {turn.ask if in_users_words else name.replace('_', ' ') for name in missing}
            if queries:
                yield reply(*(Call(SEARCH_TOOL, {'query': query}) for query in sorted(queries)))
        shown = Shown(self.request).functions(names)
        if turn.calls:
            lines = [f'{"await " if shown[call.name].waits else ""}{call}' for call in turn.calls]
            code = lines[0] if len(lines) == 1 else '[\n' + ''.join(f'    {line},\n' for line in lines) + ']'
            yield reply(Call(RUN_CODE, {'code': code}))
        yield reply('Done.')
