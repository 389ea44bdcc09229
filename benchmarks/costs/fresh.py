"""The rows that need a new process for each measurement."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from benchmarks.costs.players import environment, playing
from benchmarks.costs.results import Row
from benchmarks.costs.sides.all_sides import OURS, SIDES

_IMPORT_AND_BUILD = """
import os, sys, time
before = time.process_time()
for statement in sys.argv[1:]:
    exec(statement)
    taken = time.process_time() - before
    pages = int(open('/proc/self/statm').read().split()[1]) if os.path.exists('/proc/self/statm') else 0
    print(taken * 1000, pages * os.sysconf('SC_PAGE_SIZE') / 2**20)
"""
_AFTER_IMPORTS = (
    ('import, processor time', 'ms'),
    ('memory after import', 'MB'),
    ('import and build an agent, processor time', 'ms'),
    ('memory after that', 'MB'),
)
"""The rows; their floor is the same program without code mode."""


def imports(pythons: Mapping[str, Path], rounds: int) -> list[Row]:
    """Measure the processor time and memory of importing, alone and with building an agent; the first of many rounds
    only warms the disk."""
    found: dict[str, list[list[float]]] = {side: [[] for _ in _AFTER_IMPORTS] for side in pythons}
    floors: list[list[float]] = [[] for _ in _AFTER_IMPORTS]
    warming = int(rounds > 1)
    for number in range(rounds + warming):
        for name, python in pythons.items():
            side = SIDES[name]
            whole, bare = _taken(python, side.imports, side.builds), _taken(python, side.without, side.builds_without)
            if number >= warming:
                for place, kept in enumerate(found[name]):
                    kept.append(whole[place])
                    floors[place].append(bare[place]) if name == OURS else None
    return [
        Row(what, unit, {side: kept[place] for side, kept in found.items()}, floors[place])
        for place, (what, unit) in enumerate(_AFTER_IMPORTS)
    ]


def _taken(python: Path, *statements: str) -> list[float]:
    """Return milliseconds of processor time and megabytes after each statement in a fresh process."""
    command = [str(python), '-c', _IMPORT_AND_BUILD, *statements]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment())
    return [float(word) for word in done.stdout.split()]


def first_scripts(pythons: Mapping[str, Path], rounds: int) -> Row:
    """Measure the time of a process's first script, minus that of the direct call after it. Its floor is the start of
    two workers and a cold check."""
    sides: dict[str, list[float]] = {side: [] for side in pythons}
    floors = list[float]()
    for _ in range(rounds):
        for side, python in pythons.items():
            with playing(side, python) as player:
                sides[side].append(player.ask('first'))
        with playing(OURS, pythons[OURS]) as player:
            floors.append(player.ask('first floor'))
    return Row('the first `run_code` of a process', 'ms', sides, floors)
