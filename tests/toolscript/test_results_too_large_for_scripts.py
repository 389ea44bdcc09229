"""A result that a script could not hold fails the call, and not the session: what else the script knows stays."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai.toolsets import FunctionToolset

from tests.toolscript.scripted import play, run_code
from toolscript import CodeModeToolset
from toolscript_sandbox import Limits, serialize

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

SMALL = Limits(max_memory_bytes=8_000_000)
"""Filled by some 60,000 items of a list."""
ENORMOUS: dict[str, Any] = {
    'numbers': [0] * 200_000,
    'rows': [{'id': 1}] * 20_000,
    'texts': ['one or two words'] * 40_000,
    'keys': {str(number): None for number in range(30_000)},
    'a set': {*range(70_000)},
    'a long text': 'x' * 5_000_000,
    'lists in lists': [[0] * 1_000] * 200,
}


@pytest.mark.parametrize('kind', ENORMOUS)
async def test_variables_stay_when_a_result_is_too_large_for_the_session(kind: str) -> None:
    def give(kind: str) -> Any:
        return ENORMOUS[kind]

    toolset = CodeModeToolset(FunctionToolset[object]([give]), limits=SMALL)
    script = await play(toolset, run_code(f"before = 'kept'\nawait give(kind='{kind}')"), run_code('before'))
    assert 'RuntimeError: give has run, but its result is too large for a script: more than 6,000,000 bytes' in str(
        script.answers[0]
    )
    assert script.answers[1] == 'kept'


async def test_what_to_do_about_a_result_too_large_is_said_and_a_script_may_catch_it() -> None:
    def give() -> list[int]:
        return [0] * 200_000

    code = 'try:\n    await give()\nexcept RuntimeError as error:\n    said = str(error)\nsaid'
    script = await play(CodeModeToolset(FunctionToolset[object]([give]), limits=SMALL), run_code(code))
    assert script.answers == snapshot(
        [
            "give has run, but its result is too large for a script: more than 6,000,000 bytes of a script's memory, 6,000,000 are allowed. Request less at a time: use a filter, pages, or narrower arguments."
        ]
    )


def _far_beyond_any_memory() -> Any:
    shared: Any = ['x' * 1000]
    for _ in range(40):
        shared = [shared, shared]
    return shared


@pytest.mark.parametrize('make', [lambda: [0] * 200_000, _far_beyond_any_memory], ids=['numbers', 'shared'])
async def test_a_tool_whose_result_was_too_large_does_not_run_again_for_the_next_script(
    make: Callable[[], Any],
) -> None:
    ran = list[int]()

    def order() -> Any:
        ran.append(1)
        return make()

    toolset = CodeModeToolset(FunctionToolset[object]([order]), limits=SMALL)
    script = await play(toolset, run_code('await order()'), run_code('await order()'))
    assert len(ran) == 1
    assert ['order has run' in str(answer) for answer in script.answers] == [True, True]


@pytest.mark.parametrize(
    'value', [[0] * 10**6, dict.fromkeys(range(10**5)), {*range(10**5)}], ids=['list', 'dict', 'set']
)
async def test_nothing_of_an_enormous_result_is_copied_before_it_is_refused(value: Any) -> None:
    tracemalloc.start()
    try:
        told = await serialize(value, most_heap=6_000_000)
        assert tracemalloc.get_traced_memory()[1] < 200_000
    finally:
        tracemalloc.stop()
    assert told.too_large
