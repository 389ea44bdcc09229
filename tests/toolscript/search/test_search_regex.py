"""Searching by regular expression, within bounds."""

from __future__ import annotations

from time import process_time

import pytest
from inline_snapshot import snapshot

from toolscript.search import Algorithm, Document, QueryError, build_index

TOOLS = [
    Document('list_cats', 'Tools for dogs'),
    Document('dog_walk', 'Walk'),
    Document('feed', 'Feed an animal', {'properties': {'dog': {'type': 'string'}}}),
    Document('fly', 'Nothing of the kind'),
]


def search(query: str) -> list[str]:
    return build_index('regex', TOOLS).search(query, limit=5)


def test_a_match_in_the_name_comes_first_then_the_description_then_the_rest() -> None:
    assert search('dog') == ['dog_walk', 'list_cats', 'feed']


def test_plain_words_are_searched_one_by_one() -> None:
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
def test_an_expression_that_would_run_for_ages_is_stopped(algorithm: Algorithm, query: str) -> None:
    hostile = [Document(f'tool_{number}', 'a' * 5000 + '!') for number in range(50)]
    index = build_index(algorithm, hostile)
    start = process_time()
    with pytest.raises(QueryError) as caught:
        index.search(query, limit=5)
    assert process_time() - start < 5
    assert str(caught.value) == f'regex {query.strip("/")!r} takes too long; make it simpler'
