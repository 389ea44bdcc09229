"""Arguments of function tools: `*args`, `**kwargs`, and what Pydantic converts."""

from collections.abc import Callable
from datetime import date
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field
from pydantic_ai import RunContext
from pydantic_ai.toolsets import AbstractToolset, FunctionToolset

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
        """Book a room."""
        return self._called(location, preferences)

    def rate(self, ctx: RunContext[object], stars: int, scale: int = 5, *parts: float, fair: bool) -> str:
        """Rate a stay."""
        return self._called(stars, scale, parts, fair)

    def note(self, title: str, **details: int) -> str:
        """Keep a note."""
        return self._called(title, details)

    def check_in(self, guest: Guest, room: int, quiet: bool = False) -> str:
        """Let a guest in."""
        return self._called(guest, room, quiet)

    def plan(self, day: date, text: Annotated[str, Field(min_length=2)], *sizes: Annotated[int, Field(lt=9)]) -> str:
        """Plan a day."""
        return self._called(day, text, sizes)

    def _called(self, *arguments: Any) -> str:
        self.calls.append(arguments)
        return 'done'


async def _answer(code: str, toolset: AbstractToolset[object]) -> tuple[str, str]:
    """What the model reads of its script, and what it was shown before."""
    script = await play(CodeModeToolset(toolset), run_code(code))
    return str(script.answers[0]), script.shown[0]['run_code'].description or ''


TAKEN: list[tuple[str, tuple[object, ...]]] = [
    ("await book_hotel('Paris', 'wifi', 'pool')", ('Paris', ('wifi', 'pool'))),
    ("await book_hotel(location='Paris', preferences=['wifi', 'pool'])", ('Paris', ('wifi', 'pool'))),
    ("await book_hotel('Paris')", ('Paris', ())),
    ("wishes = ['wifi', 'pool']\nawait book_hotel('Paris', *wishes)", ('Paris', ('wifi', 'pool'))),
    ("wishes = [w for w in ['wifi']]\nawait book_hotel('Paris', preferences=wishes)", ('Paris', ('wifi',))),
    ('await rate(4, fair=True)', (4, 5, (), True)),
    ('await rate(4, 10, 1.5, 2, fair=False)', (4, 10, (1.5, 2.0), False)),
    ('await rate(4, fair=True, parts=[1])', (4, 5, (1.0,), True)),
    ("await note('x', rooms=2, beds=3)", ('x', {'rooms': 2, 'beds': 3})),
    ("await note('x')", ('x', {})),
    ("await check_in({'name': 'Ada', 'nights': '2'}, 101.0, 'yes')", (Guest(name='Ada', nights=2), 101, True)),
    ("await check_in({'name': 'Ada', 'nights': True}, True, 1)", (Guest(name='Ada'), 1, True)),
    ("await plan(1704067200, 'xy', 1, 8)", (date(2024, 1, 1), 'xy', (1, 8))),
    ("from datetime import date\nawait plan(date(2024, 1, 1), 'xy')", (date(2024, 1, 1), 'xy', ())),
]


@pytest.mark.parametrize(('code', 'call'), TAKEN)
async def test_what_the_function_would_take_is_taken(code: str, call: tuple[Any, ...]) -> None:
    hotel = _Hotel()
    told, _ = await _answer(code, hotel.toolset)
    assert told == 'done'
    assert hotel.calls == [call]


@pytest.mark.parametrize(
    ('code', 'said'),
    [
        ("await book_hotel('Paris', 7)", 'Expected `str`'),
        ("await book_hotel('Paris', 'wifi', preferences=7)", 'preferences'),
        ("await book_hotel('Paris', preferences='wifi')", 'preferences'),
        ('await rate(4, 10, "much", fair=True)', 'parts'),
        ("await note('x', rooms='many')", 'rooms'),
        ("await check_in({'name': 'Ada'}, 'zz')", 'room'),
        ("await check_in({'nights': 2}, 101)", 'name'),
        ("await check_in({'name': 'Ada'}, 101, 'perhaps')", 'quiet'),
        ("await check_in({'name': 'Ada'}, 101.5)", 'room'),
        ("await check_in({'name': 'Ada', 'nights': 0}, 101)", 'nights: Input should be greater'),
        ("await plan('tomorrow', 'ok')", '`day` of function `plan` is incorrect: Input should be a valid date'),
        ("await plan('2024-13-01', 'ok')", 'month value is outside expected range'),
        ("day = '2024-02-30'\nawait plan(day, 'ok')", "found `'2024-02-30'`"),
        ("await plan('2024-01-01', 'x')", 'at least 2 characters'),
        ("await plan('2024-01-01', 'ok', 3, 12)", 'less than 9'),
    ],
)
async def test_what_the_function_would_refuse_is_refused_before_anything_runs(code: str, said: str) -> None:
    hotel = _Hotel()
    told, _ = await _answer(f"await note('first')\n{code}", hotel.toolset)
    assert said in told
    assert told.endswith('Nothing was run.')
    assert hotel.calls == []


async def test_star_arguments_are_shown_as_such_through_every_wrapper() -> None:
    prefixed = _Hotel().toolset.prefixed('inn')
    renamed = prefixed.renamed({'reserve': 'inn_book_hotel'}).with_metadata(server='inn').filtered(lambda _, __: True)
    searched = SearchableToolset(_Hotel().toolset.defer_loading(['note']))
    assert 'async def reserve(location: str, *preferences: str) -> str:' in (await _answer('1', renamed))[1]
    shown = (await _answer('1', searched))[1]
    assert 'async def book_hotel(location: str, *preferences: str) -> str:' in shown
    assert 'async def rate(stars: int, scale: int = 5, *parts: float, fair: bool) -> str:' in shown
