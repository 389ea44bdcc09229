"""The command line."""

import argparse
import asyncio
import os
import shlex
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from rich.console import Console

from evals.ladders import rungs
from evals.live import CannotStart, live, models_named
from evals.measuring.tokenizer import best_tokenizer
from evals.processes import processes
from evals.report import terminal
from evals.report.headline import headline, outdated, readme_updated, updated
from evals.results import Results, save, setting
from evals.routes import ROUTES, VARIANTS, Route
from evals.scripted import MODELS
from evals.suite import batches, run_tasks
from evals.tasks.all_tasks import MISTAKES, TASKS
from evals.tasks.task import KINDS, Task

REPORTS = Path(__file__).parent / 'reports'
_DOCS = Path(__file__).parent.parent / 'docs' / 'benchmarks.md'
_README = Path(__file__).parent.parent / 'README.md'
_FIRM = {route.name for route in ROUTES}
"""The routes that must do all tasks right; the searches of the variants may fail."""
_LARGE_CROWD = 1000
"""Live runs skip tasks with this many tools unless an option names them, because a single one costs dollars. So do
scripted runs with further models: the first one has shown the cost of such a catalog."""


def main(arguments: Sequence[str]) -> int:
    """Run what the arguments say. Returns 1 if a scripted run failed unexpectedly, 2 if nothing could be run."""
    options = _parser().parse_args(arguments)
    console = Console(log_path=False)
    try:
        _writable(options.out)
        results = _live(options, console) if options.model else _scripted(options, console)
    except CannotStart as error:
        console.print(f'[red]{error}', soft_wrap=True)
        return 2
    except KeyboardInterrupt:
        console.print('[red]Stopped.')
        return 130
    terminal.show(results, console)
    return _write(results, options, console)


def _scripted(options: argparse.Namespace, console: Console) -> Results:
    routes, tasks = [route.name for route in _routes(options.routes)], _tasks(options.tasks)
    first, *others = MODELS
    parts = batches([task.name for task in tasks], routes, first)
    for model in others:
        small = [task.name for task in tasks if task.crowd < _LARGE_CROWD]
        parts += batches(small, [route for route in routes if options.routes or route in _FIRM], model)
    if not options.tasks and 'code' in routes:
        parts += batches([task.name for task in MISTAKES], ['code'], first)
    with processes(options.processes) as spread:
        runs = run_tasks(parts, spread, console.log)
        climbed = run_tasks(batches(rungs(), ('direct', 'code'), first), spread, console.log) if options.ladders else []
    found = setting(kind='scripted', tokenizer=best_tokenizer().name, models=MODELS, command=_command(options))
    note = f'With {", ".join(others)}: tasks among fewer than {_LARGE_CROWD:,} tools.'
    return Results(found, tuple(runs), tuple(climbed), (note,))


def _live(options: argparse.Namespace, console: Console) -> Results:
    models = models_named(options.model)
    tasks = [task for task in _tasks(options.tasks) if options.tasks or task.crowd < _LARGE_CROWD]
    runs, notes = asyncio.run(
        live(
            tasks,
            _routes(options.routes),
            models,
            times=options.times,
            concurrency=options.concurrency,
            limit=options.limit,
            tell=console.log,
        )
    )
    found = setting(kind='live', tokenizer="the provider's count", models=tuple(models), command=_command(options))
    return Results(found, tuple(runs), notes=tuple(notes))


def _write(results: Results, options: argparse.Namespace, console: Console) -> int:
    folder: Path = options.out
    save(results, folder / 'results.json')
    (folder / 'headline.md').write_text(headline(results))
    console.print(f'Written to {folder}: results.json, headline.md')
    outdated_rows = _compare_docs(results, options, console) if _is_whole(results) else 0
    # Errors of a real model are results. Any other failure means that something is broken.
    wrong = any(not run.ok for run in results.runs if run.route in _FIRM)
    return int(results.setting.kind == 'scripted' and (wrong or outdated_rows > 0))


def _compare_docs(results: Results, options: argparse.Namespace, console: Console) -> int:
    """Return how many rows of the docs' tables differ from the results, after updating them if requested."""
    if options.update_docs:
        _DOCS.write_text(updated(results, _DOCS.read_text()))
        _README.write_text(readme_updated(results, _README.read_text()))
    rows = outdated(results, _DOCS.read_text())
    if rows:
        lines = '\n'.join(rows)
        console.print(
            f'[yellow]docs/benchmarks.md shows other figures than these rows of headline.md (--update-docs):\n{lines}'
        )
    return len(rows)


def _is_whole(results: Results) -> bool:
    """Return whether these are the results that the docs quote."""
    done = {run.task for run in results.runs if run.route == 'code'}
    quoted = results.setting.kind == 'scripted' and results.setting.tokenizer == 'o200k_base'
    return quoted and done == {task.name for task in (*TASKS, *MISTAKES)} and bool(results.rungs)


def _writable(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / '.probe'
        probe.touch()
        probe.unlink()
    except OSError as error:
        message = f'Nothing can be written to {folder}: {error.strerror}. Choose another folder with --out.'
        raise CannotStart(message) from error


def _routes(names: Sequence[str] | None) -> list[Route]:
    if not names:
        return [*ROUTES, *VARIANTS]
    known = {route.name: route for route in (*ROUTES, *VARIANTS)}
    return [known[_known(name, list(known), 'route')] for name in names]


def _tasks(words: Sequence[str] | None) -> list[Task]:
    for word in words or []:
        _known(word, [*KINDS, *(task.name for task in TASKS)], 'task or kind of tasks')
    return [task for task in TASKS if not words or any(word in (task.name, task.kind) for word in words)]


def _known(name: str, names: Sequence[str], what: str) -> str:
    if name not in names:
        close = get_close_matches(name, names, n=3, cutoff=0.4) or names
        raise CannotStart(f'There is no {what} {name!r}; choose from: {", ".join(close)}.')
    return name


def _command(options: argparse.Namespace) -> str:
    given = {'--model': options.model, '--tasks': options.tasks, '--routes': options.routes}
    words = [f'{flag} {shlex.join(values)}' for flag, values in given.items() if values]
    times = [f'-n {options.times}'] if options.model else []
    return ' '.join(['python -m evals', *words, *times])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser('python -m evals', description=__doc__)
    parser.add_argument('--tasks', nargs='+', metavar='NAME', help='names or kinds of tasks; default: all')
    parser.add_argument('--routes', nargs='+', metavar='NAME', help='names of routes; default: all')
    parser.add_argument(
        '--processes', type=_positive, default=os.cpu_count() or 1, metavar='N', help='scripted runs at once'
    )
    live_options = parser.add_argument_group('with real models')
    live_options.add_argument('--model', action='append', metavar='PROVIDER:NAME', help='may be given several times')
    live_options.add_argument('-n', '--times', type=_positive, default=1, help='how often each task is tried')
    live_options.add_argument('--concurrency', type=_positive, default=4, metavar='N', help='live runs at once')
    live_options.add_argument(
        '--limit', type=float, default=5.0, metavar='DOLLARS', help='start no run when so much is spent; default: 5'
    )
    parser.add_argument('--no-ladders', dest='ladders', action='store_false', help='leave the growing tasks out')
    parser.add_argument('--out', type=Path, default=REPORTS, help='where the report goes')
    parser.add_argument(
        '--update-docs', action='store_true', help='write the tables into docs/benchmarks.md and README.md'
    )
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError('use 1 or more')
    return number
