"""Both ways of doing the demo's job end in the right answer, and what they cost is counted."""

from collections import Counter
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelRequestPart, ModelResponse
from pydantic_ai.tools import ToolDefinition

from demo import database, job
from demo.agents import code_agent, direct_agent
from demo.by_hand import by_hand
from demo.database import Database
from demo.in_code import in_code
from demo.job import Fact
from demo.metered import Metered
from demo.scripted import scripted

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
