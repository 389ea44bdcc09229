"""`python -m benchmarks.soak` tells what grew, and whatever a run leaves makes it exit with 1."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.soak import GROWTH_BYTES, Footprint

ROOT = Path(__file__).parents[2]
BEFORE = Footprint(processes=2, files=20, tasks=0, bytes=80_000_000, bytes_of_workers=40_000_000)


@pytest.mark.parametrize('counted', ['processes', 'files', 'tasks'])
def test_two_more_of_anything_are_told(counted: str) -> None:
    assert BEFORE.grown_to(replace(BEFORE, **{counted: getattr(BEFORE, counted) + 1})) == []
    assert BEFORE.grown_to(replace(BEFORE, **{counted: getattr(BEFORE, counted) + 2})) == [counted]


@pytest.mark.parametrize('held', ['bytes', 'bytes_of_workers'])
def test_memory_is_told_that_no_heap_takes_by_itself(held: str) -> None:
    more = getattr(BEFORE, held) + GROWTH_BYTES
    assert BEFORE.grown_to(replace(BEFORE, **{held: more})) == []
    assert BEFORE.grown_to(replace(BEFORE, **{held: more + 1})) == [held]


@pytest.mark.long
def test_nothing_is_left_of_a_hundred_runs() -> None:
    # In a process of its own, since some of its runs kill a worker, whosever it is.
    done = subprocess.run([sys.executable, '-m', 'benchmarks.soak', '--runs', '100'], cwd=ROOT, capture_output=True)
    assert done.returncode == 0, done.stdout.decode()
