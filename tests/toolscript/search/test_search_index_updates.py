"""A catalog that differs in a few tools from one that is known is brought up to date, and not read anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolscript.search import Document, build_index
from toolscript.search.ranked import RankedIndex


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


def test_a_word_of_tools_that_are_gone_is_a_typo_of_another_word() -> None:
    before = RankedIndex([Document('feed_otter'), Document('feed_zebra')])
    after = RankedIndex([Document('feed_zebra'), Document('utter_words')], before=before)
    assert [name for name, _ in after.scored('otter', limit=5)] == ['utter_words']
