"""Tables for the terminal."""

from collections.abc import Callable, Iterable

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from evals.measuring.run import Run
from evals.measuring.summary import Summary, by_route, grouped
from evals.report.headline import headline
from evals.results import Results

_MAX_WRONG = 10


def show(results: Results, console: Console) -> None:
    for model, runs in grouped(results.runs, lambda run: run.model).items():
        console.print(_routes(f'Tasks among 8 to 22 tools, {model}', [run for run in runs if not run.crowd]))
        if crowds := [run for run in runs if run.crowd]:
            console.print(_routes(f'Tasks among 40 and more tools, {model}', crowds))
    console.print(headline(results), markup=False, highlight=False, soft_wrap=True)
    wrong = [run for run in results.runs if not run.ok]
    for run in wrong[:_MAX_WRONG]:
        text = escape(f'{run.task} by {run.route}, {run.model}: {run.error or run.answer}'[:200])
        console.print(f'[red]wrong[/] {text}')
    if len(wrong) > _MAX_WRONG:
        console.print(f'[red]wrong[/] and {len(wrong) - _MAX_WRONG} more; results.json has them all')
    for note in results.notes:
        console.print(f'[yellow]note[/] {note}')


def _routes(title: str, runs: Iterable[Run]) -> Table:
    table = Table(title=title, title_justify='left')
    table.add_column('route')
    for column in _COLUMNS:
        table.add_column(column, justify='right', no_wrap=True)
    for route, one in by_route(runs).items():
        table.add_row(route, *(cell(one) for cell in _COLUMNS.values()))
    return table


_COLUMNS: dict[str, Callable[[Summary], str]] = {
    'right': lambda one: f'{one.right}/{one.runs}',
    'requests': lambda one: f'{one.requests:.1f}',
    'calls': lambda one: f'{one.calls:.1f}',
    'input': lambda one: f'{one.input_tokens:,.0f}',
    'cached': lambda one: f'{one.cached_share:.0%}',
    'output': lambda one: f'{one.output_tokens:,.0f}',
    '$ per 100': lambda one: f'{one.dollars * 100:.2f}',
}
