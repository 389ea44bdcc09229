"""How many needs of our own queries the ranked search meets among 13,224 published tools.

    python -m benchmarks.own_queries
    python -m benchmarks.own_queries --misses

`own_queries.txt` has the queries, written before anything was changed for them, and how to judge the results: for each
need, an expression that matches the name, the beginning of the description and the server of each tool that meets it.
`&` joins parts that must all match; `!` marks one that must not. Nothing was ever tuned on those kept aside.
`retrieval.py` says where the tools are from.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.retrieval import load
from toolscript.search import Document, build_index

_HUMP = re.compile(r'(?<=[a-z])(?=[A-Z])')
_SHOWN = 200
"""The number of characters of a description that say what its tool is for."""

Rule = Callable[[str], bool]


@dataclass(frozen=True)
class Query:
    kind: str
    text: str
    needs: list[Rule]


def main() -> None:
    """Print, for each kind of query, the share of needs that the first five results meet."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').split('\n')[0])
    parser.add_argument('--misses', action='store_true', help='also the queries of which a need is not met')
    misses = parser.parse_args().misses
    documents, _ = load('mcp_pool')
    texts = {document.name: text_of(document) for document in documents}
    index = build_index('ranked', documents)
    met: dict[str, list[bool]] = {}
    for query in queries():
        found = index.search(query.text, limit=5)
        judged = [any(need(texts[name]) for name in found) for need in query.needs]
        met.setdefault(query.kind, []).extend(judged)
        if misses and not all(judged):
            print(f'missed: {query.text}')
    for kind, judged in met.items():
        print(f'{kind:30} {sum(judged) / len(judged):.3f} of {len(judged)} needs')


def queries() -> Iterator[Query]:
    kind = ''
    for line in Path(__file__).with_suffix('.txt').read_text(encoding='utf-8').splitlines():
        if line.startswith('['):
            kind = line.strip('[]')
        elif line:
            text, _, rules = line.partition(' :: ')
            yield Query(kind, text, [_rule(rule) for rule in rules.split(' ;; ')])


def text_of(document: Document) -> str:
    """Return the text by which a tool is judged, in lower case and without the separators of names."""
    name = _HUMP.sub(' ', document.name).replace('_', ' ').replace('-', ' ')
    description = ' '.join((document.description or '')[:_SHOWN].split())
    return f'{name} : {description} @{document.server or ""}'.lower()


def _rule(text: str) -> Rule:
    parts = [part.strip() for part in text.split(' & ')]
    return lambda tool: all((re.search(part.removeprefix('!'), tool) is None) == part.startswith('!') for part in parts)


if __name__ == '__main__':
    main()
