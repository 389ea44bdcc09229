"""The cost of the ranked search as a catalog grows: building, one changed tool, a query, memory.

    python -m benchmarks.search_growth

The tools are the pool's that `retrieval.py` reads, repeated under other names if there are too few; the queries are
those of all its sets. Times are CPU times. Each size is measured in its own process, so that its memory is its own.
"""

from __future__ import annotations

import argparse
import math
import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import process_time

from benchmarks.processes import resident
from benchmarks.retrieval import SHARED, load, some
from toolscript.search import Document, build_index

QUERIES = 60
"""The number of queries from each set."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or '').split('\n')[0])
    parser.add_argument('--tools', nargs='+', type=int, default=[1_000, 13_224, 27_418, 50_000, 100_000])
    sizes: list[int] = parser.parse_args().tools
    if len(sizes) == 1:
        print(row(sizes[0]))
        return
    print('  tools  build us/tool  one changed ms  median ms  p99 ms  MB  MB while building')
    for size in sizes:
        subprocess.run([sys.executable, '-m', 'benchmarks.search_growth', '--tools', str(size)], check=True)


def row(size: int) -> str:
    tools = catalog(size)
    queries = [need.query for path in sorted(Path(SHARED, 'data', 'retrieval').glob('*.queries.jsonl'))
               for need in some(load(path.name.split('.')[0])[1], QUERIES)]  # fmt: skip
    # The first index imports numpy, whatever its size.
    build_index('ranked', tools[:1])
    before = resident()
    start = process_time()
    index = build_index('ranked', tools)
    built = process_time() - start
    after, peak = resident(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    for query in queries[:20]:
        index.search(query, limit=5)
    times: list[float] = []
    for query in queries:
        start = process_time()
        index.search(query, limit=5)
        times.append(process_time() - start)
    times.sort()
    start = process_time()
    build_index('ranked', [replace(tools[0], description='Something else'), *tools[1:]])
    changed = process_time() - start
    slow = times[math.ceil(len(times) * 0.99) - 1]
    return (
        f'{size:7,} {built / size * 1e6:14.0f} {changed * 1e3:15.0f} {median(times) * 1e3:10.2f} {slow * 1e3:7.2f} '
        f'{after - before:4.0f} {peak - before:10.0f}'
    )


def catalog(size: int) -> list[Document]:
    """Return `size` tools with distinct names."""
    pool, _ = load('mcp_pool')
    again = [
        replace(tool, name=f'{tool.name}_{turn}') if turn else tool
        for turn in range(math.ceil(size / len(pool)))
        for tool in pool
    ]
    return again[:size]


if __name__ == '__main__':
    main()
