"""Git repositories created on demand, the same each time down to the commit ids."""

import os
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True)
class Commit:
    message: str
    author: str
    moment: datetime
    files: Mapping[str, str]
    """The full text of each file that the commit writes, by path."""


def create(folder: Path, commits: Iterable[Commit]) -> None:
    """Make the folder a git repository with these commits on ``main``."""
    folder.mkdir(parents=True, exist_ok=True)
    _git(folder, 'init', '--quiet', '--initial-branch', 'main')
    for commit in commits:
        for name, text in commit.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        _git(folder, 'add', '--all')
        _git(folder, 'commit', '--quiet', '--message', commit.message, **_signature(commit))


def _signature(commit: Commit) -> dict[str, str]:
    email = f'{commit.author.lower()}@shop.example'
    date = commit.moment.isoformat()
    return {
        f'GIT_{role}_{part}': value
        for role in ('AUTHOR', 'COMMITTER')
        for part, value in (('NAME', commit.author), ('EMAIL', email), ('DATE', date))
    }


def _git(folder: Path, *arguments: str, **signature: str) -> None:
    # Neither the user's settings nor a surrounding repository may change the result.
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith('GIT_')}
    settings = {'GIT_CONFIG_GLOBAL': os.devnull, 'GIT_CONFIG_SYSTEM': os.devnull}
    subprocess.run(['git', *arguments], cwd=folder, env=surroundings | settings | signature, check=True)
