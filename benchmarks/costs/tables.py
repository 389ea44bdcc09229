"""Results as Markdown, and docs/benchmarks.md with those of the last run: `python -m benchmarks.costs.tables`."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from statistics import median

from benchmarks.costs.results import Results, Row, load

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / 'benchmarks' / 'results'
PAGE = ROOT / 'docs' / 'benchmarks.md'
_DETAILS = '200 runs at once in 4 processes'
"""The beginning of the rows that only the report shows."""
_PART = re.compile(r'(?<=<!-- figures: )(\w+)( -->\n).*?(?=\n<!-- end of figures -->)', re.DOTALL)


def parts(results: Results) -> dict[str, list[str]]:
    """Return the lines of each part of a report: the setup and the table."""
    setting = [
        f'`{results.command}` at commit {results.commit}, {results.date}: {results.machine}, Python {results.python}.',
        '',
        *(f'- {side}: {_versions(found)}' for side, found in results.packages.items()),
        *(f'- {note}' for note in results.notes),
    ]
    return {'setting': setting, 'table': table(results)}


def table(results: Results) -> list[str]:
    """Return a line for each row: our figures, those of the others and the floor."""
    sides = list(results.packages)
    return [
        _line(['what', *sides, 'floor']),
        _line(['---', *['--:'] * (len(sides) + 1)]),
        *(
            _line([row.name, *(_cell(row, row.sides.get(side)) for side in sides), _cell(row, row.floors)])
            for row in results.rows
        ),
    ]


def updated(text: str, results: Results) -> str:
    """Return the text with the figures between its marks. Raises `KeyError` for an unknown mark."""
    rows = [row for row in results.rows if not row.name.startswith(_DETAILS)]
    found = parts(replace(results, rows=rows))
    return _PART.sub(lambda mark: '\n'.join([f'{mark[1]}{mark[2]}', *found[mark[1]], '']), text)


def update_docs(results: Results) -> None:
    PAGE.write_text(updated(PAGE.read_text(), results))


def _cell(row: Row, figures: list[float] | None) -> str:
    return f'{_number(median(figures))} {row.unit}'.strip() if figures else '–'


def _number(value: float) -> str:
    if value and abs(value) < 1:
        return f'{value:.2f}' if abs(value) >= 0.1 else f'{value:.3f}'
    return f'{value:.1f}' if abs(value) < 100 and value != int(value) else f'{value:,.0f}'


def _versions(packages: dict[str, str]) -> str:
    return ', '.join(f'{name} {number}' for name, number in packages.items())


def _line(cells: list[str]) -> str:
    return f'| {" | ".join(cells)} |'


if __name__ == '__main__':
    update_docs(load(RESULTS / 'costs.json'))
