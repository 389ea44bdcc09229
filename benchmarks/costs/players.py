"""The processes that run the benchmarks, one for each side."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.costs.sides.all_sides import SIDES
from demo.installation import CannotInstall, python_environment

ROOT = Path(__file__).parents[2]
MAX_SECONDS = 180.0
"""The time limit of one request to a process, on a slow machine."""


@dataclass(frozen=True)
class Player:
    side: str
    process: subprocess.Popen[str]
    packages: dict[str, str]

    def ask(self, operation: str, **arguments: object) -> Any:
        self.send(operation, **arguments)
        return self.receive()

    def send(self, operation: str, **arguments: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({'do': operation, **arguments}) + '\n')
        self.process.stdin.flush()

    def receive(self) -> Any:
        """Return the answer. Raises `RuntimeError` if the process has ended or exceeds the time limit."""
        assert self.process.stdout is not None
        # Each answer is one line, and all earlier ones were read, so nothing waits in a buffer here.
        if not select.select([self.process.stdout], [], [], MAX_SECONDS)[0]:
            self.process.kill()
            raise RuntimeError(f'The process of {self.side} took more than {MAX_SECONDS:g} s, and was ended.')
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f'The process of {self.side} ended with {self.process.wait()}; its error is above.')
        return json.loads(line)


def interpreters() -> tuple[dict[str, Path], list[str]]:
    """Return the Python of each side, creating its environment if needed, and why sides are missing."""
    found, missing = dict[str, Path](), list[str]()
    for name, side in SIDES.items():
        try:
            found[name] = python_environment(side.lock) if side.lock else Path(sys.executable)
        except CannotInstall as error:
            missing.append(f'Without {name}, which cannot be installed here: {str(error).splitlines()[0]}')
    return found, missing


@contextmanager
def playing(side: str, python: Path) -> Generator[Player]:
    with _started(side, python) as process:
        yield _ready(side, process)


@contextmanager
def playing_at_once(side: str, python: Path, count: int) -> Generator[Sequence[Player]]:
    with ExitStack() as stack:
        processes = [stack.enter_context(_started(side, python)) for _ in range(count)]
        yield [_ready(side, process) for process in processes]


def environment() -> dict[str, str]:
    """Return variables that select our packages from the checkout and let processes share compiled bytecode."""
    paths = [ROOT, ROOT / 'src', ROOT / 'sandbox', ROOT / 'signatures']
    kept = {name: value for name, value in os.environ.items() if name != 'PYTHONDONTWRITEBYTECODE'}
    return {**kept, 'PYTHONPATH': os.pathsep.join(map(str, paths))}


@contextmanager
def _started(side: str, python: Path) -> Generator[subprocess.Popen[str]]:
    command = [str(python), '-m', 'benchmarks.costs.player', side]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=ROOT, env=environment()) as process:
        try:
            yield process
        finally:
            assert process.stdin is not None
            process.stdin.close()
            try:
                process.wait(_ENDING_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


_ENDING_SECONDS = 20.0


def _ready(side: str, process: subprocess.Popen[str]) -> Player:
    player = Player(side, process, {})
    player.packages.update(player.receive())
    return player
