"""Both ways of doing the demo's job end in the right answer, and what they cost is counted."""

from collections import Counter
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelRequestPart, ModelResponse
from pydantic_ai.tools import ToolDefinition

from demo import database, job
from demo.agents import code_agent, direct_agent
from demo.by_hand import by_hand
from demo.database import Database
from demo.in_code import in_code
from demo.job import Fact
from demo.metered import Metered, Totals
from demo.scripted import Call, Seen, Work, scripted
from demo.shop import shop

pytestmark = pytest.mark.anyio


@pytest.fixture
def shop_database(tmp_path: Path) -> Database:
    return database.create(tmp_path / 'shop.db')


async def test_a_script_finds_the_answer(
    shop_database: Database, git_server: MCPToolset[object], repository: Path
) -> None:
    runs, model = Runs(), Metered(scripted(in_code), Runs())
    result = await code_agent(model, [git_server], runs.called).run(job.prompt(repository), deps=shop_database)
    assert job.missing(result.output, job.facts(shop_database)) == []
    assert runs.tools == snapshot(
        Counter(
            {
                'today': 1,
                'list_regions': 1,
                'orders_placed': 10,
                'shipment_of': 210,
                'customer': 3,
                'git_log': 1,
                'git_show': 1,
            }
        )
    )
    assert (model.totals.turns, model.totals.calls) == snapshot((3, 4))


async def test_direct_calls_find_the_same_answer(
    shop_database: Database, git_server: MCPToolset[object], repository: Path
) -> None:
    runs, model = Runs(), Metered(scripted(by_hand), Runs())
    result = await direct_agent(model, [git_server], runs.called).run(job.prompt(repository), deps=shop_database)
    assert job.missing(result.output, job.facts(shop_database)) == []
    assert runs.tools == snapshot(
        Counter(
            {
                'today': 1,
                'list_regions': 1,
                'orders_placed': 10,
                'shipment_of': 210,
                'customer': 3,
                'git_log': 1,
                'git_show': 1,
            }
        )
    )
    assert (model.totals.turns, model.totals.calls) == snapshot((7, 227))


async def test_a_model_that_cannot_find_its_tools_says_so(shop_database: Database, repository: Path) -> None:
    model = scripted(in_code)
    result = await code_agent(model, [], Runs().called).run(job.prompt(repository), deps=shop_database)
    assert result.output == snapshot(
        'I found nothing to show the git commit log, nothing to show the contents of a git commit.'
    )


async def test_definitions_count_in_every_turn_and_results_once(shop_database: Database) -> None:
    def two_questions(seen: Seen) -> Work:
        del seen
        yield [Call('today', {})]
        yield [Call('today', {})]
        return 'done'

    model = Metered(scripted(two_questions), Runs())
    agent = Agent(model, toolsets=[shop.filtered(lambda _, tool: tool.name == 'today')], deps_type=Database)
    await agent.run('What day is it?', deps=shop_database)
    definition = (
        '["today", "The day it is in the shop.", {"additionalProperties": false, "properties": {}, "type": "object"}]'
    )
    assert model.totals == Totals(turns=3, calls=2, definitions=3 * len(definition), results=2 * len('2026-06-24'))


def test_an_answer_is_held_against_the_database(shop_database: Database) -> None:
    facts = job.facts(shop_database)
    assert job.missing('EAST: 16430.25, thanks to Leon Krause, Carla Krause and Kaja Adler.', facts) == snapshot(
        [Fact(what='who made the commit', text='Hugo'), Fact(what='what it changed', text='Lindholm')]
    )


class Runs:
    """Remembers which tools ran, and does not care what else passes."""

    def __init__(self) -> None:
        self.tools = Counter[str]()

    def called(self, tool: str, arguments: dict[str, object]) -> None:
        del arguments
        self.tools[tool] += 1

    def shown(self, turn: int, tools: list[ToolDefinition], news: list[ModelRequestPart]) -> None: ...

    def answered(self, response: ModelResponse) -> None: ...
