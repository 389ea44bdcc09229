"""The parts of the benchmark, one after the other. If one fails, the others still run."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.costs.crowds import crowds
from benchmarks.costs.fresh import first_scripts, imports
from benchmarks.costs.players import ROOT, interpreters, playing
from benchmarks.costs.results import Effort, Results, Row, save
from benchmarks.costs.turns import rows_in_turns

PARTS = ('turns', 'fresh', 'crowds')
_BEGAN = time.monotonic()


def measured(effort: Effort, only: Sequence[str], command: str, file: Path) -> tuple[Results, bool]:
    """Measure the selected parts, saving to `file` after each. Returns the results and whether all parts succeeded."""
    pythons, missing = interpreters()
    results = Results(
        date=f'{datetime.now(UTC):%Y-%m-%d}',
        commit=_commit(),
        command=command,
        machine=_machine(),
        python=platform.python_version(),
        packages={side: _packages(side, python) for side, python in pythons.items()},
        rows=[],
        notes=missing,
    )
    whole = True
    for what, measure in _parts(effort, only, pythons, results):
        whole = run_part(what, measure, results) and whole
        save(results, file)
    return results, whole


def _parts(
    effort: Effort, only: Sequence[str], pythons: Mapping[str, Path], results: Results
) -> list[tuple[str, Callable[[], None]]]:
    """Return the description of each part and the function that adds its results."""
    rows, fresh = results.rows, effort.fresh

    def in_crowds() -> None:
        found, failures = crowds(pythons, effort)
        rows.extend(found)
        results.notes.extend(failures)

    of = {
        'turns': {
            f'{effort.rounds} rounds of scripts, in turns': lambda: rows.extend(_in_turns(pythons, effort.rounds))
        },
        'fresh': {
            'imports, in fresh processes': lambda: rows.append(imports(pythons, fresh)),
            'first scripts of fresh processes': lambda: rows.append(first_scripts(pythons, fresh)),
        },
        'crowds': {f'{effort.at_once} runs at once': in_crowds},
    }
    return [part for name in PARTS if name in only for part in of[name].items()]


def run_part(what: str, measure: Callable[[], None], results: Results) -> bool:
    """Measure one part. If it fails, add a note and return False, so that the other parts still run."""
    began = time.monotonic()
    print(f'{began - _BEGAN:4.0f} s  {what}', file=sys.stderr, end='', flush=True)
    try:
        measure()
    except Exception as error:
        print(f': broke off after {time.monotonic() - began:.0f} s', file=sys.stderr, flush=True)
        traceback.print_exc()
        results.notes.append(f'{what}: broke off with {type(error).__name__}')
        return False
    print(f': {time.monotonic() - began:.0f} s', file=sys.stderr, flush=True)
    return True


def _packages(side: str, python: Path) -> dict[str, str]:
    with playing(side, python) as player:
        return player.packages


def _in_turns(pythons: Mapping[str, Path], rounds: int) -> list[Row]:
    with ExitStack() as stack:
        players = {side: stack.enter_context(playing(side, python)) for side, python in pythons.items()}
        return rows_in_turns(players, rounds)


def _machine() -> str:
    """Return the processor, the number of cores, the system, and the current load."""
    system = f'{platform.system()} {platform.release().split("-")[0]}'
    return f'{_processor()}, {os.cpu_count()} cores, {_memory()}{system}, load {os.getloadavg()[0]:.1f} when it began'


def _commit() -> str:
    """Return the checked-out commit, with a + if files differ from it. Empty outside a repository."""
    try:
        found = _git('rev-parse', '--short', 'HEAD')
        return f'{found}+' if _git('status', '--porcelain', '--untracked-files=no') else found
    except (OSError, subprocess.CalledProcessError):
        return ''


def _git(*arguments: str) -> str:
    return subprocess.run(['git', *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def _processor() -> str:
    with suppress(OSError):
        for line in Path('/proc/cpuinfo').read_text().splitlines():
            if line.startswith('model name'):
                return line.partition(':')[2].strip()
    return platform.processor() or platform.machine()


def _memory() -> str:
    with suppress(OSError, ValueError):
        return f'{os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30:.0f} GiB, '
    return ''
