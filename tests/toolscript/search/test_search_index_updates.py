"""A catalog that differs in a few tools from one that is known is brought up to date, and not read anew."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolscript.search import Document, build_index
from toolscript.search.by_words.ranked import RankedIndex
from toolscript.search.inverted_index.occurrences import read
from toolscript.search.requests.values import without_values


class Schema(dict[str, Any]):
    """A schema that knows how often it was looked into."""

    looks = 0

    def get(self, key: str, default: Any = None) -> Any:
        self.looks += 1
        return super().get(key, default)


def tool(number: int, description: str = 'Weather of a city') -> Document:
    schema = Schema(properties={f'city_{number}': {'type': 'string'}})
    return Document(f'tool_{number}', description, schema)


def looks(document: Document) -> int:
    assert isinstance(document.parameters, Schema)
    return document.parameters.looks


CHANGES: dict[str, Callable[[list[Document], Document], list[Document]]] = {
    'replaced': lambda tools, new: [*tools[:20], new, *tools[21:]],
    'added behind': lambda tools, new: [*tools, new],
    'added in front': lambda tools, new: [new, *tools],
    'in another order': lambda tools, new: [new, *reversed(tools)],
}


@pytest.mark.parametrize('change', CHANGES)
def test_of_a_changed_catalog_only_the_changed_tool_is_read(change: str) -> None:
    tools = [tool(number) for number in range(40)]
    build_index('ranked', tools)
    before = [looks(document) for document in tools]
    new = tool(40, 'Zebra crossings')
    index = build_index('ranked', CHANGES[change](tools, new))
    assert [looks(document) for document in tools] == before
    assert looks(new) > 0
    assert index.search('zebra', limit=5) == [new.name]


def test_no_tool_is_read_where_some_are_gone() -> None:
    tools = [tool(number, f'Word{number}x') for number in range(40)]
    build_index('ranked', tools)
    before = [looks(document) for document in tools]
    index = build_index('ranked', tools[:10])
    assert [looks(document) for document in tools] == before
    assert index.search('word39x', limit=5) == []


def test_an_index_in_use_stays_as_it_was_when_another_is_made_of_it() -> None:
    tools = [tool(number, f'Word{number}x') for number in range(4)]
    index = build_index('ranked', tools)
    build_index('ranked', [*tools[1:], tool(9, 'Zebra crossings')])
    assert index.search('word0x', limit=5) == ['tool_0']
    assert index.search('zebra', limit=5) == []


WORDS = st.sampled_from(['weather', 'email', 'send', 'list', 'flight', 'Wettervorhersage', '天气', 'webhook'])


def told(name: str, words: list[str], server: str | None) -> Document:
    return Document(f'{name}_{words[0]}', ' '.join(words), server=server)


TOOLS = st.builds(
    told,
    st.sampled_from(['get', 'send', 'list', 'run']),
    st.lists(WORDS, min_size=1, max_size=5),
    st.sampled_from([None, 'github', 'mail']),
)
CATALOGS = st.lists(TOOLS, max_size=8)
QUERIES = [
    'get weather',
    'send an email, then list flights',
    'wether',
    'web hook',
    '天气',
    'Wetter',
    'weather of github',
]


@settings(max_examples=25)
@given(st.lists(CATALOGS, min_size=2, max_size=4))
def test_an_index_that_was_brought_up_to_date_finds_what_a_new_one_finds(catalogs: list[list[Document]]) -> None:
    index = None
    for catalog in catalogs:
        index = RankedIndex(catalog, before=index)
        new = RankedIndex(catalog)
        for query in QUERIES:
            assert index.scored(query, limit=5) == new.scored(query, limit=5)


def test_words_of_tools_that_are_gone_take_no_place_for_ever() -> None:
    known = read([tool(0)])
    for number in range(1, 300):
        known = read([tool(number, f'Word{number}x Other{number}x')], known)
    assert len(known.terms) < 100


def functions_called(action: Callable[[], object]) -> int:
    """How many functions are called meanwhile, built-in ones too."""
    count = 0

    def watch(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event in ('call', 'c_call')

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        action()
    finally:
        sys.setprofile(before)
    return count


UPDATES: dict[str, Callable[[list[Document]], list[Document]]] = {
    'changed': lambda tools: [*tools[:20], tool(20, 'Zebra crossings'), *tools[21:]],
    'came': lambda tools: [*tools[:20], tool(5_000, 'Zebra crossings'), *tools[20:]],
    'gone': lambda tools: [*tools[:20], *tools[21:]],
}


@pytest.mark.parametrize('update', UPDATES)
def test_what_one_tool_costs_does_not_grow_with_the_others(update: str) -> None:
    calls: list[int] = []
    for size in (100, 1_000):
        tools = [tool(number, f'{update} among {size}') for number in range(size)]
        build_index('ranked', tools)
        changed = UPDATES[update](tools)
        calls.append(functions_called(lambda changed=changed: build_index('ranked', changed)))
    assert calls[1] < calls[0] + 20


def test_what_other_tools_say_is_shared_with_the_index_before() -> None:
    tools = [tool(number, f'Weather of city {number}') for number in range(100)]
    before = read(tools)
    after = read([*tools[:20], tool(20, 'Zebra crossings'), *tools[21:]], before)
    assert after.inverted.places is before.inverted.places
    assert {after.terms[number] for number in after.inverted.changed} == {
        'tool', '20', 'zebra', 'cross', 'citi',
    }  # fmt: skip


def test_after_many_changes_all_terms_are_sorted_anew() -> None:
    tools = [tool(number) for number in range(100)]
    known = read(tools)
    for number in range(100):
        tools[number] = tool(number, f'Zebra crossings {number}')
        known = read(tools, known)
    assert len(known.inverted.changed) < 300
    found = RankedIndex(tools, before=RankedIndex(tools[:30])).scored('zebra 7', limit=5)
    assert found == RankedIndex(tools).scored('zebra 7', limit=5)


def test_a_word_of_requests_is_read_once() -> None:
    index = RankedIndex([tool(number) for number in range(40)])
    index.scored('weather in a city', limit=5)
    read = functions_called(lambda: index.scored('city weather', limit=5))
    assert read < functions_called(lambda: index.scored('city harbor', limit=5))


def test_a_slip_is_looked_for_without_a_call_for_each_letter_that_it_may_be() -> None:
    index = RankedIndex([tool(number) for number in range(40)])
    index.scored('weather in a city', limit=5)
    right = functions_called(lambda: index.scored('weather', limit=5))
    assert functions_called(lambda: index.scored('weathre', limit=5)) < right + 300


def test_values_are_looked_for_only_where_a_request_has_a_sign_of_one() -> None:
    plain, with_one = (
        functions_called(lambda request=request: without_values(request))
        for request in ('weather in a city', 'weather in 5% of a city')
    )
    assert plain < 8 < with_one
