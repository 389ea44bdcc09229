"""A searchable toolset beside a code-mode toolset: what it finds for code is called from code."""

from __future__ import annotations

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, ModelMessagesTypeAdapter, UserError
from pydantic_ai.toolsets import AbstractToolset
from pydantic_ai.toolsets import FunctionToolset as PlainToolset

from tests.toolscript.scripted import Script, Turn, call, run_code, search
from toolscript import CodeModeToolset, FunctionToolset, SearchableToolset

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


def plain() -> AbstractToolset[object]:
    toolset = PlainToolset[object]()

    @toolset.tool_plain
    def now() -> str:
        return 'noon'

    assert now()
    return toolset


def sums() -> FunctionToolset[object]:
    toolset = FunctionToolset[object]()

    @toolset.tool_plain
    def add(a: int, b: int) -> int:
        return a + b

    assert add(1, 1)
    return toolset


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

    assert all([circle_area(1), square_area(1), send_mail('a')])
    return toolset


async def run(*turns: Turn, toolsets: list[AbstractToolset[object]] | None = None) -> Script:
    script = Script([*turns])
    parts = toolsets or [plain(), CodeModeToolset(sums()), SearchableToolset(deferred())]
    await Agent(script.model, toolsets=parts).run('go')
    return script


def functions(script: Script, step: int) -> list[str]:
    description = script.shown[step]['run_code'].description or ''
    return [line for line in description.splitlines() if line.startswith('async def')]


async def test_found_code_tools_become_functions_and_never_stand_beside_run_code() -> None:
    script = await run(
        search('area'),
        run_code('await add(await circle_area(2), await square_area(3))'),
        call('square_area', side=3),
        search('mail'),
        call('send_mail', to='Ada'),
    )
    assert script.answers == snapshot(
        [
            {
                'message': 'Found 2 of 3 deferred tools.',
                'tools': [
                    {'name': 'circle_area', 'description': 'The area of a circle.'},
                    {'name': 'square_area', 'description': 'The area of a square.'},
                ],
            },
            21,
            9,
            {
                'message': 'Found 1 of 3 deferred tools.',
                'tools': [{'name': 'send_mail', 'description': 'Send a message.'}],
            },
            'to Ada',
        ]
    )
    assert [list(shown) for shown in script.shown] == snapshot(
        [
            ['now', 'run_code', 'pai_tool_search_tool'],
            ['now', 'run_code', 'pai_tool_search_tool', 'square_area'],
            ['now', 'run_code', 'pai_tool_search_tool', 'square_area'],
            ['now', 'run_code', 'pai_tool_search_tool', 'square_area'],
            ['now', 'run_code', 'pai_tool_search_tool', 'square_area', 'send_mail'],
            ['now', 'run_code', 'pai_tool_search_tool', 'square_area', 'send_mail'],
        ]
    )
    assert [functions(script, 0), functions(script, 1)] == snapshot(
        [
            ['async def add(a: int, b: int) -> int: ...'],
            [
                'async def add(a: int, b: int) -> int: ...',
                'async def circle_area(radius: int) -> int:',
                'async def square_area(side: int) -> int:',
            ],
        ]
    )


async def test_the_order_of_the_toolsets_does_not_matter() -> None:
    script = await run(
        search('circle'),
        run_code('await circle_area(2)'),
        toolsets=[SearchableToolset(deferred()), CodeModeToolset(sums()), plain()],
    )
    assert script.answers[1] == 12
    assert [list(shown) for shown in script.shown] == snapshot(
        [
            ['pai_tool_search_tool', 'run_code', 'now'],
            ['pai_tool_search_tool', 'run_code', 'now'],
            ['pai_tool_search_tool', 'run_code', 'now'],
        ]
    )


async def test_a_script_searches_and_calls_what_it_found() -> None:
    script = await run(
        run_code("""\
found = await search_tools('circle')
[found, await circle_area(2)]"""),
        run_code('await circle_area(3)'),
    )
    assert script.answers == snapshot(
        [
            [
                [{'name': 'circle_area', 'description': 'The area of a circle.'}],
                12,
            ],
            27,
        ]
    )


async def test_a_direct_call_of_a_code_only_tool_is_answered_with_the_code_to_send() -> None:
    script = await run(call('circle_area', radius=2), search('circle'), call('circle_area', radius=2))
    assert script.answers[0] == script.answers[2]
    assert script.answers[0] == snapshot("""\
circle_area is called from code. Call run_code with this code, or use it in a longer script:

await circle_area(radius=2)\
""")


async def test_code_that_names_a_direct_tool_of_another_toolset_is_told_how_to_call_it() -> None:
    script = await run(run_code('await now()'))
    told = 'now cannot be called from code; call the tool now directly, outside of code.'
    assert told in script.answers[0]


async def test_a_tool_of_any_toolset_that_says_code_is_called_from_code() -> None:
    script = await run(
        run_code('await half(4)'),
        toolsets=[CodeModeToolset(sums()), PlainToolset[object]([half], metadata={'allowed_callers': 'code'})],
    )
    assert (script.answers, list(script.shown[0])) == ([2.0], ['run_code'])


def half(a: int) -> float:
    return a / 2


async def test_the_history_tells_the_next_run_what_was_found() -> None:
    toolsets = [CodeModeToolset(sums()), SearchableToolset(deferred())]
    first = await Agent(Script([search('circle')]).model, toolsets=toolsets).run('go')
    history = ModelMessagesTypeAdapter.validate_json(first.all_messages_json())
    script = Script([run_code('await circle_area(1)')])
    await Agent(script.model, toolsets=toolsets).run('on', message_history=history)
    assert (script.answers, functions(script, 0)) == snapshot(
        ([3], ['async def add(a: int, b: int) -> int: ...', 'async def circle_area(radius: int) -> int:'])
    )


async def test_appended_signatures_leave_run_code_as_it_was() -> None:
    script = await run(
        search('circle'),
        run_code('await circle_area(2)'),
        toolsets=[CodeModeToolset(sums(), catalog='append'), SearchableToolset(deferred())],
    )
    assert script.shown[0]['run_code'] == script.shown[1]['run_code'] == script.shown[2]['run_code']
    assert script.answers == snapshot(
        [
            '''\
Found 1 of 3 deferred tools.

async def circle_area(radius: int) -> int:
 """The area of a circle."""\
''',
            12,
        ]
    )


async def test_a_code_only_tool_without_code_mode_is_an_error() -> None:
    with pytest.raises(UserError) as refused:
        await run(toolsets=[SearchableToolset(deferred())])
    assert str(refused.value) == (
        "Tool 'circle_area' says allowed_callers='code', but this agent has no code mode; add a CodeModeToolset or "
        'the CodeMode capability.'
    )
