"""The ranked search keeps what it reaches on real tools."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from toolscript.search import Document, build_index


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def _recall(query: dict[str, Any], found: Sequence[str]) -> float:
    if groups := query.get('groups'):
        return sum(any(name in found for name in group) for group in groups) / len(groups)
    relevant = set(query['relevant'])
    return len(relevant.intersection(found)) / min(5, len(relevant))


@pytest.mark.parametrize(
    ('name', 'least'), [('livemcp', 0.90), ('mcp_pool', 0.90), ('metatool', 0.70), ('sealtools', 0.92)]
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
