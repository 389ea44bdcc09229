"""All runs of one command, with the information needed to repeat them."""

import platform
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pydantic import TypeAdapter

from evals.measuring.run import Run

_PACKAGES = ('pydantic-ai-slim', 'pydantic-monty', 'genai-prices')


@dataclass(frozen=True)
class Setting:
    date: str
    commit: str
    python: str
    packages: dict[str, str]
    tokenizer: str
    models: tuple[str, ...]
    command: str
    kind: str
    """`'scripted'` or `'live'`."""


@dataclass(frozen=True)
class Results:
    setting: Setting
    runs: tuple[Run, ...]
    rungs: tuple[Run, ...] = ()
    """The runs of the tasks on ladders."""
    notes: tuple[str, ...] = ()
    """What is missing, and why."""


def save(results: Results, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(TypeAdapter(Results).dump_json(results, indent=1))


def setting(*, kind: str, tokenizer: str, models: tuple[str, ...], command: str) -> Setting:
    return Setting(
        date=datetime.now(UTC).isoformat(timespec='seconds'),
        commit=_commit(),
        python=platform.python_version(),
        packages={name: found for name in _PACKAGES if (found := _version(name))},
        tokenizer=tokenizer,
        models=models,
        command=command,
        kind=kind,
    )


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _commit() -> str:
    git = ['git', '-C', str(Path(__file__).parent), 'describe', '--always', '--dirty', '--exclude=*']
    found = subprocess.run(git, capture_output=True, text=True, check=False)
    return found.stdout.strip() or 'unknown'
