"""Stems, expressions, keywords of the vectors, closest names, and recall."""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from tests.sampling import sampled
from toolscript.search import Algorithm, Document, QueryError, build_index, closest_names
from toolscript.search.ranked import RankedIndex
from toolscript.search.terms import split_camel, split_name, stem, word_terms


def test_plurals_participles_and_a_silent_e_are_removed() -> None:
    words = 'caresses ponies agreed plastered hopping filing happy sky troubled sized rate cease falls bring feed gas'
    assert ' '.join(stem(word) for word in words.split()) == snapshot(
        'caress poni agre plaster hop file happi sky troubl size rate ceas fall bring feed gas'
    )


def test_identifiers_are_split_into_parts_and_kept_whole() -> None:
    assert {word: word_terms(word) for word in ['sendMessage', 'base64', 'HTMLParser', 'Users', '八字信息', '搜x']} == {
        'sendMessage': ('send', 'messag', 'sendmessag'),
        'base64': ('base', '64', 'base64'),
        'HTMLParser': ('html', 'parser', 'htmlparser'),
        'Users': ('user',),
        '八字信息': ('八字', '字信', '信息'),
        '搜x': ('搜', 'x'),
    }


TOOLS = [
    Document('list_cats', 'Tools for dogs'),
    Document('dog_walk', 'Walk'),
    Document('feed', 'Feed an animal', {'properties': {'dog': {'type': 'string'}}}),
    Document('fly', 'Nothing of the kind'),
]


def search(query: str) -> list[str]:
    return build_index('regex', TOOLS).search(query, limit=5)


def test_a_match_in_the_name_ranks_first_then_the_description_then_the_rest() -> None:
    assert search('dog') == ['dog_walk', 'list_cats', 'feed']


def test_plain_words_are_searched_separately() -> None:
    assert search('walking feed') == ['feed']


def test_a_broken_expression_is_refused_with_the_reason() -> None:
    with pytest.raises(QueryError) as caught:
        search('(dog')
    assert str(caught.value) == snapshot("invalid regex '(dog': missing ) at position 4")


def test_a_very_long_expression_is_refused() -> None:
    with pytest.raises(QueryError) as caught:
        search('a' * 501)
    assert str(caught.value) == snapshot('invalid regex: longer than 500 characters')


@pytest.mark.parametrize(('algorithm', 'query'), [('regex', '(a+)+$'), ('ranked', '/(a+)+$/'), ('regex', '(a|aa)+$')])
def test_an_endless_expression_is_stopped(algorithm: Algorithm, query: str) -> None:
    hostile = [Document(f'tool_{number}', 'a' * 5000 + '!') for number in range(50)]
    index = build_index(algorithm, hostile)
    start = process_time()
    with pytest.raises(QueryError) as caught:
        index.search(query, limit=5)
    assert process_time() - start < 5
    assert str(caught.value) == f'regex {query.strip("/")!r} takes too long; make it simpler'


@pytest.fixture(scope='module')
def vectors() -> dict[str, Any]:
    return json.loads((Path(__file__).parents[2] / 'vectors' / 'keyword_search.json').read_text())


def test_each_query_finds_the_results_of_the_vectors(vectors: dict[str, Any]) -> None:
    index = build_index('keywords', [Document(name, text) for name, text in vectors['tools'].items()])
    for case in vectors['search']:
        if error := case.get('error'):
            with pytest.raises(QueryError) as caught:
                index.search(case['q'], limit=5)
            assert str(caught.value) == error
            continue
        found = index.search(case['q'], limit=case.get('max', 5))
        assert found == case.get('ordered', found), case
        assert 'first' not in case or found[0] == case['first'], case
        assert len(found) == case.get('count', len(found)), case


def test_identifiers_are_split_as_in_the_vectors(vectors: dict[str, Any]) -> None:
    assert {text: split_camel(text) for text in vectors['split_camel']} == vectors['split_camel']
    assert {text: split_name(text) for text in vectors['split_name']} == vectors['split_name']


def test_each_tier_has_the_weight_of_the_vectors(vectors: dict[str, Any]) -> None:
    tools = vectors['tiers']['tools']
    index = build_index('keywords', [Document(name, text) for name, text in tools.items()])
    for case in vectors['tiers']['search']:
        assert index.search(case['q'], limit=9) == case['ordered'], case


NAMES = [
    'get_user', 'list_users', 'refund_payment', 'list_payments', 'send_message', 'githubCreateIssue', 'delete_file',
    'get_weather', 'search.files',
]  # fmt: skip


@pytest.mark.parametrize(
    ('written', 'meant'),
    [
        ('getUser', 'get_user'),
        ('get_usr', 'get_user'),
        ('GET-USER', 'get_user'),
        ('create_refund', 'refund_payment'),
        ('send_slack_mesage', 'send_message'),
        ('github_create_issue', 'githubCreateIssue'),
        ('get_wheather', 'get_weather'),
        ('search_files', 'search.files'),
        ('remove_files', 'delete_file'),
    ],
)
def test_typos_spelling_variants_and_guesses_find_the_name(written: str, meant: str) -> None:
    assert closest_names(written, NAMES)[0] == meant


def test_a_common_verb_is_not_enough() -> None:
    assert closest_names('get_horoscope', NAMES) == []


