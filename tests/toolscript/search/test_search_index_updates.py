"""An index is built once for the same catalog, and brought up to date for one that differs in a few tools."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolscript.search import Document, build_index
from toolscript.search.ranked import RankedIndex


def documents(count: int = 3) -> list[Document]:
    return [Document(f'tool_{number}', 'weather', {'properties': {'city': {}}}) for number in range(count)]


def test_equal_documents_get_the_same_index_and_others_or_another_algorithm_another() -> None:
    index = build_index('ranked', documents())
    assert build_index('ranked', tuple(documents())) is index
    assert build_index('ranked', documents(4)) is not index
    assert build_index('keywords', documents()) is not index


class Schema(dict[str, Any]):
    """A schema that knows how often it was looked into."""

    looks = 0

    def get(self, key: str, default: Any = None) -> Any:
        self.looks += 1
        return super().get(key, default)


def tool(number: int, description: str = 'Weather of a city') -> Document:
    return Document(f'tool_{number}', description, Schema(properties={f'city_{number}': {'type': 'string'}}))


def looks(tools: list[Document]) -> list[int]:
    return [document.parameters.looks for document in tools if isinstance(document.parameters, Schema)]


CHANGES: dict[str, Callable[[list[Document], Document], list[Document]]] = {
    'replaced': lambda tools, new: [*tools[:20], new, *tools[21:]],
    'added in front': lambda tools, new: [new, *tools],
    'in another order': lambda tools, new: [new, *reversed(tools)],
    'removed': lambda tools, new: [*tools[:10], new],
}


@pytest.mark.parametrize('change', CHANGES)
def test_of_a_changed_catalog_only_the_changed_tool_is_read(change: str) -> None:
    tools = [tool(number, f'Word{number}x') for number in range(40)]
    index = build_index('ranked', tools)
    before, new = looks(tools), tool(40, 'Zebra crossings')
    changed = build_index('ranked', CHANGES[change](tools, new))
    assert looks(tools) == before
    assert looks([new]) > [0]
    assert changed.search('zebra', limit=5) == [new.name]
    assert changed.search('word39x', limit=1) == ([] if change == 'removed' else ['tool_39'])
    # The index that it was made of stays as it was.
    assert (index.search('zebra', limit=5), index.search('word39x', limit=1)) == ([], ['tool_39'])


WORDS = st.sampled_from(['weather', 'email', 'send', 'list', 'flight', 'Wettervorhersage', '天气', 'webhook'])


def reported(name: str, words: list[str], server: str | None) -> Document:
    return Document(f'{name}_{words[0]}', ' '.join(words), server=server)


TOOLS = st.builds(
    reported,
    st.sampled_from(['get', 'send', 'list', 'run']),
    st.lists(WORDS, min_size=1, max_size=5),
    st.sampled_from([None, 'github', 'mail']),
)
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
@given(st.lists(st.lists(TOOLS, max_size=8), min_size=2, max_size=4))
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


@pytest.mark.long
def test_of_large_catalogs_fewer_are_kept() -> None:
    tools = [Document(f'tool_{number}') for number in range(75_000)]
    catalogs = [tools, tools[:-1], tools[:-2]]
    first, second, _ = (build_index('regex', catalog) for catalog in catalogs)
    assert build_index('regex', catalogs[1]) is second
    assert build_index('regex', catalogs[0]) is not first
