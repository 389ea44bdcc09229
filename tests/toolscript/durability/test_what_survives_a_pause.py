"""Everything that a run has gathered continues with its script."""

from collections.abc import Sequence
from typing import Any

import pytest
from pydantic_ai import BinaryContent, ToolReturn
from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_ai.toolsets import AbstractToolset

from tests.toolscript.approvals.conversation import conversation
from tests.toolscript.scripted import run_code
from toolscript import FunctionToolset, SearchableToolset

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

PICTURE = BinaryContent(b'\xff\xd8 picture', media_type='image/jpeg')


def studio() -> tuple[FunctionToolset[object], list[str]]:
    log: list[str] = []
    toolset = FunctionToolset[object]()

    async def take_picture() -> BinaryContent:
        log.append('picture')
        return PICTURE

    async def describe() -> ToolReturn[str]:
        return ToolReturn('described', content='what the model should read', metadata={'seen': b'\xff'})

    async def publish(what: object) -> str:
        log.append('publish')
        return 'published'

    async def count_visitors(day: str) -> int:
        log.append(f'count {day}')
        return 7

    toolset.tool_plain(take_picture)
    toolset.tool_plain(describe)
    toolset.tool_plain(requires_approval=True)(publish)
    toolset.tool_plain(defer_loading=True)(count_visitors)
    return toolset, log


def prompts_of(parts: Sequence[Any]) -> list[Any]:
    return [
        part.content
        for message in parts
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, UserPromptPart)
    ]


async def test_files_go_to_the_model_as_files() -> None:
    toolset, log = studio()
    talk = conversation(toolset, run_code('picture = await take_picture()\nawait publish(picture)\npicture'))
    await talk.start()
    await talk.decide(publish=True)
    (answer,) = talk.script.answers
    assert isinstance(answer, BinaryContent)
    assert (answer.data, answer.media_type, log) == (PICTURE.data, 'image/jpeg', ['picture', 'publish'])


async def test_messages_and_metadata_of_tools_survive() -> None:
    toolset, _ = studio()
    talk = conversation(toolset, run_code('await describe()\nawait publish(1)'))
    await talk.start()
    await talk.decide(publish=True)
    assert prompts_of(talk.messages)[-1] == ['what the model should read']
    assert talk.script.parts[0].metadata['tool_calls'][0]['metadata'] == {'seen': '_w=='}


async def test_tools_found_before_the_pause_can_be_called_after_it() -> None:
    toolset, log = studio()
    searchable: AbstractToolset[object] = SearchableToolset(toolset)
    code = "found = await search_tools('visitors')\nawait publish(1)\nawait count_visitors('today')"
    talk = conversation(searchable, run_code(code))
    await talk.start()
    await talk.decide(publish=True)
    assert (talk.script.answers, log) == ([7], ['publish', 'count today'])
    assert talk.script.parts[0].metadata['toolscript_discovered'] == ['count_visitors']


async def test_what_was_printed_before_the_pause_is_shown_after_it() -> None:
    toolset, _ = studio()
    talk = conversation(toolset, run_code("print('before')\nawait publish(1)\nprint('after')"))
    await talk.start()
    await talk.decide(publish=True)
    assert talk.script.answers == [{'stdout': 'before\nafter\n'}]


async def test_a_restart_forgets_variables_and_still_pauses() -> None:
    toolset, _ = studio()
    talk = conversation(toolset, run_code('x = 20'), run_code('x = await publish(1)\nx', restart=True))
    await talk.start()
    await talk.decide(publish=True)
    assert talk.script.answers == [20, 'published']
