"""Update docs/benchmarks.md with the figures of the last run: `python -m benchmarks.costs.page`."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from benchmarks.costs.results import Results, load
from benchmarks.costs.tables import parts

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / 'benchmarks' / 'results'
PAGE = ROOT / 'docs' / 'benchmarks.md'
DETAILS = ('failed', 'memory after that', 'memory after import', 'the 99th of 100, times one alone')
BEGIN = ('200 runs at once in 4 processes', 'the very same again', 'import, processor time')
"""Suffixes and prefixes of the rows that only the report shows."""
_PART = re.compile(r'(?<=<!-- figures: )(\w+)( -->\n).*?(?=\n<!-- end of figures -->)', re.DOTALL)


def updated(text: str, results: Results) -> str:
    """Return the text with the figures between its marks. Raises `KeyError` for an unknown mark."""
    rows = [row for row in results.rows if not row.name.endswith(DETAILS) and not row.name.startswith(BEGIN)]
    found = parts(replace(results, rows=rows), aims=False)
    return _PART.sub(lambda mark: f'{mark[1]}{mark[2]}{_block(found[mark[1]])}', text)


def update_docs(results: Results) -> None:
    """Write the page."""
    PAGE.write_text(updated(PAGE.read_text(), results))


def _block(lines: list[str]) -> str:
    return '\n'.join(['', *lines, ''])


if __name__ == '__main__':
    update_docs(load(RESULTS / 'costs.json'))
