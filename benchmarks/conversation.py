"""What a conversation of ten turns costs by where found signatures stand: `catalog='description'` or `'append'`.

    python -m benchmarks.conversation

The tools are those of three worlds of the evals, 53 of them, all deferred. In each turn the model searches three times
in one reply, one search of which finds what an earlier turn found, makes two scripts and answers. Input tokens are
counted as the evals count them: all of them, those that a provider's prompt cache has kept, and the price of the input,
of which a cached token costs a tenth.
"""

import asyncio
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage
from pydantic_ai.toolsets import AbstractToolset, CombinedToolset

from evals.measuring.prompt import PromptTokens, count
from evals.measuring.tokenizer import best_tokenizer
from evals.worlds.analytics import open_analytics
from evals.worlds.office import open_office
from evals.worlds.shop_world import open_shop
from tests.providers.loopback import Request, loopback
from tests.providers.replies import Call, Reply, reply
from toolscript import CodeModeToolset, SearchableToolset, ToolSearchOptions

Catalog = Literal['description', 'append']

WIRES = ('anthropic:claude-sonnet-4-6', 'responses:gpt-5.4')
SEARCH = 'pai_tool_search_tool'
TURNS = (
    ('orders of a region', 'order lines', 'orders of a customer'),
    ('shipment of an order', 'orders of a customer', 'refund an order'),
    ('find customers', 'customer note', 'refunds of an order'),
    ('products', 'stock', 'orders of a region'),
    ('tickets', 'close a ticket', 'find customers'),
    ('reviews of a product', 'stars', 'products'),
    ('send a mail', 'meetings', 'tickets'),
    ('people of a team', 'calendar', 'send a mail'),
    ('metrics', 'dashboards', 'reviews of a product'),
    ('query of events', 'alerts', 'metrics'),
)
CACHED_PRICE = 0.1


@dataclass(frozen=True)
class Cost:
    """What the requests of a conversation took."""

    requests: int
    input: int
    cached: int

    @property
    def price(self) -> float:
        """In tokens at the full price."""
        return self.input - self.cached * (1 - CACHED_PRICE)


def replies() -> Iterator[Reply]:
    """What the model says, whatever it is told."""
    for queries in TURNS:
        yield reply(*(Call(SEARCH, {'query': query}) for query in queries))
        yield reply(Call('run_code', {'code': f'len({queries[0]!r})'}))
        yield reply(Call('run_code', {'code': f'[one["name"] for one in await search_tools({queries[1]!r})]'}))
        yield reply('That is done.')


@contextmanager
def tools() -> Generator[AbstractToolset[object]]:
    """The tools of three worlds."""
    with TemporaryDirectory() as folder:
        worlds = (open_shop(Path(folder)), open_office(), open_analytics())
        yield CombinedToolset([world.toolset for world in worlds])


async def conversation(wire: str, catalog: Catalog, prefetch: int) -> Cost:
    """Have one conversation."""
    waiting = replies()
    with tools() as toolset, loopback(lambda _request: next(waiting)) as wires:
        searchable = SearchableToolset(
            toolset.defer_loading(), ToolSearchOptions(algorithm='ranked', prefetch=prefetch)
        )
        agent = Agent(wires.named(wire), toolsets=[CodeModeToolset(searchable, catalog=catalog)])
        history: list[ModelMessage] = []
        for queries in TURNS:
            result = await agent.run(f'I need {queries[0]}, and {queries[1]}.', message_history=history)
            history = result.all_messages()
        return cost(wires.requests)


def cost(requests: Sequence[Request]) -> Cost:
    """The tokens of requests, each cached as far as it begins like the one before."""
    befores = [None, *requests[:-1]]
    counts: list[PromptTokens] = [
        count(request, before, best_tokenizer()) for request, before in zip(requests, befores, strict=True)
    ]
    return Cost(len(requests), sum(one.input for one in counts), sum(one.cached for one in counts))


async def main() -> None:
    """Print the table."""
    print(f'{len(TURNS)} turns, by {best_tokenizer().name}\n')
    print('| wire | catalog | prefetch | requests | input tokens | of these cached | price in full tokens |')
    print('|---|---|--:|--:|--:|--:|--:|')
    for wire in WIRES:
        for prefetch in (0, 8):
            for catalog in ('description', 'append'):
                found = await conversation(wire, catalog, prefetch)
                print(
                    f'| {wire} | {catalog} | {prefetch} | {found.requests} | {found.input:,} | {found.cached:,} | '
                    f'{found.price:,.0f} |'
                )


if __name__ == '__main__':
    asyncio.run(main())
