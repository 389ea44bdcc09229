"""Models that write a script for every single call can be told."""

import pytest
from inline_snapshot import snapshot
from pydantic_ai import BinaryContent

from tests.toolscript.scripted import play, run_code
from toolscript import CodeModeToolset, FunctionToolset

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


@pytest.fixture
def tools() -> FunctionToolset[object]:
    toolset = FunctionToolset[object]()

    @toolset.tool_plain
    def double(x: int) -> int:
        """Twice as much."""
        return 2 * x

    @toolset.tool_plain
    def photo() -> BinaryContent:
        """A picture."""
        return BinaryContent(b'png', media_type='image/png')

    return toolset


ONE, TWO, NONE = run_code('await double(x=1)'), run_code('await double(x=1) + await double(x=2)'), run_code('1 + 1')


async def test_nothing_is_said_unless_asked_for(tools: FunctionToolset[object]) -> None:
    script = await play(CodeModeToolset(tools), ONE, ONE, ONE, ONE)
    assert script.answers == [2, 2, 2, 2]


async def test_every_third_script_of_one_call_in_a_row_brings_a_hint(tools: FunctionToolset[object]) -> None:
    script = await play(CodeModeToolset(tools, batching_hint_after=3), *[ONE] * 6)
    assert script.answers == snapshot(
        [
            2,
            2,
            {
                'result': 2,
                'hint': 'The last 3 scripts made one call each. Put the next steps into one script; where a tool can also be called directly, one call goes directly.',
            },
            2,
            2,
            {
                'result': 2,
                'hint': 'The last 6 scripts made one call each. Put the next steps into one script; where a tool can also be called directly, one call goes directly.',
            },
        ]
    )


async def test_a_script_of_more_calls_or_none_starts_the_count_anew(tools: FunctionToolset[object]) -> None:
    script = await play(CodeModeToolset(tools, batching_hint_after=2), ONE, TWO, ONE, NONE, ONE)
    assert script.answers == [2, 6, 2, 2, 2]


async def test_a_script_that_failed_does_not_count(tools: FunctionToolset[object]) -> None:
    script = await play(CodeModeToolset(tools, batching_hint_after=2), ONE, run_code('nonsense()'), ONE)
    assert [isinstance(answer, dict) for answer in script.answers] == [False, False, True]


async def test_pictures_reach_the_model_without_a_hint(tools: FunctionToolset[object]) -> None:
    script = await play(CodeModeToolset(tools, batching_hint_after=1), run_code('await photo()'))
    assert isinstance(script.answers[0], BinaryContent)