def test_at_most_the_limit_is_suggested() -> None:
    assert closest_names('user', NAMES, limit=1) == snapshot(['get_user'])
    assert closest_names('user', NAMES, limit=2) == snapshot(['get_user', 'list_users'])


@pytest.mark.parametrize('written', ['getUser', 'create_refund', 'get_wheather'])
def test_the_same_name_is_found_among_thousands(written: str) -> None:
    crowd = [
        f'{verb}_{noun}{number}' for verb in ('get', 'set') for noun in ('alpha', 'beta') for number in range(2500)
    ]
    assert closest_names(written, NAMES + crowd)[0] == closest_names(written, NAMES)[0]


@given(st.text(max_size=20), st.sets(st.text(max_size=12), max_size=80))
def test_only_given_names_are_suggested_and_an_exact_one_comes_first(written: str, names: set[str]) -> None:
    found = closest_names(written, names)
    assert set(found) <= names
    assert len(found) == len(set(found)) <= 3
    if written in names and any(char.isalnum() for char in written):
        assert found[0] == written


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def _recall(query: dict[str, Any], found: Sequence[str]) -> float:
    if groups := query.get('groups'):
        return sum(any(name in found for name in group) for group in groups) / len(groups)
    relevant = set(query['relevant'])
    return len(relevant.intersection(found)) / min(5, len(relevant))


@pytest.mark.parametrize(
    ('name', 'least'), sampled([('livemcp', 0.90), ('mcp_pool', 0.90), ('sealtools', 0.92), ('metatool', 0.70)], 2)
)
def test_recall_at_five_stays_above_the_target(shared: Path, name: str, least: float) -> None:
    folder = shared / 'data' / 'retrieval'
    documents = [
        Document(tool['name'], tool.get('description'), tool.get('parameters_json_schema'), tool.get('server'))
        for tool in _lines(folder / f'{name}.tools.jsonl')
    ]
    index = build_index('ranked', documents)
    queries = _lines(folder / f'{name}.queries.jsonl')
    recall = sum(_recall(query, index.search(query['query'], limit=5)) for query in queries) / len(queries)
    assert recall >= least


def test_without_the_bm25_package_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, 'rank_bm25', None)
    monkeypatch.delitem(sys.modules, 'toolscript.search.bm25', raising=False)
    with pytest.raises(ImportError, match=r"pip install 'toolscript\[bm25\]'"):
        build_index('bm25', [])


# -- an index is built once for each catalog, and updated if a few tools changed


def documents(count: int = 3) -> list[Document]:
    return [Document(f'tool_{number}', 'weather', {'properties': {'city': {}}}) for number in range(count)]


def test_equal_documents_share_an_index_and_others_or_another_algorithm_do_not() -> None:
    index = build_index('ranked', documents())
    assert build_index('ranked', tuple(documents())) is index
    assert build_index('ranked', documents(4)) is not index
    assert build_index('keywords', documents()) is not index


class Schema(dict[str, Any]):
    """A schema that counts its reads."""

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
def test_only_changed_tools_of_a_catalog_are_read_again(change: str) -> None:
    tools = [tool(number, f'Word{number}x') for number in range(40)]
    index = build_index('ranked', tools)
    before, new = looks(tools), tool(40, 'Zebra crossings')
    changed = build_index('ranked', CHANGES[change](tools, new))
    assert looks(tools) == before
    assert looks([new]) > [0]
    assert changed.search('zebra', limit=5) == [new.name]
    assert changed.search('word39x', limit=1) == ([] if change == 'removed' else ['tool_39'])
    # The original index is unchanged.
    assert (index.search('zebra', limit=5), index.search('word39x', limit=1)) == ([], ['tool_39'])


WORDS = st.sampled_from(['weather', 'email', 'send', 'list', 'flight', 'Wettervorhersage', '天气', 'webhook'])


def reported(name: str, words: list[str], server: str | None) -> Document:
    return Document(f'{name}_{words[0]}', ' '.join(words), server=server)


CATALOGS = st.builds(
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
@given(st.lists(st.lists(CATALOGS, max_size=8), min_size=2, max_size=4))
def test_an_updated_index_finds_the_same_as_a_new_one(catalogs: list[list[Document]]) -> None:
    index = None
    for catalog in catalogs:
        index = RankedIndex(catalog, before=index)
        new = RankedIndex(catalog)
        for query in QUERIES:
            assert index.scored(query, limit=5) == new.scored(query, limit=5)


def test_a_word_of_removed_tools_is_corrected_to_another_word() -> None:
    before = RankedIndex([Document('feed_otter'), Document('feed_zebra')])
    after = RankedIndex([Document('feed_zebra'), Document('utter_words')], before=before)
    assert [name for name, _ in after.scored('otter', limit=5)] == ['utter_words']


@pytest.mark.long
def test_few_large_catalogs_are_kept() -> None:
    tools = [Document(f'tool_{number}') for number in range(75_000)]
    catalogs = [tools, tools[:-1], tools[:-2]]
    first, second, _ = (build_index('regex', catalog) for catalog in catalogs)
    assert build_index('regex', catalogs[1]) is second
    assert build_index('regex', catalogs[0]) is not first
