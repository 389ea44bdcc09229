"""The keyword tiers answer the vectors exactly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolscript.search import Document, QueryError, build_index
from toolscript.search.terms import split_camel, split_name


@pytest.fixture(scope='module')
def vectors() -> dict[str, Any]:
    return json.loads((Path(__file__).parents[2] / 'vectors' / 'keyword_search.json').read_text())


def test_each_query_finds_what_the_vectors_say(vectors: dict[str, Any]) -> None:
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


def test_identifiers_split_as_the_vectors_say(vectors: dict[str, Any]) -> None:
    assert {text: split_camel(text) for text in vectors['split_camel']} == vectors['split_camel']
    assert {text: split_name(text) for text in vectors['split_name']} == vectors['split_name']


def test_each_tier_is_worth_what_the_vectors_say(vectors: dict[str, Any]) -> None:
    tools = vectors['tiers']['tools']
    index = build_index('keywords', [Document(name, text) for name, text in tools.items()])
    for case in vectors['tiers']['search']:
        assert index.search(case['q'], limit=9) == case['ordered'], case
