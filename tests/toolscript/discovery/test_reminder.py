"""The reminder of deferred tools."""

from __future__ import annotations

import pytest
from pydantic_ai import Agent, ModelMessage, ModelMessagesTypeAdapter, ModelRequest, ModelResponse
from pydantic_ai.capabilities import AbstractCapability, ProcessHistory
from pydantic_ai.messages import SystemPromptPart, TextPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo
from pydantic_ai.toolsets import AbstractToolset, FunctionToolset

from tests.toolscript.office import office
from tests.toolscript.scripted import Script, Turn, run_code, search
from toolscript import CodeMode, DeferredToolsReminder, SearchableToolset
from toolscript.discovery.reminder import reminded

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

REMINDER = """\
<available-deferred-tools>
send_mail
create_invoice
refund_payment
</available-deferred-tools>"""


def seen(heard: list[list[str]], turn: Turn) -> Turn:
    """A turn that writes down the user and system messages of its request, without the framework's announcements."""

    def play(messages: list[ModelMessage], _: AgentInfo) -> Turn:
        parts = [part for message in messages for part in message.parts]
        said = [str(part.content) for part in parts if isinstance(part, SystemPromptPart | UserPromptPart)]
        heard.append([text for text in said if not text.startswith('<system>')])
        return turn

    return play


async def heard(
    toolset: AbstractToolset[object], *capabilities: AbstractCapability[object], turns: tuple[Turn, ...] = ('done',)
) -> list[list[str]]:
    messages: list[list[str]] = []
    script = Script([seen(messages, turn) for turn in turns])
    agent = Agent(
        script.model,
        system_prompt='Be brief.',
        toolsets=[toolset],
        capabilities=[DeferredToolsReminder(), *capabilities],
    )
    await agent.run('go')
    return messages


async def test_deferred_tools_are_named_before_the_first_message_that_is_no_system_message() -> None:
    assert await heard(SearchableToolset(office())) == [['Be brief.', REMINDER, 'go']]


async def test_a_history_processor_that_drops_it_brings_it_back() -> None:
    def drop(messages: list[ModelMessage]) -> list[ModelMessage]:
        return [_without_reminder(message) for message in messages]

    turns: tuple[Turn, ...] = (search('mail'), 'done')
    assert (
        await heard(SearchableToolset(office()), ProcessHistory(drop), turns=turns)
        == [['Be brief.', REMINDER, 'go']] * 2
    )


def _without_reminder(message: ModelMessage) -> ModelMessage:
    if not isinstance(message, ModelRequest):
        return message
    return ModelRequest(
        [part for part in message.parts if not (isinstance(part, UserPromptPart) and part.content == REMINDER)]
    )


async def test_without_deferred_tools_nothing_is_said() -> None:
    toolset = FunctionToolset[object]()
    toolset.add_function(lambda: 'noon', takes_ctx=False, name='now')
    assert await heard(SearchableToolset(toolset)) == [['Be brief.', 'go']]


async def test_upstreams_own_deferred_tools_are_named_too() -> None:
    assert await heard(office()) == [['Be brief.', REMINDER, 'go']]


async def test_tools_that_only_code_finds_are_named_too() -> None:
    turns: tuple[Turn, ...] = (run_code("await send_mail('Ada')"), 'done')
    assert await heard(office(), CodeMode(), turns=turns) == [['Be brief.', REMINDER, 'go']] * 2


async def test_the_next_run_has_it_from_the_history() -> None:
    messages: list[list[str]] = []
    agent = Agent(
        Script([search('mail')]).model,
        toolsets=[SearchableToolset(office())],
        capabilities=[DeferredToolsReminder[object]()],
    )
    first = await agent.run('go')
    history = ModelMessagesTypeAdapter.validate_json(first.all_messages_json())
    await agent.run('on', message_history=history, model=Script([seen(messages, 'done')]).model)
    assert messages == [[REMINDER, 'go', 'on']]


def test_a_history_that_starts_with_an_answer_gets_a_message_before_it() -> None:
    answer = ModelResponse([TextPart('hi')])
    with_reminder = reminded([answer], ['send_mail'])
    assert [type(message).__name__ for message in with_reminder] == ['ModelRequest', 'ModelResponse']
