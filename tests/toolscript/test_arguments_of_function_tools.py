"""Arguments of function tools: `*args`, `**kwargs`, and what Pydantic converts."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field
from pydantic_ai import RunContext
from pydantic_ai.toolsets import AbstractToolset, FunctionToolset

from tests.text_cases import TextCase, text_cases
from tests.toolscript.scripted import play, run_code
from toolscript import CodeModeToolset, SearchableToolset

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


class Guest(BaseModel):
    name: str
    nights: Annotated[int, Field(ge=1)] = 1


class _Hotel:
    def __init__(self) -> None:
        self.calls = list[Any]()
        functions: list[Callable[..., Any]] = [self.book_hotel, self.rate, self.note, self.check_in, self.plan]
        self.toolset = FunctionToolset[object](functions)

    def book_hotel(self, location: str, *preferences: str) -> str:
        return self._called(location, preferences)

    def rate(self, ctx: RunContext[object], stars: int, scale: int = 5, *parts: float, fair: bool) -> str:
        return self._called(stars, scale, parts, fair)

    def note(self, title: str, **details: int) -> str:
        return self._called(title, details)

    def check_in(self, guest: Guest, room: int, quiet: bool = False) -> str:
        return self._called(guest, room, quiet)

    def plan(self, day: date, text: Annotated[str, Field(min_length=2)], *sizes: Annotated[int, Field(lt=9)]) -> str:
        return self._called(day, text, sizes)

    def _called(self, *arguments: Any) -> str:
        self.calls.append(arguments)
        return 'done'


async def _answer(code: str, toolset: AbstractToolset[object]) -> tuple[str, str]:
    """What the model reads of its script, and what it was shown before."""
    script = await play(CodeModeToolset(toolset), run_code(code))
    return str(script.answers[0]), script.shown[0]['run_code'].description or ''


@pytest.mark.parametrize('case', text_cases(Path(__file__).with_name('arguments.txt')), ids=str)
async def test_a_call_is_taken_as_the_function_takes_it_or_refused_before_anything_runs(case: TextCase) -> None:
    """Behind `=` is what the function was given; else the model reads these words."""
    hotel = _Hotel()
    if case.expected.startswith('= '):
        reported, _ = await _answer(case.given, hotel.toolset)
        assert (reported, repr(hotel.calls[0]), len(hotel.calls)) == ('done', case.expected[2:], 1)
    else:
        reported, _ = await _answer(f"await note('first')\n{case.given}", hotel.toolset)
        assert case.expected in reported
        assert (reported.endswith('Nothing was run.'), hotel.calls) == (True, [])


async def test_star_arguments_are_shown_as_such_through_every_wrapper() -> None:
    prefixed = _Hotel().toolset.prefixed('inn')
    renamed = prefixed.renamed({'reserve': 'inn_book_hotel'}).with_metadata(server='inn').filtered(lambda _, __: True)
    searched = SearchableToolset(_Hotel().toolset.defer_loading(['note']))
    assert 'async def reserve(location: str, *preferences: str) -> str:' in (await _answer('1', renamed))[1]
    shown = (await _answer('1', searched))[1]
    assert 'async def book_hotel(location: str, *preferences: str) -> str:' in shown
    assert 'async def rate(stars: int, scale: int = 5, *parts: float, fair: bool) -> str:' in shown
