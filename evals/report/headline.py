"""The tables that the docs show, as Markdown."""

from collections.abc import Sequence

from evals.measuring.crossing import MEASURES, crossing, lines
from evals.measuring.run import Run
from evals.measuring.summary import by_kind, comparable
from evals.results import Results

_LADDERS = {
    'independent calls': 'calls that do not depend on each other',
    'dependent calls': 'calls of which each decides about the next',
    'rows of one result': 'rows of one result, of which one number is wanted',
}


def headline(results: Results) -> str:
    """Direct calls against code by kind of task, on the first model, then where they cross."""
    model = results.setting.models[0]
    runs = [run for run in results.runs if run.model == model and not run.crowd]
    return '\n'.join([*_kinds(runs), '', *_crossings(results), ''])


def outdated(results: Results, shown: str) -> list[str]:
    """The rows of the headline that a text which ought to show them all does not."""
    rows = [line for line in headline(results).splitlines() if line.startswith('| ')]
    return [row for row in rows if row not in shown.splitlines()]


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


def _crossings(results: Results) -> list[str]:
    rows = ['| code is cheaper from | price | input tokens | requests |', '|---|---:|---:|---:|']
    for ladder, words in _LADDERS.items():
        cells = [_crossing(results, ladder, measure) for measure in ('dollars', 'input tokens', 'requests')]
        rows.append(f'| {words} | {" | ".join(cells)} |')
    return rows


def _crossing(results: Results, ladder: str, measure: str) -> str:
    found = {line.route: line for line in lines(results.rungs, ladder, MEASURES[measure])}
    if not {'direct', 'code'} <= found.keys():
        return '–'
    size = crossing(found['code'], found['direct'])
    return 'never' if size is None else str(size)
