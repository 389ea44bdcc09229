"""Arguments of function tools: `*args`, `**kwargs`, and what Pydantic converts."""

from collections.abc import Sequence
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
        self.toolset = FunctionToolset[object]()
        self.toolset.add_function(self.book_hotel, takes_ctx=False)
        self.toolset.add_function(self.rate, takes_ctx=True)
        self.toolset.add_function(self.note, takes_ctx=False)
        self.toolset.add_function(self.check_in, takes_ctx=False)

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

    def _called(self, *arguments: Any) -> str:
        self.calls.append(arguments)
        return 'done'


async def _answer(code: str, toolset: AbstractToolset[object]) -> tuple[str, str]:
    """What the model reads of its script, and what it was shown before."""
    script = await play(CodeModeToolset(toolset), run_code(code))
    return str(script.answers[0]), script.shown[0]['run_code'].description or ''


_TAKEN: list[tuple[str, tuple[object, ...]]] = [
    ("await book_hotel('Paris', 'wifi', 'pool')", ('Paris', ('wifi', 'pool'))),
    ("await book_hotel('Paris', preferences=['wifi', 'pool'])", ('Paris', ('wifi', 'pool'))),
    ("await book_hotel(location='Paris', preferences=[])", ('Paris', ())),
    ("await book_hotel('Paris')", ('Paris', ())),
    ("wishes = ['wifi', 'pool']\nawait book_hotel('Paris', *wishes)", ('Paris', ('wifi', 'pool'))),
    ("wishes = [w for w in ['wifi']]\nawait book_hotel('Paris', preferences=wishes)", ('Paris', ('wifi',))),
    ('await rate(4, fair=True)', (4, 5, (), True)),
    ('await rate(4, 10, 1.5, 2, fair=False)', (4, 10, (1.5, 2.0), False)),
    ('await rate(4, fair=True, parts=[1])', (4, 5, (1.0,), True)),
    ("await note('x', rooms=2, beds=3)", ('x', {'rooms': 2, 'beds': 3})),
    ("await note('x')", ('x', {})),
    ("await check_in({'name': 'Ada'}, '101')", (Guest(name='Ada'), 101, False)),
    ("await check_in({'name': 'Ada', 'nights': '2'}, 101.0, 'yes')", (Guest(name='Ada', nights=2), 101, True)),
    ("await check_in({'name': 'Ada', 'nights': True}, True, 1)", (Guest(name='Ada'), 1, True)),
]


@pytest.mark.parametrize(('code', 'call'), _TAKEN)
async def test_what_the_function_would_take_is_taken(code: str, call: tuple[Any, ...]) -> None:
    hotel = _Hotel()
    told, _ = await _answer(code, hotel.toolset)
    assert told == 'done'
    assert hotel.calls == [call]


@pytest.mark.parametrize(
    'code',
    [
        "await book_hotel('Paris', 7)",
        "await book_hotel('Paris', 'wifi', preferences=7)",
        "await book_hotel('Paris', preferences='wifi')",
        'await rate(4, 10, "much", fair=True)',
        "await note('x', rooms='many')",
        "await check_in({'name': 'Ada'}, 'zz')",
        "await check_in({'nights': 2}, 101)",
        "await check_in({'name': 7}, 101)",
        "await check_in({'name': 'Ada'}, 101, 'perhaps')",
        "await check_in({'name': 'Ada'}, 101.5)",
    ],
)
async def test_what_the_function_would_refuse_is_refused_before_anything_runs(code: str) -> None:
    hotel = _Hotel()
    told, _ = await _answer(f"await note('first')\n{code}", hotel.toolset)
    assert told.endswith('Nothing was run.')
    assert hotel.calls == []


async def test_star_arguments_are_shown_as_such_through_every_wrapper() -> None:
    plain, prefixed = _Hotel().toolset, _Hotel().toolset.prefixed('inn')
    renamed = prefixed.renamed({'reserve': 'inn_book_hotel'}).with_metadata(server='inn').filtered(lambda _, __: True)
    searched = SearchableToolset(_Hotel().toolset.defer_loading(['rate']))
    assert 'async def book_hotel(location: str, *preferences: str) -> str:' in (await _answer('1', plain))[1]
    assert 'def rate(stars: int, scale: int = 5, *parts: float, fair: bool) -> str:' in (await _answer('1', plain))[1]
    assert 'async def inn_book_hotel(location: str, *preferences: str)' in (await _answer('1', prefixed))[1]
    assert 'async def reserve(location: str, *preferences: str)' in (await _answer('1', renamed))[1]
    assert 'async def book_hotel(location: str, *preferences: str)' in (await _answer('1', searched))[1]


async def test_a_deferred_tool_with_star_arguments_is_called_as_it_is_found() -> None:
    hotel = _Hotel()
    told, _ = await _answer("await book_hotel('Oslo', 'sea')", SearchableToolset(hotel.toolset.defer_loading()))
    assert told.startswith('done')
    assert hotel.calls == [('Oslo', ('sea',))]


def _plan(
    day: date,
    text: Annotated[str, Field(min_length=2)] = 'ok',
    guests: Sequence[Guest] = (),
    *sizes: Annotated[int, Field(lt=9)],
) -> str:
    return f'{day} {text} {len(guests)} {sizes}'


@pytest.mark.parametrize(
    ('code', 'said'),
    [
        ("await plan('tomorrow')", '`day` of function `plan` is incorrect: Input should be a valid date or datetime'),
        ("await plan('2024-13-01')", 'month value is outside expected range'),
        ("day = '2024-02-30'\nawait plan(day)", "found `'2024-02-30'`"),
        ("await plan('2024-01-01', 'x')", 'at least 2 characters'),
        ("await plan('2024-01-01', guests=[{'name': 'Ada', 'nights': 0}])", 'at 0.nights: Input should be greater'),
        ("await plan('2024-01-01', 'ok', [], 3, 12)", 'less than 9'),
    ],
)
async def test_what_only_the_validator_knows_is_told_before_anything_runs(code: str, said: str) -> None:
    hotel = _Hotel()
    hotel.toolset.add_function(_plan, takes_ctx=False, name='plan')
    told, _ = await _answer(f"await note('first')\n{code}", hotel.toolset)
    assert said in told
    assert told.endswith('Nothing was run.')
    assert hotel.calls == []


@pytest.mark.parametrize(
    'code',
    [
        "await plan('2024-01-01')",
        'await plan(1704067200)',
        "from datetime import date\nawait plan(date(2024, 1, 1), 'xy', [{'name': 'Ada'}], 1, 8)",
        "try:\n    await plan('tomorrow')\nexcept ValueError:\n    print('no day')",
    ],
)
async def test_what_the_validator_takes_or_a_script_is_ready_for_runs(code: str) -> None:
    hotel = _Hotel()
    hotel.toolset.add_function(_plan, takes_ctx=False, name='plan')
    told, _ = await _answer(code, hotel.toolset)
    assert 'Nothing was run' not in told
