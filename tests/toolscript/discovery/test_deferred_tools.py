"""Tools deferred by number, beside code mode, and named in a reminder."""

from typing import Any

import pytest
from pydantic_ai import Agent, ModelMessage, ModelMessagesTypeAdapter, ModelRequest, ModelResponse, UserError
from pydantic_ai.capabilities import AbstractCapability, ProcessHistory
from pydantic_ai.messages import SystemPromptPart, TextPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo
from pydantic_ai.toolsets import AbstractToolset
from pydantic_ai.toolsets import FunctionToolset as PlainToolset

from tests.toolscript.office import office
from tests.toolscript.scripted import Script, Turn, call, play, run_code, search
from toolscript import CodeMode, CodeModeToolset, DeferredToolsReminder, FunctionToolset, SearchableToolset
from toolscript.agent import Agent as OurAgent
from toolscript.discovery.reminder import add_reminder

pytestmark = pytest.mark.pydantic_ai


FIND = 'pai_tool_search_tool'


def numbered(count: int) -> FunctionToolset[object]:
    toolset = FunctionToolset[object]()
    for number in range(count):
        toolset.add_function(lambda: 'done', takes_ctx=False, name=f'tool_{number}', description=f'Number {number}.')
    return toolset


def here() -> str:
    return 'here'


async def shown(toolset: SearchableToolset[object]) -> list[str]:
    return list((await play(toolset)).shown[0])


@pytest.mark.parametrize(
    ('count', 'options', 'is_hidden'),
    [
        (30, {'defer': 'auto'}, False),
        (31, {'defer': 'auto'}, True),
        (100, {}, False),
        (3, {'defer': 'auto', 'defer_above': 2}, True),
        (3, {'defer': 'auto', 'defer_above': 3}, False),
    ],
)
async def test_a_toolset_above_a_threshold_is_completely_deferred(
    count: int, options: dict[str, Any], is_hidden: bool
) -> None:
    names = await shown(SearchableToolset(numbered(count), **options))
    assert names == ([FIND] if is_hidden else [f'tool_{number}' for number in range(count)])


async def test_defer_loading_of_a_tool_overrides_the_threshold() -> None:
    toolset = numbered(40)
    toolset.tool_plain(name='by_keyword', defer_loading=False)(here)
    for name, metadata in (('by_metadata', {'defer_loading': False}), ('pinned', {'pinned': True})):
        toolset.add_function(len, name=name, metadata=metadata)
    toolset.add_function(len, name='runs_code', metadata={'code_arg_name': 'code'})
    assert await shown(SearchableToolset(toolset, defer='auto')) == [
        *('by_keyword', 'by_metadata', 'pinned', 'runs_code'),
        FIND,
    ]
    few = numbered(2)
    few.add_function(len, name='late', defer_loading=True)
    assert await shown(SearchableToolset(few, defer='auto')) == ['tool_0', 'tool_1', FIND]


async def test_any_toolset_can_be_marked_as_loaded() -> None:
    plain = PlainToolset[object](metadata={'defer_loading': False})
    for number in range(40):
        plain.add_function(lambda: 'done', takes_ctx=False, name=f'tool_{number}')
    assert len(await shown(SearchableToolset(plain, defer='auto'))) == 40


async def test_the_capability_defers_all_tools_of_an_agent_except_loaded_ones() -> None:
    script = Script([])
    capabilities = [CodeMode[object](defer='auto', default_callers='direct')]
    agent = OurAgent[object, str](script.model, toolsets=[numbered(31)], capabilities=capabilities)
    agent.tool_plain(defer_loading=False)(here)
    await agent.run('go')
    assert list(script.shown[0]) == ['here', FIND]
    script = Script([])
    await Agent(script.model, toolsets=[numbered(31)], capabilities=[CodeMode(defer='auto')]).run('go')
    assert list(script.shown[0]) == [FIND, 'run_code']


def now() -> str:
    return 'noon'


def add(a: int, b: int) -> int:
    return a + b


def sums() -> CodeModeToolset[object]:
    return CodeModeToolset(FunctionToolset[object]([add]))


def deferred() -> FunctionToolset[object]:
    toolset = FunctionToolset[object](defer_loading=True)

    @toolset.tool_plain(allowed_callers='code')
    def circle_area(radius: int) -> int:
        """The area of a circle."""
        return 3 * radius * radius

    @toolset.tool_plain(allowed_callers='both')
    def square_area(side: int) -> int:
        """The area of a square."""
        return side * side

    @toolset.tool_plain
    def send_mail(to: str) -> str:
        """Send a message."""
        return f'to {to}'

    return toolset


