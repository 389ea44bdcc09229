"""The tables of the docs, as Markdown."""

from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile

from evals.ladders import LadderName, rungs
from evals.measuring.run import Run
from evals.measuring.summary import by_kind, comparable, summary
from evals.results import Results

_LADDERS: dict[LadderName, str] = {
    'independent calls': 'calls that do not depend on each other',
    'dependent calls': 'calls of which each decides about the next',
    'rows of one result': 'rows of one result, of which one number is wanted',
}

_CROWDED = {
    'direct': 'direct',
    'code': 'code',
    'both': 'both',
    "direct, with the provider's search": 'direct + search',
    'direct, with our search': 'direct + our search',
    'code, with our search and `prefetch=8`': 'code + search, prefetched',
    "both, with the provider's search": 'both + search',
}
"""The docs' names of the routes through large catalogs."""


_WAYS = {
    'direct': 'direct',
    'code': 'code',
    'code, the answer from code': 'code, answer from code',
    'code, with our search and `prefetch=8`': 'code + search, prefetched',
}
"""The docs' names of the routes through small catalogs."""


def headline(results: Results) -> str:
    """Return the first model's tables: direct calls against code by kind of task, crossings, all routes compared."""
    model = results.setting.models[0]
    runs = [run for run in results.runs if run.model == model and not run.crowd]
    crowded = [run for run in results.runs if run.model == model and run.crowd]
    return '\n'.join([*_kinds(runs), '', *_crossings(results), '', *_ways(runs), '', *_crowds(crowded), ''])


def outdated(results: Results, shown: str) -> list[str]:
    """Return the rows of the headline that are missing in a text."""
    rows = [line for line in headline(results).splitlines() if line.startswith('| ')]
    return [row for row in rows if row not in shown.splitlines()]


def updated(results: Results, shown: str) -> str:
    """Return the text with its tables replaced by those of the headline that have the same first row."""
    for table in headline(results).strip().split('\n\n'):
        shown = replaced(shown, table.splitlines())
    return shown


def readme_updated(results: Results, shown: str) -> str:
    """Return the text with its rows of the first table, under the README's own names, brought up to date."""
    first = headline(results).split('\n\n')[0].splitlines()
    cells = {row.split(' | ')[0].strip('| '): row.replace('**', '').partition(' | ')[2] for row in first}
    names = {'loop with conditions': 'loop', 'filter and aggregate': 'aggregate'}
    standing = _standing(shown, first[0])
    shown_names = [row.split(' | ')[0].strip('| ') for row in standing[2:]]
    body = [f'| {name} | {cells[names.get(name, name)]}' for name in shown_names]
    return replaced(shown, [*first[:2], *body])


def replaced(text: str, table: Sequence[str]) -> str:
    return text.replace('\n'.join(_standing(text, table[0])), '\n'.join(table)) if table[0] in text else text


def _standing(text: str, header: str) -> list[str]:
    """Return the table of a text that starts with this row."""
    lines = text.splitlines()
    return list(takewhile(lambda line: line.startswith('|'), lines[lines.index(header) :]))


def _kinds(runs: Sequence[Run]) -> list[str]:
    rows = ['| task | requests | input tokens | price | |', '|---|---:|---:|---:|---:|']
    for kind, row in by_kind(comparable(runs, ('direct', 'code'))).items():
        direct, code = row['direct'], row['code']
        change = f'{code.dollars / direct.dollars - 1:+.0%}'
        cells = [
            f'{direct.requests:.1f} → {code.requests:.1f}',
            f'{direct.input_tokens:,.0f} → {code.input_tokens:,.0f}',
            f'${direct.dollars * 100:.2f} → ${code.dollars * 100:.2f}',
            change if code.dollars > direct.dollars else f'**{change}**',
        ]
        rows.append(f'| {kind} | {" | ".join(cells)} |')
    return rows


def _ways(runs: Sequence[Run]) -> list[str]:
    rows = ['| way | requests | input tokens | price | dearer than direct calls in |', '|---|---:|---:|---:|---:|']
    found = comparable(runs, list(_WAYS.values()))
    direct = {run.task: run.cost.dollars for run in found if run.route == 'direct'}
    for words, route in _WAYS.items():
        group = [run for run in found if run.route == route]
        if not group:
            continue
        one, dearer = summary(group), sum(run.cost.dollars > direct[run.task] for run in group)
        cells = [f'{one.requests:.1f}', f'{one.input_tokens:,.0f}', f'${one.dollars * 100:.2f}']
        rows.append(f'| {words} | {" | ".join(cells)} | {"–" if route == "direct" else f"{dearer} of {len(group)}"} |')
    return rows


def _crowds(runs: Sequence[Run]) -> list[str]:
    sizes = sorted({run.crowd for run in runs})
    rows = ['| route | ' + ' | '.join(f'{size:,} tools' for size in sizes) + ' |', '|---|' + '---:|' * len(sizes)]
    for words, route in _CROWDED.items():
        groups = [[run for run in runs if run.route == route and run.crowd == size] for size in sizes]
        if not all(groups):
            continue
        found = [summary(group) for group in groups]
        cells = [f'{one.input_tokens:,.0f} · ${one.dollars * 100:.2f}' for one in found]
        rows.append(f'| {words} | {" | ".join(cells)} |')
    return rows


def _crossings(results: Results) -> list[str]:
    rows = ['| code is cheaper from | price | input tokens | requests |', '|---|---:|---:|---:|']
    for ladder, words in _LADDERS.items():
        cells = [_crossing(results, ladder, measure) for measure in _MEASURES]
        rows.append(f'| {words} | {" | ".join(cells)} |')
    return rows


_MEASURES: tuple[Callable[[Run], float], ...] = (
    lambda run: run.cost.dollars,
    lambda run: run.cost.input_tokens,
    lambda run: run.requests,
)


def _crossing(results: Results, ladder: LadderName, measure: Callable[[Run], float]) -> str:
    code, direct = (by_size(results.rungs, ladder, route, measure) for route in ('code', 'direct'))
    return str(crossing(code, direct) or 'never') if code and direct else '–'


def by_size(runs: Sequence[Run], ladder: LadderName, route: str, measure: Callable[[Run], float]) -> dict[int, float]:
    """Return a measure of one route over the sizes of a ladder."""
    found = [(rungs()[run.task], run) for run in runs if run.route == route and run.ok]
    return {rung.size: measure(run) for rung, run in found if rung.ladder == ladder}


def crossing(one: Mapping[int, float], other: Mapping[int, float]) -> int | None:
    """Return the size from which `one` stays below `other`, or `None` if it never does."""
    sizes = sorted(one.keys() & other.keys())
    below = [one[size] < other[size] for size in sizes]
    return next((size for index, size in enumerate(sizes) if all(below[index:])), None)
