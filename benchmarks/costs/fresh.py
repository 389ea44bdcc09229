"""The rows that need a new process for each measurement."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from benchmarks.costs.players import environment, playing
from benchmarks.costs.results import Row
from benchmarks.costs.sides.all_sides import OURS, SIDES

_IMPORT_AND_BUILD = """
import sys, time
before = time.process_time()
exec(sys.argv[1])
print((time.process_time() - before) * 1000)
"""


def imports(pythons: Mapping[str, Path], rounds: int) -> Row:
    """Measure the processor time of importing and building an agent; the first of many rounds only warms the disk. Its
    floor is the same program without code mode."""
    found: dict[str, list[float]] = {side: [] for side in pythons}
    floors = list[float]()
    warming = int(rounds > 1)
    for number in range(rounds + warming):
        for name, python in pythons.items():
            whole, bare = _taken(python, SIDES[name].program), _taken(python, SIDES[name].without)
            if number >= warming:
                found[name].append(whole)
                floors += [bare] if name == OURS else []
    return Row('import and build an agent, processor time', 'ms', found, floors)


def _taken(python: Path, program: str) -> float:
    """Return the milliseconds of processor time that a program takes in a fresh process."""
    command = [str(python), '-c', _IMPORT_AND_BUILD, program]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment())
    return float(done.stdout)


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
