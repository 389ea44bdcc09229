"""A searchable toolset beside a code-mode toolset: what it finds for code is called from code."""

from __future__ import annotations

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, UserError
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

    return toolset


def sums() -> FunctionToolset[object]:
    toolset = FunctionToolset[object]()

    @toolset.tool_plain
    def add(a: int, b: int) -> int:
        return a + b

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
    assert [tool['name'] for tool in script.answers[0]['tools']] == ['circle_area', 'square_area']
    assert [*script.answers[1:3], script.answers[4]] == [21, 9, 'to Ada']
    first = ['now', 'run_code', 'pai_tool_search_tool']
    found = [[], ['square_area'], ['square_area'], ['square_area'], *[['square_area', 'send_mail']] * 2]
    assert [list(shown) for shown in script.shown] == [[*first, *names] for names in found]
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


async def test_a_code_only_tool_without_code_mode_is_an_error() -> None:
    with pytest.raises(UserError) as refused:
        await run(toolsets=[SearchableToolset(deferred())])
    assert str(refused.value) == (
        "Tool 'circle_area' says allowed_callers='code', but this agent has no code mode; add a CodeModeToolset or "
        'the CodeMode capability.'
    )