async def run(*turns: Turn, toolsets: list[AbstractToolset[object]] | None = None) -> Script:
    script = Script([*turns])
    parts = toolsets or [PlainToolset[object]([now]), sums(), SearchableToolset(deferred())]
    await Agent(script.model, toolsets=parts).run('go')
    return script


def functions(script: Script, step: int) -> list[str]:
    description = script.shown[step]['run_code'].description or ''
    return [line for line in description.splitlines() if line.startswith('async def')]


async def test_found_code_tools_become_functions_and_are_never_listed_beside_run_code() -> None:
    script = await run(
        search('area'),
        run_code('await add(await circle_area(2), await square_area(3))'),
        call('square_area', side=3),
        search('mail'),
        call('send_mail', to='Ada'),
    )
    assert [tool['name'] for tool in script.answers[0]['tools']] == ['circle_area', 'square_area']
    assert [*script.answers[1:3], script.answers[4]] == [21, 9, 'to Ada']
    first = ['now', 'run_code', 'pai_tool_search_tool']
    found = [[], ['square_area'], ['square_area'], ['square_area'], *[['square_area', 'send_mail']] * 2]
    assert [list(shown) for shown in script.shown] == [[*first, *names] for names in found]
    assert [functions(script, 0), functions(script, 1)] == [
        ['async def add(a: int, b: int) -> int: ...'],
        [
            'async def add(a: int, b: int) -> int: ...',
            'async def circle_area(radius: int) -> int:',
            'async def square_area(side: int) -> int:',
        ],
    ]


async def test_code_that_names_a_direct_tool_of_another_toolset_reads_how_to_call_it() -> None:
    script = await run(run_code('await now()'), run_code("await send_mail('Ada')"))
    reported = 'now cannot be called from code; call the tool now directly, outside of code.'
    assert reported in script.answers[0]
    assert 'to Ada' not in script.answers[1]


async def test_a_code_tool_of_any_toolset_is_called_from_code() -> None:
    script = await run(
        run_code('await half(4)'),
        toolsets=[sums(), PlainToolset[object]([half], metadata={'allowed_callers': 'code'})],
    )
    assert (script.answers, list(script.shown[0])) == ([2.0], ['run_code'])


def half(a: int) -> float:
    return a / 2


async def test_a_code_only_tool_without_code_mode_is_an_error() -> None:
    with pytest.raises(UserError) as refused:
        await run(toolsets=[SearchableToolset(deferred())])
    assert str(refused.value) == (
        "Tool 'circle_area' has allowed_callers='code', but this agent has no code mode; add a CodeModeToolset or the CodeMode capability."
    )


REMINDER = """\
<available-deferred-tools>
send_mail
create_invoice
refund_payment
</available-deferred-tools>"""


def seen(heard: list[list[str]], turn: Turn) -> Turn:
    """A turn that records the user and system messages of its request, without the framework's announcements."""

    def play(messages: list[ModelMessage], _: AgentInfo) -> Turn:
        parts = [part for message in messages for part in message.parts]
        texts = [str(part.content) for part in parts if isinstance(part, SystemPromptPart | UserPromptPart)]
        heard.append([text for text in texts if not text.startswith('<system>')])
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


async def test_deferred_tools_are_named_before_the_first_message_that_is_not_a_system_message() -> None:
    assert await heard(SearchableToolset(office())) == [['Be brief.', REMINDER, 'go']]


async def test_the_reminder_returns_after_a_history_processor_drops_it() -> None:
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


async def test_without_deferred_tools_there_is_no_reminder() -> None:
    toolset = FunctionToolset[object]()
    toolset.add_function(lambda: 'noon', takes_ctx=False, name='now')
    assert await heard(SearchableToolset(toolset)) == [['Be brief.', 'go']]


async def test_deferred_tools_of_pydantic_ai_are_named_too() -> None:
    assert await heard(office()) == [['Be brief.', REMINDER, 'go']]


async def test_tools_that_only_code_can_find_are_named_too() -> None:
    turns: tuple[Turn, ...] = (run_code("await send_mail('Ada')"), 'done')
    assert await heard(office(), CodeMode(), turns=turns) == [['Be brief.', REMINDER, 'go']] * 2


async def test_the_next_run_finds_the_reminder_in_the_history() -> None:
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


def test_a_history_that_starts_with_a_response_gets_a_message_before_it() -> None:
    answer = ModelResponse([TextPart('hi')])
    with_reminder = add_reminder([answer], ['send_mail'])
    assert [type(message).__name__ for message in with_reminder] == ['ModelRequest', 'ModelResponse']
