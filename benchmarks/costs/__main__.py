"""Measure what code mode costs, beside peers and floors: `make bench`, or a minute of it, `make bench QUICK=1`."""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.costs.crowds import crowds
from benchmarks.costs.curves import curve
from benchmarks.costs.effort import QUICK, WHOLE, Effort
from benchmarks.costs.fresh import first_scripts, idle_workers, imports
from benchmarks.costs.growth import GROWTHS
from benchmarks.costs.machine import commit, machine
from benchmarks.costs.page import RESULTS, update_docs
from benchmarks.costs.players import interpreters, playing
from benchmarks.costs.plots import plot
from benchmarks.costs.results import Curve, Results, Row, save
from benchmarks.costs.tables import parts
from benchmarks.costs.turns import rows_in_turns

PARTS = ('turns', 'fresh', 'crowds', 'curves')
_BEGAN = time.monotonic()


def main(arguments: list[str] | None = None) -> int:
    """Measure, print the tables, and write them into a folder, with all figures and a plot of each curve."""
    options = _options(arguments)
    results = measured(
        QUICK if options.quick else WHOLE, options.only, 'make bench QUICK=1' if options.quick else 'make bench'
    )
    text = '\n'.join('\n'.join([*lines, '']) for lines in parts(results).values())
    print(text)
    folder: Path = options.out
    folder.mkdir(parents=True, exist_ok=True)
    save(results, folder / 'costs.json')
    (folder / 'costs.md').write_text(text)
    for each in results.curves:
        (folder / f'{each.key}.svg').write_text(plot(each))
    print(f'Written to {folder}: costs.json, costs.md and the plots.')
    if options.update_docs:
        update_docs(results)
    return 0


def measured(effort: Effort, only: list[str], command: str) -> Results:
    """The parts that are wanted."""
    pythons, notes = interpreters()
    here = machine()
    packages, rows = _in_turns(pythons, effort.rounds if 'turns' in only else 0)
    if 'fresh' in only:
        _tell('imports, first scripts and idle workers, each in fresh processes')
        rows += [*imports(pythons, effort.fresh), first_scripts(pythons, effort.fresh)]
        rows += idle_workers(pythons, effort.idle_seconds)
    if 'crowds' in only:
        _tell(f'{effort.at_once} runs at once')
        found, failures = crowds(pythons, effort)
        rows, notes = rows + found, notes + failures
    lines = [_curve(name, effort) for name in GROWTHS] if 'curves' in only else []
    return Results(
        date=f'{datetime.now(UTC):%Y-%m-%d}',
        commit=commit(),
        command=command,
        machine=here,
        python=platform.python_version(),
        packages=packages,
        rows=rows,
        curves=lines,
        notes=notes,
    )


def _in_turns(pythons: Mapping[str, Path], rounds: int) -> tuple[dict[str, dict[str, str]], list[Row]]:
    """The packages of each side, and the rows that they take turns in."""
    _tell(f'{rounds} rounds of scripts, in turns')
    with ExitStack() as stack:
        players = {side: stack.enter_context(playing(side, python)) for side, python in pythons.items()}
        rows = rows_in_turns(players, rounds) if rounds else []
        return {side: player.packages for side, player in players.items()}, rows


def _curve(name: str, effort: Effort) -> Curve:
    _tell(f'how much more it takes with more of: {name}')
    return curve(name, effort)


def _tell(what: str) -> None:
    print(f'{time.monotonic() - _BEGAN:4.0f} s  {what}', file=sys.stderr, flush=True)


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog='python -m benchmarks.costs', description=__doc__)
    parser.add_argument('--quick', action='store_true', help='few rounds, small sizes: to see that it works')
    parser.add_argument('--only', nargs='+', choices=PARTS, default=list(PARTS))
    parser.add_argument('--out', type=Path, default=RESULTS)
    parser.add_argument('--update-docs', action='store_true', help='write what was found into docs/benchmarks.md')
    options = parser.parse_args(arguments)
    if options.update_docs and (options.quick or set(options.only) != set(PARTS)):
        parser.error('the docs quote whole runs: leave out --quick and --only')
    return options


if __name__ == '__main__':
    sys.exit(main())
