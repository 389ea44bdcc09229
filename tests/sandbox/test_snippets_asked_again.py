"""The same snippet, finding the same, is neither prepared nor checked again; everything else is."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.corpus.table import TABLE
from tests.sandbox.test_checks_are_never_skipped import BRANCHES
from toolscript_sandbox import Call, Completed, Failed, Function, Sandbox

pytestmark = pytest.mark.anyio


class Double(dict[str, Function]):
    """One function, whose argument is of some type."""

    def __init__(self, takes: str, validate: Callable[[str, Any], str | None] | None = None) -> None:
        super().__init__(double=Function('double', f'async def double(of: {takes}) -> int: ...', validate=validate))

    def hint(self, name: str, /) -> str | None:
        """Nothing."""
        return None


async def _answer(call: Call) -> Any:
    return 2 * call.kwargs['of']


async def _ran(sandbox: Sandbox, code: str, functions: Any = TABLE, before: str = '') -> Completed | Failed:
    async with sandbox.session() as session:
        if before:
            await session.run(before, functions, _answer)
        outcome = await session.run(code, functions, _answer)
        assert isinstance(outcome, (Completed, Failed))
        return outcome


async def test_a_snippet_of_many_sessions_is_checked_once() -> None:
    async with Sandbox() as sandbox:
        warmed = sandbox.stats.checks
        for _ in range(3):
            assert isinstance(await _ran(sandbox, 'sum([1, 2, 31_415])'), Completed)
        assert sandbox.stats.checks == warmed + 1


async def test_what_a_session_has_decides_anew() -> None:
    async with Sandbox() as sandbox:
        assert isinstance(await _ran(sandbox, 'count_here + 1', before='count_here = 1'), Completed)
        assert isinstance(await _ran(sandbox, 'count_here + 1'), Failed)
        assert isinstance(await _ran(sandbox, 'count_here + 1', before="count_here = 'a'"), Failed)
        assert isinstance(await _ran(sandbox, 'count_here + 1', before='count_here = 1'), Completed)


async def test_what_functions_take_decides_anew() -> None:
    def objects(word: str, value: Any) -> str | None:
        return 'only 2 can be doubled'

    async with Sandbox() as sandbox:
        code = 'x = await double(of=1)'
        takes_text = await _ran(sandbox, code, Double('str'))
        objecting = await _ran(sandbox, code, Double('int', objects))
    assert isinstance(takes_text, Failed)
    assert isinstance(objecting, Failed)
    assert 'only 2 can be doubled' in objecting.error.message


async def test_a_check_that_came_to_no_end_is_tried_again() -> None:
    async with Sandbox(check_seconds=0.2) as sandbox:
        for _ in range(2):
            assert isinstance(await _ran(sandbox, BRANCHES), Failed)
        assert sandbox.stats.checks_stopped == 2
