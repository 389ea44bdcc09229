"""Names too long for a provider."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from pydantic_ai.toolsets import AbstractToolset, CombinedToolset, FunctionToolset

from demo.watched import Watched
from tests.toolscript.scripted import Script, call, play, search
from toolscript import SearchableToolset, ToolNameWarning, TruncatedNames
from toolscript.discovery.truncated_names import truncated_names

pytestmark = pytest.mark.pydantic_ai

LONG = 'look_up_the_address_of_a_customer_by_the_number_of_any_of_their_orders'
OTHER = 'look_up_the_address_of_a_customer_by_the_number_of_any_of_their_invoices'


def office() -> AbstractToolset[object]:
    toolset = FunctionToolset[object]()
    toolset.add_function(lambda number: f'order {number}', takes_ctx=False, name=LONG)
    toolset.add_function(lambda number: f'invoice {number}', takes_ctx=False, name=OTHER)
    toolset.add_function(lambda: 'noon', takes_ctx=False, name='now')
    return toolset


async def played(toolset: AbstractToolset[object], *turns: object) -> Script:
    with pytest.warns(ToolNameWarning):
        return await play(toolset, *turns)  # pyright: ignore[reportArgumentType]


async def test_long_names_are_shortened_with_one_warning_and_calls_reach_the_tools() -> None:
    names = truncated_names([LONG, OTHER])
    turns = [call(names[LONG], number=1), call(names[OTHER], number=2), call('now')]
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter('always')
        script = await play(TruncatedNames(office()), *turns)
    assert [str(warning.message) for warning in warned] == [
        f'Tool names over 64 characters are shortened: {OTHER!r} to {names[OTHER]!r}, {LONG!r} to {names[LONG]!r}. '
        'Rename the tools, or shorten their prefix.'
    ]
    assert list(script.shown[0]) == [
        'look_up_the_address_of_a_customer_by_the_number_of_any__11613817',
        'look_up_the_address_of_a_customer_by_the_number_of_any__fca6e557',
        'now',
    ]
    assert script.answers == ['order 1', 'invoice 2', 'noon']


async def test_prefixes_that_make_a_name_too_long_are_detected() -> None:
    prefixed = TruncatedNames(CombinedToolset([office().prefixed('customers'), office()]))
    script = await played(prefixed, call('customers_now'))
    assert all(len(name) <= 64 for name in script.shown[0])
    assert len(script.shown[0]) == 6
    assert script.answers == ['noon']


async def test_a_name_that_is_shortened_twice_reaches_its_tool() -> None:
    called: list[str] = []
    twice = TruncatedNames(TruncatedNames(Watched(office(), on_call=lambda name, _: called.append(name))).prefixed('a'))
    short = truncated_names([f'a_{truncated_names([LONG])[LONG]}'])
    script = await played(twice, call(*short.values(), number=1))
    assert (script.answers, called) == (['order 1'], [LONG])


async def test_a_search_finds_a_tool_by_its_short_name() -> None:
    short = truncated_names([LONG, OTHER])[LONG]
    toolset = SearchableToolset(TruncatedNames(office().defer_loading()))
    script = await played(toolset, search('orders'), call(short, number=1))
    assert script.answers[0]['tools'][0]['name'] == short
    assert script.answers[1] == 'order 1'


@given(st.sets(st.text(min_size=1, max_size=12)), st.integers(min_value=10, max_value=12))
def test_shortened_names_fit_and_are_unique(names: set[str], longest: int) -> None:
    shortened = truncated_names(names, longest=longest)
    assert set(shortened) == {name for name in names if len(name) > longest}
    assert all(len(short) <= longest for short in shortened.values())
    assert len({shortened.get(name, name) for name in names}) == len(names)


def test_a_shortened_name_does_not_depend_on_other_tools() -> None:
    assert truncated_names([LONG])[LONG] == truncated_names([OTHER, LONG, 'now'])[LONG]


def test_a_shortened_name_that_is_taken_gets_a_longer_suffix() -> None:
    taken = truncated_names([LONG])[LONG]
    assert truncated_names([LONG, taken])[LONG] == snapshot(
        'look_up_the_address_of_a_customer_by_the_number_of_any_11613817a'
    )
