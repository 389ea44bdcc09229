"""The history of the rules by which parcels are routed, as a git repository: the same each time, with its commit ids.

One of its changes is the cause of the delays.
"""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from demo.rows import CARRIERS


@dataclass(frozen=True)
class Commit:
    message: str
    author: str
    moment: datetime
    files: Mapping[str, str]
    """The full text of each file that the commit writes, by path."""


def create(folder: Path) -> None:
    """Make the folder a git repository with the history on ``main``."""
    folder.mkdir(parents=True, exist_ok=True)
    _git(folder, 'init', '--quiet', '--initial-branch', 'main')
    for commit in _history():
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


_TO_BLAME = 'Send eastern parcels through the Lindholm hub'
_CHANGES = [
    (70, 'Mira', 'Collect northern parcels an hour earlier', 'north', 'pickup = "15:00"'),
    (63, 'Leon', 'Let Sunline take bulky goods in the west', 'west', 'bulky = true'),
    (55, 'Ines', 'Take the evening ferry to the islands', 'islands', 'ferry = "evening"'),
    (48, 'Mira', 'Insure southern parcels above 500', 'south', 'insured_above = 500'),
    (41, 'Hugo', 'Skip the depot in Varberg', 'west', 'depots = ["Alby"]'),
    (33, 'Leon', 'Sort northern parcels by street', 'north', 'sort_by = "street"'),
    (26, 'Ines', 'Print labels in the east at the depot', 'east', 'labels = "depot"'),
    (19, 'Hugo', 'Promise the islands four days', 'islands', 'promise_days = 4'),
    (14, 'Mira', 'Raise the weight limit in the south', 'south', 'max_kg = 31'),
    (12, 'Hugo', _TO_BLAME, 'east', 'hub = "Lindholm"'),
    (9, 'Leon', 'Name a second contact in the north', 'north', 'contact = "Tove"'),
    (6, 'Ines', 'Leave island parcels with neighbours', 'islands', 'neighbours = true'),
    (3, 'Mira', 'Return western parcels by train', 'west', 'returns = "train"'),
]
"""Days before the shop's today, author, reason, place, and the line that the change adds."""


def _history() -> list[Commit]:
    today = datetime(2026, 6, 24, 14, tzinfo=UTC)
    rules = {region: f'carrier = "{carrier}"\n' for region, carrier in CARRIERS.items()}
    files = {f'routes/{region}.toml': text for region, text in rules.items()}
    commits = [Commit('Write the routing rules down', 'Hugo', today - timedelta(days=90), files)]
    for days, author, message, region, line in _CHANGES:
        rules[region] += f'{line}\n'
        changed = {f'routes/{region}.toml': rules[region]}
        commits.append(Commit(message, author, today - timedelta(days=days), changed))
    return commits
