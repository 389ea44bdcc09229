"""The history of the rules by which parcels are routed, as a git repository: the same each time, with its commit ids.

One of its changes is the cause of the delays.
"""

import os
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

from demo.rows import CARRIERS


def create(folder: Path) -> None:
    """Make the folder a git repository with the history on ``main``."""
    (folder / 'routes').mkdir(parents=True)
    _git(folder, 'init', '--quiet', '--initial-branch', 'main')
    for region, carrier in CARRIERS.items():
        _file(folder, region).write_text(f'carrier = "{carrier}"\n')
    _commit(folder, 90, 'Hugo', 'Write the routing rules down')
    for days, author, message, region, line in _CHANGES:
        with _file(folder, region).open('a') as file:
            file.write(f'{line}\n')
        _commit(folder, days, author, message)


def _file(folder: Path, region: str) -> Path:
    return folder / 'routes' / f'{region}.toml'


def _commit(folder: Path, days_ago: int, author: str, message: str) -> None:
    moment = datetime(2026, 6, 24, 14, tzinfo=UTC) - timedelta(days=days_ago)
    parts = {'NAME': author, 'EMAIL': f'{author.lower()}@shop.example', 'DATE': moment.isoformat()}
    signature = {f'GIT_{role}_{part}': text for role in ('AUTHOR', 'COMMITTER') for part, text in parts.items()}
    _git(folder, 'add', '--all')
    _git(folder, 'commit', '--quiet', '--message', message, **signature)


def _git(folder: Path, *arguments: str, **signature: str) -> None:
    # Neither the user's settings nor a surrounding repository may change the result.
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith('GIT_')}
    settings = {'GIT_CONFIG_GLOBAL': os.devnull, 'GIT_CONFIG_SYSTEM': os.devnull}
    subprocess.run(['git', *arguments], cwd=folder, env=surroundings | settings | signature, check=True)


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
    (12, 'Hugo', 'Send eastern parcels through the Lindholm hub', 'east', 'hub = "Lindholm"'),
    (9, 'Leon', 'Name a second contact in the north', 'north', 'contact = "Tove"'),
    (6, 'Ines', 'Leave island parcels with neighbours', 'islands', 'neighbours = true'),
    (3, 'Mira', 'Return western parcels by train', 'west', 'returns = "train"'),
]
"""Days before the shop's today, author, reason, place, and the line that the change adds."""
