"""What is found where the tools of all sets are one catalog, beside each set alone.

    python -m benchmarks.union --most 250

It needs what `retrieval.py` needs. Tools of one name that differ are told apart by the names of their sets. The judges
of a set knew its tools only: a tool of another set counts as wrong, however well it answers; `others` is the
share of such tools among the first five.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from dataclasses import replace
from statistics import mean

from benchmarks.retrieval import Need, Search, known_sets, load, methods, recall, some
from toolscript.search import Document

FIRST = 5
METHODS = ('toolscript ranked', 'bm25s', 'rank-bm25', 'fastmcp bm25', 'pydantic-ai keywords')

Sets = dict[str, tuple[list[Document], list[Need]]]


def main() -> None:
    """Print a table for each search: a row for each set, and the mean of all."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').split('\n')[0])
    parser.add_argument('--methods', nargs='+', default=METHODS, metavar='NAME')
    parser.add_argument('--most', type=int, default=sys.maxsize, metavar='N', help='ask so many queries of a set')
    arguments = parser.parse_args()
    alone = {name: load(name) for name in known_sets()}
    united, names = union(alone)
    print(f'{len(united):,} tools')
    with asyncio.Runner() as runner:
        for method, build in methods(meaning=False):
            if method not in arguments.methods:
                continue
            try:
                search = build(united, runner)
            except ImportError as error:
                print(f'{method} is not installed: {error.name}')
                continue
            print(f'\n{method:20} queries  alone united others')
            rows: list[tuple[float, float, float]] = []
            for name, (documents, needs) in alone.items():
                asked = some(needs, arguments.most)
                rows.append((found(build(documents, runner), asked, {}), *in_union(search, asked, names[name])))
                print(f'{name:20} {len(asked):7} ' + ' '.join(f'{value:6.3f}' for value in rows[-1]), flush=True)
            print(f'{"mean":20} {"":7} ' + ' '.join(f'{mean(column):6.3f}' for column in zip(*rows, strict=True)))


def union(sets: Sets) -> tuple[list[Document], dict[str, dict[str, str]]]:
    """The tools of all sets, each once, and by set the names that its tools have there."""
    united: dict[str, Document] = {}
    names: dict[str, dict[str, str]] = {}
    for name, (documents, _) in sets.items():
        names[name] = {}
        for tool in documents:
            there = united.get(tool.name)
            own = tool.name if there is None or there.description == tool.description else f'{tool.name}_{name}'
            united.setdefault(own, replace(tool, name=own))
            names[name][tool.name] = own
    return list(united.values()), names


def found(search: Search, needs: Sequence[Need], names: dict[str, str]) -> float:
    """Recall at five, where the tools have other `names` than their judges knew."""
    there = [
        replace(need, groups=[{names.get(tool, tool) for tool in group} for group in need.groups]) for need in needs
    ]
    return mean(recall(need, search(need.query), FIRST) for need in there)


def in_union(search: Search, needs: Sequence[Need], names: dict[str, str]) -> tuple[float, float]:
    """Recall at five among the tools of all sets, and the share of other sets' tools in what was found."""
    own = set(names.values())
    others = [name not in own for need in needs for name in search(need.query)[:FIRST]]
    return found(search, needs, names), mean(others)


if __name__ == '__main__':
    main()
