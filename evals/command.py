"""The command line."""

import argparse
import asyncio
import shlex
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from evals.ladders import LADDERS
from evals.live.session import Budget, CannotStart, live, models_named, planned
from evals.measuring.tokenizer import best_tokenizer
from evals.peers import compare_peers
from evals.report import page, terminal
from evals.report.headline import headline
from evals.results import Results, load, save, setting
from evals.routes import ALGORITHMS, ROUTES, Route, route_named
from evals.scripted import MODELS
from evals.suite import all_runs, climb, run_tasks
from evals.tasks.all_tasks import TASKS
from evals.tasks.task import Task

REPORTS = Path(__file__).parent / 'reports'
_LIVE_CROWD = 1000
"""Live runs leave out tasks among more tools than this, unless told otherwise: a single one costs dollars."""


def main(arguments: Sequence[str]) -> int:
    """Run what the arguments say; 1 where a scripted run went wrong that should not."""
    options = _parser().parse_args(arguments)
    console = Console(stderr=options.quiet)
    if options.page_of:
        return _write(load(options.page_of), options.out, console)
    try:
        results = asyncio.run(_live(options, console) if options.model else _scripted(options, console))
    except CannotStart as error:
        console.print(f'[red]{error}')
        return 2
    terminal.show(results, console)
    return _write(results, options.out, console)


async def _scripted(options: argparse.Namespace, console: Console) -> Results:
    tokenizer = best_tokenizer()
    routes, tasks = _routes(options.routes), _tasks(options.tasks, options.smaller_than)
    reports = await run_tasks(tasks, routes, options.wires, tokenizer, console.log)
    rungs = await climb(LADDERS, options.wires[0], tokenizer, console.log) if options.ladders else []
    peers, notes = compare_peers(options.tasks, console.log) if options.peers else ([], ['Peers were not run.'])
    return Results(
        setting(kind='scripted', tokenizer=tokenizer.name, models=tuple(options.wires), command=_command(options)),
        tuple(all_runs(reports)),
        tuple(rungs),
        tuple(peers),
        tuple(notes),
    )


async def _live(options: argparse.Namespace, console: Console) -> Results:
    models = models_named(options.model)
    tasks = _tasks(options.tasks, options.smaller_than or _LIVE_CROWD)
    plan = planned(tasks, _routes(options.routes), models, options.times, options.concurrency)
    budget = Budget(options.limit, ask=not options.yes)
    return await live(plan, budget, options.out / 'live', best_tokenizer(), console, _command(options))


def _write(results: Results, folder: Path, console: Console) -> int:
    save(results, folder / 'results.json')
    (folder / 'report.html').write_text(page.render(results))
    (folder / 'headline.md').write_text(headline(results))
    console.print(f'Written to {folder}: results.json, report.html, headline.md')
    ours = {route.name for route in ROUTES if route.by != 'harness'}
    # A real model that errs is a result; the scripted one does not err, so something is broken.
    return int(results.setting.kind == 'scripted' and any(not run.ok for run in results.runs if run.route in ours))


def _routes(names: Sequence[str] | None) -> list[Route]:
    if names:
        return [route_named(name) for name in names]
    return [route for route in (*ROUTES, *ALGORITHMS) if route.by != 'harness']


def _tasks(words: Sequence[str] | None, limit: int | None) -> list[Task]:
    chosen = [task for task in TASKS if not words or any(word in (task.name, task.kind) for word in words)]
    return [task for task in chosen if limit is None or task.crowd < limit]


def _command(options: argparse.Namespace) -> str:
    given = {'--model': options.model, '--tasks': options.tasks, '--routes': options.routes}
    words = [f'{flag} {shlex.join(values)}' for flag, values in given.items() if values]
    times = [f'-n {options.times}'] if options.model else []
    return ' '.join(['python -m evals', *words, *times])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser('python -m evals', description=__doc__)
    parser.add_argument('--tasks', nargs='+', metavar='NAME', help='names or kinds of tasks; default: all')
    parser.add_argument('--routes', nargs='+', metavar='NAME', help='names of routes; default: all')
    parser.add_argument('--smaller-than', type=int, metavar='TOOLS', help='leave out tasks with as many tools')
    parser.add_argument('--wires', nargs='+', default=list(MODELS), metavar='WIRE:MODEL')
    live_options = parser.add_argument_group('with real models')
    live_options.add_argument('--model', action='append', metavar='PROVIDER:NAME', help='may be given several times')
    live_options.add_argument('-n', '--times', type=int, default=1, help='how often each task is tried')
    live_options.add_argument('--concurrency', type=int, default=4, metavar='N', help='runs at once')
    live_options.add_argument('--limit', type=float, default=5.0, metavar='DOLLARS', help='spend no more; default: 5')
    live_options.add_argument('--yes', action='store_true', help='start without asking')
    parser.add_argument('--no-ladders', dest='ladders', action='store_false', help='leave the growing tasks out')
    parser.add_argument('--no-peers', dest='peers', action='store_false', help='leave other code modes out')
    parser.add_argument('--out', type=Path, default=REPORTS, help='where the report goes')
    parser.add_argument('--page-of', type=Path, metavar='JSON', help='only make the page anew from results.json')
    parser.add_argument('--quiet', action='store_true', help='tables to stderr')
    return parser
