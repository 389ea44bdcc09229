"""Models that write a script for every single call can be told."""

import pytest
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


async def test_every_third_script_of_one_call_in_a_row_brings_a_hint(tools: FunctionToolset[object]) -> None:
    script = await play(CodeModeToolset(tools, batching_hint_after=3), *[ONE] * 6)
    advice = 'Put the next steps into one script; where a tool can also be called directly, one call goes directly.'
    third, sixth = ({'result': 2, 'hint': f'The last {n} scripts made one call each. {advice}'} for n in (3, 6))
    assert script.answers == [2, 2, third, 2, 2, sixth]


async def test_other_scripts_start_the_count_anew_and_one_that_failed_does_not_count(
    tools: FunctionToolset[object],
) -> None:
    script = await play(CodeModeToolset(tools, batching_hint_after=2), ONE, TWO, ONE, NONE, ONE)
    assert script.answers == [2, 6, 2, 2, 2]
    script = await play(CodeModeToolset(tools, batching_hint_after=2), ONE, run_code('nonsense()'), ONE)
    assert [isinstance(answer, dict) for answer in script.answers] == [False, False, True]
