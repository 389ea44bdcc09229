"""What a function's docstring says is shown as its author wrote it."""

from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, RunContext, Tool
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import CombinedToolset, FunctionToolset

from tests.toolscript.scripted import Script, functions_text, play, search
from toolscript import CodeMode, CodeModeToolset, SearchableToolset
from toolscript.catalog.function_metadata import unmarked

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


def refund(order: int, reason: str = '') -> float:
    """Refund an order.

    Only once.

    Args:
        order: Its number.
        reason: In a few words.

    Returns:
        How much was refunded, in euros.

    Raises:
        LookupError: There is no such order.
    """
    return 1.0


def described(script: Script) -> str:
    return functions_text(script.shown[0]['run_code'].description)


async def test_a_docstring_is_shown_without_markup_and_with_all_that_it_says() -> None:
    script = await play(CodeModeToolset(FunctionToolset[object]([refund])))
    assert described(script) == snapshot('''\
async def refund(
 order: int, # Its number.
 reason: str = '' # In a few words.
) -> float:
 """Refund an order.

 Only once.

 Returns:
     How much was refunded, in euros.

 Raises:
     LookupError: There is no such order."""\
''')


@pytest.mark.parametrize(
    'toolset',
    [
        FunctionToolset[object]([refund]).prefixed('shop'),
        FunctionToolset[object]([refund]).renamed({'pay_back': 'refund'}),
        CombinedToolset[object]([FunctionToolset([refund]), FunctionToolset()]),
        SearchableToolset[object](FunctionToolset([refund])),
        FunctionToolset[object]([refund]).with_metadata(team='shop'),
    ],
)
async def test_through_wrappers_it_is_the_same(toolset: Any) -> None:
    shown = described(await play(CodeModeToolset(toolset)))
    assert 'LookupError: There is no such order.' in shown
    assert '<' not in shown


async def test_with_the_capability_and_after_a_search_it_is_the_same() -> None:
    script = Script([search('refund')])
    agent = Agent(script.model, tools=[Tool[Any](refund, defer_loading=True)], capabilities=[CodeMode[Any]()])
    await agent.run('go')
    assert 'LookupError' in str(script.shown[-1]['run_code'].description)
    assert '<summary>' not in str(script.answers) + str(script.shown)


async def test_a_description_that_somebody_else_gave_counts() -> None:
    async def prepared(ctx: RunContext[Any], tool_def: ToolDefinition) -> ToolDefinition:
        tool_def.description = 'Not now.'
        return tool_def

    by_hand = Tool[Any](refund, description='By hand.', name='one')
    later = Tool[Any](refund, prepare=prepared, name='two')
    shown = described(await play(CodeModeToolset(FunctionToolset[Any]([by_hand, later]))))
    assert ['By hand.' in shown, 'Not now.' in shown, 'LookupError' in shown] == [True, True, False]


@pytest.mark.parametrize(
    ('marked', 'text'),
    [
        (
            '<summary>Do it.</summary>\n<returns>\n<description>A word.</description>\n</returns>',
            'Do it.\n\nReturns: A word.',
        ),
        ('<returns>\n<type>int</type>\n<description>int</description>\n</returns>', ''),
        ('<summary>Do it.</summary>', '<summary>Do it.</summary>'),
        ('Takes <summary>tags</summary>.', 'Takes <summary>tags</summary>.'),
    ],
)
def test_markup_is_read_back_where_there_is_no_function(marked: str, text: str) -> None:
    assert unmarked(marked) == text
