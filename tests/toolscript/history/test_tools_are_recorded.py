"""Which tools a model was shown is in the history, for who asks for it."""

import re

import pytest
from pydantic_ai import Agent, ModelMessagesTypeAdapter
from pydantic_ai.messages import ModelMessage

from tests.toolscript.history.shop import run, shop
from tests.toolscript.scripted import Script, run_code, search
from toolscript import CodeModeToolset, SearchableToolset
from toolscript.history import RecordTools, render_text
from toolscript.testing import RecordingModel

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


def tools_recorded(messages: list[ModelMessage]) -> list[str]:
    """The lines of a run that tell of requests and tools."""
    return re.findall(r'^(?:── .*?request \d+|tool .*|  [+] .*|  - # .*)', render_text(messages), re.MULTILINE)


async def test_tools_are_recorded_once_and_then_as_they_change() -> None:
    messages = await run(search('guarantee'), run_code("await price('tea')"), capabilities=[RecordTools()])
    assert tools_recorded(messages) == [
        '── request 1',
        'tool look',
        'tool pai_tool_search_tool',
        'tool run_code',
        '── request 2',
        'tool run_code, changed',
        '  - # 3 of 4 functions; search for the rest',
        '  + async def warranty(article: str) -> str:',
        '  +  """For how long there is a guarantee."""',
        '── request 3',
    ]


async def test_it_continues_where_a_history_from_disk_ended() -> None:
    async def more(history: list[ModelMessage] | None) -> list[ModelMessage]:
        agent = Agent(
            Script(['well']).model,
            deps_type=object,
            toolsets=[CodeModeToolset(SearchableToolset(shop))],
            capabilities=[RecordTools()],
        )
        return (await agent.run('go', message_history=history)).all_messages()

    first = ModelMessagesTypeAdapter.dump_json(await more(None))
    second = await more(ModelMessagesTypeAdapter.validate_json(first))
    reported = tools_recorded(second)
    assert len([line for line in reported if 'tool ' in line]) == 3
    assert reported[-1] == '── run 2, request 2'


async def test_no_model_sees_it() -> None:
    async def sent(*capabilities: RecordTools[object]) -> list[object]:
        model = RecordingModel(Script([search('guarantee'), run_code("await price('tea')")]).model)
        toolset = CodeModeToolset(SearchableToolset(shop))
        await Agent(model, deps_type=object, toolsets=[toolset], capabilities=capabilities).run('go')
        return [[request.tools, request.system, len(request.messages)] for request in model.requests]

    assert await sent(RecordTools()) == await sent()
