"""The command line."""

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from evals.ladders import LADDERS
from evals.measuring.tokenizer import best_tokenizer
from evals.peers import compare_peers
from evals.report import page, terminal
from evals.results import Results, load, save, setting
from evals.routes import ALGORITHMS, ROUTES, Route, route_named
from evals.scripted import MODELS
from evals.suite import all_runs, climb, run_tasks
from evals.tasks.all_tasks import TASKS
from evals.tasks.task import Task

REPORTS = Path(__file__).parent / 'reports'


def main(arguments: Sequence[str]) -> int:
    """Run what the arguments say; 1 where a scripted run went wrong that should not."""
    options = _parser().parse_args(arguments)
    console = Console(stderr=options.quiet)
    if options.page_of:
        return _write(load(options.page_of), options.out, console)
    results = asyncio.run(_scripted(options, console))
    terminal.show(results, console)
    return _write(results, options.out, console)


async def _scripted(options: argparse.Namespace, console: Console) -> Results:
    tokenizer = best_tokenizer()
    routes, tasks = _routes(options.routes), _tasks(options.tasks, options.smaller_than)
    reports = await run_tasks(tasks, routes, options.wires, tokenizer, console.log)
    rungs = await climb(LADDERS, options.wires[0], tokenizer, console.log) if options.ladders else []
    peers, notes = compare_peers(options.tasks, console.log) if options.peers else ([], ['Peers were not run.'])
    return Results(
        setting(
            kind='scripted', tokenizer=tokenizer.name, models=tuple(options.wires), command=_command(options)
        ),
        tuple(all_runs(reports)),
        tuple(rungs),
        tuple(peers),
        tuple(notes),
    )


def _write(results: Results, folder: Path, console: Console) -> int:
    save(results, folder / 'results.json')
    (folder / 'report.html').write_text(page.render(results))
    console.print(f'Written: {folder / "results.json"}, {folder / "report.html"}')
    ours = {route.name for route in ROUTES if route.by != 'harness'}
    return int(any(not run.ok for run in results.runs if run.route in ours))


def _routes(names: Sequence[str] | None) -> list[Route]:
    if names:
        return [route_named(name) for name in names]
    return [route for route in (*ROUTES, *ALGORITHMS) if route.by != 'harness']


def _tasks(words: Sequence[str] | None, limit: int | None) -> list[Task]:
    chosen = [task for task in TASKS if not words or any(word in (task.name, task.kind) for word in words)]
    return [task for task in chosen if limit is None or task.crowd < limit]


def _command(options: argparse.Namespace) -> str:
    return 'python -m evals' + (f' --tasks {" ".join(options.tasks)}' if options.tasks else '')


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser('python -m evals', description=__doc__)
    parser.add_argument('--tasks', nargs='+', metavar='NAME', help='names or kinds of tasks; default: all')
    parser.add_argument('--routes', nargs='+', metavar='NAME', help='names of routes; default: all')
    parser.add_argument('--smaller-than', type=int, metavar='TOOLS', help='leave out tasks with as many tools')
    parser.add_argument('--wires', nargs='+', default=list(MODELS), metavar='WIRE:MODEL')
    parser.add_argument('--no-ladders', dest='ladders', action='store_false', help='leave the growing tasks out')
    parser.add_argument('--no-peers', dest='peers', action='store_false', help='leave other code modes out')
    parser.add_argument('--out', type=Path, default=REPORTS, help='where the report goes')
    parser.add_argument('--page-of', type=Path, metavar='JSON', help='only make the page anew from results.json')
    parser.add_argument('--quiet', action='store_true', help='tables to stderr')
    return parser
