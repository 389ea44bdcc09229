"""Packages with data, and the environment of another code mode, which pins other releases of pydantic-ai."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.costs.players import environment
from demo.installation import CannotInstall, python_environment

ROOT = Path(__file__).parents[1]
PEER = 'harness CodeMode'


def install(lock: Path, folder: Path) -> None:
    """Install locked packages without their dependencies. Raises `CalledProcessError` if that fails."""
    uv = Path(sys.executable).with_name('uv')
    command = [str(uv), 'pip', 'install', '--quiet', '--no-deps', '--require-hashes', '--target', str(folder)]
    subprocess.run([*command, '-r', str(lock)], check=True)


def by_peer(module: str, *arguments: str) -> Any:
    """Return what a module prints as JSON when it plays the peer's route; `None` if the peer cannot be installed."""
    try:
        python = python_environment('harness')
    except CannotInstall as error:
        print(f'Without {PEER}: {error}')
        return None
    command = [str(python), '-m', module, '--routes', PEER, '--json', *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)
