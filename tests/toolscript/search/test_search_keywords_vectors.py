"""The keyword tiers answer the shared vectors exactly."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from toolscript.search import Document, QueryError, build_index
from toolscript.search.words import split_camel, split_name

_SHARED = Path(os.environ.get('TOOLSCRIPT_SHARED', Path(__file__).parents[4] / 'shared'))
_FILE = _SHARED / 'vectors' / 'keyword_search.json'

pytestmark = pytest.mark.skipif(not _FILE.exists(), reason='the shared vectors are not here')


def _vectors() -> dict[str, Any]:
    return json.loads(_FILE.read_text())


def test_each_query_finds_what_the_vectors_say() -> None:
    vectors = _vectors()
    index = build_index('keywords', [Document(name, text) for name, text in vectors['tools'].items()])
    for case in vectors['search']:
        if error := case.get('error'):
            with pytest.raises(QueryError) as caught:
                index.search(case['q'], limit=5)
            assert str(caught.value) == error
            continue
        found = index.search(case['q'], limit=case.get('max', 5))
        assert found == case.get('ordered', found), case
        assert found[:1] == [case.get('first', found[0] if found else None)][: len(found)], case
        assert len(found) == case.get('count', len(found)), case


def test_identifiers_split_as_the_vectors_say() -> None:
    vectors = _vectors()
    assert {text: split_camel(text) for text in vectors['split_camel']} == vectors['split_camel']
    assert {text: split_name(text) for text in vectors['split_name']} == vectors['split_name']
